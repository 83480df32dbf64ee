#pragma once

#include "core/train/files/training_config.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headscope {

/// A training task to choose, with a model that learns it within minutes. Its texts are in
/// resources/tasks/NAME.json, its configuration in resources/training/NAME.json.
struct CatalogueTask
{
    std::string name;        ///< For example "reverse": also the NAME in "builtin:reverse".
    std::int64_t order = 0;  ///< Position in the catalogue, ascending.
    std::string title;       ///< For example "Reverse".
    std::string description; ///< One sentence.
    std::string lookFor;     ///< What to watch during training, one or two sentences.
    std::string probe;       ///< A text to watch; the source for encoder-decoders.
    std::string probeTarget; ///< Decoder text so far; empty for other architectures.
    std::string accuracy;    ///< The TaskEvaluation::Number that measures progress.
    std::string headScore;   ///< The TaskEvaluation::BestHead to watch; may be empty.
    std::string curve;       ///< The score of HeadCurves to watch during training.
    std::string controlOf;   ///< The task that this one is the negative control of, or empty.
    bool needsText = false;  ///< True if the user must choose config.data.text.
    TrainingConfig config;
};

/// Tasks in display order, in the language of this process (content_language.h).
std::span<const CatalogueTask> taskCatalogue();

/// The task that a configuration trains, by its data and objective, or null.
const CatalogueTask* taskOf(const TrainingConfig& config);

} // namespace headscope
