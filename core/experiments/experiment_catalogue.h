#pragma once

#include "core/experiments/experiment_result.h"
#include "core/train/files/training_config.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// What an experiment looks at besides losses and accuracies, see experiment_measures.h.
enum class Measure {
    StartGradients,   ///< gradient norms by layer before the first update
    Entropy,          ///< of attention, before and after training
    PrefixLoss,       ///< the loss when nothing that comes later can be seen
    WrittenText,      ///< what the model writes, and how much of it is like the text
    Calibration,      ///< how far its confidence is right
    Lengths,          ///< perplexity at other lengths than that of training
    Overflow,         ///< what softmax would do without subtracting the largest score
    WordsToPositions, ///< sizes of what the first layer sees
    Size,             ///< parameters besides the embeddings
};

struct ExperimentVariant
{
    std::string name;  ///< folder of its run: "no-mask"
    std::string label; ///< "without the mask"
    TrainingConfig config;
};

/// A picture beside the loss curves: one line a variant, made of its series of this name.
struct ExperimentPlot
{
    std::string series; ///< ExperimentSeries::name
    std::string title;
    std::string x; ///< what the horizontal axis counts: "layer"
    std::string y;
    bool logX = false;
    bool logY = false;
};

/// Runs that differ in exactly one thing and share one seed: resources/experiments/NAME.json. What
/// is concluded from their numbers is code, see conclusionOf().
struct Experiment
{
    std::string name;                        ///< "mask-missing"
    std::int64_t order = 0;                  ///< rises in the catalogue
    std::string title;                       ///< "The mask is missing"
    std::string description;                 ///< one sentence
    std::string row;                         ///< of the curriculum: "P1, M7"
    std::string difference;                  ///< the one thing: "the causal mask in training"
    std::string measured;                    ///< what is measured, one sentence
    std::vector<ExperimentVariant> variants; ///< the broken one first, where one is broken
    std::vector<Measure> measures;
    std::vector<ExperimentPlot> plots; ///< may be empty
};

/// In the order in which to offer them. Each finishes within minutes on two cores.
std::span<const Experiment> experimentCatalogue();

/// Throws Error with the nearest name.
const Experiment& catalogueExperiment(std::string_view name);

} // namespace headscope
