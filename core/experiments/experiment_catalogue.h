#pragma once

#include "core/experiments/experiment_result.h"
#include "core/train/files/training_config.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Measures of an experiment besides losses and accuracies, see experiment_measures.h.
enum class Measure {
    StartGradients,   ///< Gradient norms by layer before the first update.
    Entropy,          ///< Entropy of attention, before and after training.
    PrefixLoss,       ///< Loss when no later token is visible.
    WrittenText,      ///< Generated text, and the fraction of it that occurs in the training text.
    Calibration,      ///< Calibration of the model's confidence.
    Lengths,          ///< Perplexity at lengths other than that of training.
    Overflow,         ///< Result of softmax without subtracting the largest score.
    WordsToPositions, ///< Norms of the first layer's inputs.
    Size,             ///< Number of parameters without the embeddings.
    Stream,           ///< Residual stream by block, see stream_measures.h.
    Batches,          ///< Effect of a batch's statistics, see batch_measures.h.
    Heads,            ///< Number and size of heads.
    Cache,            ///< Bytes of the KV cache.
};

struct ExperimentVariant
{
    std::string name;  ///< Folder of its training run, for example "no-mask", "mqa-2" (seed 2).
    std::string label; ///< For example "without the mask", "MQA, seed 2".
    TrainingConfig config;
    std::string group;      ///< Name without the seed: variants that differ in their seed alone.
    std::string groupLabel; ///< Label without the seed.
};

/// A plot next to the loss curves: one line per variant, from its series of this name.
struct ExperimentPlot
{
    std::string series; ///< Name of an ExperimentSeries.
    std::string title;
    std::string x; ///< Unit of the horizontal axis, for example "layer".
    std::string y;
    bool logX = false;
    bool logY = false;
};

/// Variants that differ in exactly one setting and share one seed, or each trained with the same
/// several seeds: resources/experiments/NAME.json.
/// The conclusion from their numbers is code, see conclusionOf().
struct Experiment
{
    std::string name;        ///< For example "mask-missing".
    std::int64_t order = 0;  ///< Position in the catalogue, ascending.
    std::string title;       ///< For example "The mask is missing".
    std::string description; ///< One sentence.
    std::string row;         ///< Row of the curriculum, for example "P1, M7".
    std::string difference;  ///< The only difference, for example "the causal mask in training".
    std::string measured;    ///< What is measured, in one sentence.
    std::vector<ExperimentVariant> variants; ///< The broken variant first, if one is broken.
    std::vector<Measure> measures;
    std::vector<ExperimentPlot> plots; ///< May be empty.
};

/// Experiments in display order, in the language of this process (content_language.h). Each finishes within minutes on two cores.
std::span<const Experiment> experimentCatalogue();

/// Throws an Error that suggests the nearest name.
const Experiment& catalogueExperiment(std::string_view name);

} // namespace headscope
