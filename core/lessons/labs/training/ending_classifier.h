#pragma once

#include "core/lessons/labs/lab.h"
#include "core/train/stories/story_endings.h"

#include <functional>
#include <span>

namespace headscope {

/// How an encoder is fine-tuned on labelled stories.
struct FineTuning
{
    std::int64_t steps = 100;
    std::int64_t rows = 16; ///< Stories in a batch.
    double learningRate = 5e-4;
    std::uint64_t seed = 1;   ///< Of the new classifier, of random weights, and of the batches.
    bool keepsWeights = true; ///< False: all weights start at random.
};

/// Classifies stories by their ending: the pooled state of [CLS] through a linear layer with two
/// logits, happy and sad, trained with every other weight (Devlin et al. 2019, section 3.5). The
/// layer is that of the next-sentence head, initialised anew.
class EndingClassifier
{
public:
    /// Trains on `stories`. Throws Error for a model without a next-sentence head, Cancelled.
    /// `advance` is called after each step.
    EndingClassifier(const LoadedModel& encoder, std::span<const StoryEnding> stories,
                     const FineTuning& settings, const LabContext& context,
                     const std::stop_token& stop, const std::function<void()>& advance);

    /// Fraction of the stories that it classifies right.
    double accuracy(std::span<const StoryEnding> stories, const LabContext& context) const;

private:
    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const Tokenizer> m_tokenizer;
};

} // namespace headscope
