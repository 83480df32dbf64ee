#pragma once

#include "core/base/random.h"
#include "core/model/config/model_config.h"
#include "core/train/data/batch.h"

namespace headscope::test {

struct BatchExtents
{
    std::int64_t rows = 1;
    std::int64_t length = 1;
    std::int64_t sourceLength = 0; ///< of encoder-decoders
};

/// Random tokens, segments, pairs and sources: all that the model's kind takes, nothing masked.
inline Batch randomBatch(const ModelConfig& config, const BatchExtents& extents, std::uint64_t seed)
{
    Random random(seed);
    const auto tokens = [&](std::int64_t count, std::int64_t below) {
        std::vector<std::int32_t> values(static_cast<std::size_t>(count));
        for (std::int32_t& value : values)
            value = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(below)));
        return values;
    };
    const std::int64_t count = extents.rows * extents.length;
    Batch batch;
    batch.rows = extents.rows;
    batch.length = extents.length;
    batch.inputs = tokens(count, config.vocabularySize);
    batch.targets = tokens(count, config.vocabularySize);
    if (config.tokenTypes > 0)
        batch.segments = tokens(count, config.tokenTypes);
    if (config.nextSentence)
        batch.nextSentence = tokens(extents.rows, 2);
    if (config.isEncoderDecoder()) {
        batch.sourceLength = extents.sourceLength;
        batch.sources = tokens(extents.rows * extents.sourceLength, config.vocabularySize);
    }
    return batch;
}

} // namespace headscope::test
