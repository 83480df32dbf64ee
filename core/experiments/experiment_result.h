#pragma once

#include "core/experiments/power_law.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

struct ExperimentNumber
{
    std::string name; ///< "validation_loss"
    double value = 0.0;
};

/// A curve besides those of the run's log: gradient norm by layer, perplexity by length.
struct ExperimentSeries
{
    std::string name;
    std::vector<double> x;
    std::vector<double> y;
};

/// What was measured on one variant.
struct VariantResult
{
    std::string name;  ///< ExperimentVariant::name
    std::string label; ///< ExperimentVariant::label
    std::vector<ExperimentNumber> numbers;
    std::vector<ExperimentSeries> series;
    std::string sample; ///< text that the model wrote, where that is measured; else empty
    std::vector<std::string> notes; ///< what else was found, a sentence each
    std::string problem; ///< why its training ended early: a loss that is not finite; else empty

    double number(std::string_view name) const;                 ///< throws Error when not measured
    const ExperimentSeries& curve(std::string_view name) const; ///< throws Error likewise
};

struct ExperimentResult
{
    std::string experiment;              ///< Experiment::name
    std::vector<VariantResult> variants; ///< in the order of the experiment
    std::optional<PowerLaw> law;         ///< over sizes: of "parameters" and "validation_loss"
    std::string conclusion;              ///< conclusionOf

    const VariantResult& variant(std::string_view name) const; ///< throws Error
};

nlohmann::json toJson(const ExperimentResult& result);

/// FOLDER/result.json, written when an experiment is complete. Throws FormatError for a damaged
/// one; nothing when there is none yet.
std::optional<ExperimentResult> loadExperimentResult(const std::filesystem::path& folder);
void saveExperimentResult(const std::filesystem::path& folder, const ExperimentResult& result);

} // namespace headscope
