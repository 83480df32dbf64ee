#pragma once

#include "core/lessons/labs/lab.h"
#include "core/train/stories/story_endings.h"

#include <span>

namespace headscope {

/// Asks a decoder about endings, with labelled stories in the prompt and without training (Brown et
/// al. 2020): "Tom lost a coin. Mia hugged Tom. Tom was happy. ... Eva was". The answer is the
/// label, happy or sad, whose token has the larger logit.
class FewShot
{
public:
    /// Throws Error for a decoder to which a label is not one token.
    FewShot(LoadedModel decoder, const LabContext& context);

    /// Prompt for `story` after `examples`, as tokens. Throws Error for one beyond the context.
    std::vector<TokenId> prompt(std::span<const StoryEnding> examples,
                                const StoryEnding& story) const;

    bool saysHappy(std::span<const TokenId> prompt) const;

    /// Fraction of `stories` that are answered right, each after `count` examples from
    /// `pool`, happy and sad ones in turn, at random (seed).
    double accuracy(std::span<const StoryEnding> stories, std::span<const StoryEnding> pool,
                    std::size_t count, std::uint64_t seed, const std::stop_token& stop) const;

private:
    LoadedModel m_decoder;
    std::unique_ptr<AttentionBackend> m_backend;
    TokenId m_happy = 0;
    TokenId m_sad = 0;
};

} // namespace headscope
