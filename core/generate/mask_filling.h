#pragma once

#include "core/generate/generator.h"

namespace headscope {

/// One mask token that was replaced.
struct FilledMask
{
    std::int64_t position = 0;
    GenerationStep step;
};

struct FilledText
{
    std::vector<TokenId> ids;      ///< All ids, with filled masks.
    std::vector<FilledMask> masks; ///< From left to right.
    std::int64_t remaining = 0;    ///< Number of masks beyond GenerationSettings::maxTokens.
};

/// Replaces an encoder's mask tokens from left to right: each is sampled from the distribution at
/// its position, and the next one is predicted from the text as filled so far. Throws Error for a
/// model without a mask token or a language head and for a text without a mask, ShapeError for one
/// beyond the context, Cancelled when `stop` requests it.
FilledText fillMasks(const LoadedModel& model, AttentionBackend& backend, const TokenSequence& text,
                     const GenerationSettings& settings, std::stop_token stop = {});

} // namespace headscope
