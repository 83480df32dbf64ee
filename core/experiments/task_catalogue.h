#pragma once

#include "core/train/files/training_config.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headscope {

/// Something a person can choose to train, with a model in which it does appear within minutes. Its
/// words are in resources/tasks/NAME.json, its configuration in resources/training/NAME.json.
struct CatalogueTask
{
    std::string name;        ///< "reverse": also what "builtin:reverse" means
    std::int64_t order = 0;  ///< rises in the catalogue
    std::string title;       ///< "Reverse"
    std::string description; ///< one sentence
    std::string lookFor;     ///< what to watch while it trains, one or two sentences
    std::string probe;       ///< a text to watch; the source for encoder-decoders
    std::string probeTarget; ///< what the decoder has written so far; empty for other architectures
    std::string accuracy;    ///< the TaskEvaluation::Number that tells how far it is
    std::string headScore;   ///< the TaskEvaluation::BestHead worth watching; may be empty
    std::string curve;       ///< the score of HeadCurves worth watching while it trains
    std::string controlOf;   ///< the task that this one is the negative control of, or empty
    bool needsText = false;  ///< config.data.text is for the person to choose
    TrainingConfig config;
};

/// In the order in which to offer them.
std::span<const CatalogueTask> taskCatalogue();

/// The task that a configuration trains, by its data and objective, or null.
const CatalogueTask* taskOf(const TrainingConfig& config);

} // namespace headscope
