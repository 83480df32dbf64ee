#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <cstdint>
#include <vector>

namespace headscope {

constexpr TokenId kIgnoredTarget = -100;

/// One training batch: `rows` sequences of `length` tokens, row-major, and what each position
/// should predict (kIgnoredTarget: no loss there). The other fields may stay empty: no padding, no
/// source, segment 0, the model's own mask.
struct Batch
{
    std::int64_t rows = 0;
    std::int64_t length = 0;
    std::vector<TokenId> inputs;             ///< rows * length
    std::vector<TokenId> targets;            ///< rows * length
    std::vector<std::uint8_t> keyMask = {};  ///< rows * length: 0 hides a padding token as a key
    std::vector<std::int32_t> segments = {}; ///< rows * length (BERT's token types)
    std::vector<std::int32_t> nextSentence = {};  ///< rows: 0 follows, 1 does not, kIgnoredTarget
    std::vector<std::uint8_t> mask = {};          ///< length * length, 1 = may attend: for all rows
    std::int64_t sourceLength = 0;                ///< encoder-decoders
    std::vector<TokenId> sources = {};            ///< rows * sourceLength
    std::vector<std::uint8_t> sourceKeyMask = {}; ///< rows * sourceLength
};

/// Rows [begin, end), with all that belongs to them.
Batch batchRows(const Batch& batch, std::int64_t begin, std::int64_t end);

/// Gives batches by number, so that a resumed run sees exactly what the first would have seen.
class BatchSource
{
public:
    virtual ~BatchSource() = default;

    /// Depends on (seed, step) alone. Thread-safe.
    virtual Batch trainingBatch(std::uint64_t seed, std::int64_t step) const = 0;

    /// Held-out batches 0 .. validationBatchCount() - 1, always the same.
    virtual std::int64_t validationBatchCount() const = 0;
    virtual Batch validationBatch(std::int64_t index) const = 0;
};

} // namespace headscope
