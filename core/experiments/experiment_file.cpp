#include "core/experiments/experiment_file.h"

#include "core/base/content_language.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/experiments/builtin_texts.h"
#include "core/train/files/json_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace headscope {

namespace {

using nlohmann::json;

/// Keys in the order of Measure.
const std::vector<std::string> kMeasures{"start_gradients",
                                         "entropy",
                                         "prefix_loss",
                                         "written_text",
                                         "calibration",
                                         "lengths",
                                         "overflow",
                                         "words_to_positions",
                                         "size",
                                         "stream",
                                         "batches",
                                         "heads",
                                         "cache"};

std::vector<Measure> readMeasures(const JsonRecord& experiment)
{
    std::vector<Measure> measures;
    for (const std::string& name : experiment.texts("measures")) {
        const auto found = std::ranges::find(kMeasures, name);
        if (found == kMeasures.end())
            experiment.refuse("measures", fmt::format("some of {}", fmt::join(kMeasures, ", ")));
        measures.push_back(static_cast<Measure>(found - kMeasures.begin()));
    }
    return measures;
}

std::vector<ExperimentPlot> readPlots(const JsonRecord& experiment)
{
    std::vector<ExperimentPlot> plots;
    for (const json& value : experiment.list("plots")) {
        const JsonRecord plot(value, fmt::format("plot {}", plots.size() + 1),
                              {"series", "title", "x", "y", "log_x", "log_y"}, experiment.where());
        plots.push_back({plot.needed("series"), plot.needed("title"), plot.needed("x"),
                         plot.needed("y"), plot.isOn("log_x"), plot.isOn("log_y")});
    }
    return plots;
}

/// Merges the object "changes" into `config`, if there is one.
void mergeChanges(const JsonRecord& record, json& config)
{
    const json* changes = record.find("changes");
    if (!changes)
        return;
    if (!changes->is_object())
        record.refuse("changes", "an object of settings");
    config.merge_patch(*changes);
}

TrainingConfig readConfig(const json& config, const std::string& variant, const std::string& where)
{
    try {
        return trainingConfigFromJson(config, where);
    } catch (const Error& error) {
        throw FormatError(fmt::format("variant {}: {}", inQuotes(variant), error.problem()), where,
                          std::nullopt, error.advice());
    }
}

/// Empty: the seed of the base.
std::vector<std::int64_t> readSeeds(const JsonRecord& experiment)
{
    std::vector<std::int64_t> seeds;
    for (const json& value : experiment.list("seeds")) {
        if (!value.is_number_unsigned())
            experiment.refuse("seeds", "a list of whole numbers");
        seeds.push_back(value.get<std::int64_t>());
    }
    return seeds;
}

/// The variant once for each seed.
void addSeeds(const ExperimentVariant& variant, const std::vector<std::int64_t>& seeds,
              std::vector<ExperimentVariant>& variants)
{
    for (const std::int64_t seed : seeds) {
        ExperimentVariant seeded = variant;
        seeded.name = fmt::format("{}-{}", variant.name, seed);
        seeded.label = message(fmt::format("{}, seed {}", variant.label, seed));
        seeded.config.seed = static_cast<std::uint64_t>(seed);
        variants.push_back(std::move(seeded));
    }
    if (seeds.empty())
        variants.push_back(variant);
}

std::vector<ExperimentVariant> readVariants(const JsonRecord& experiment, const json& base)
{
    const std::vector<std::int64_t> seeds = readSeeds(experiment);
    std::vector<ExperimentVariant> variants;
    for (const json& value : experiment.neededList("variants")) {
        const JsonRecord variant(value, fmt::format("variant {}", variants.size() + 1),
                                 {"name", "label", "changes"}, experiment.where());
        const std::string name = variant.needed("name");
        if (std::ranges::find(variants, name, &ExperimentVariant::group) != variants.end())
            variant.refuse("name", "every variant a different name");
        json config = base;
        mergeChanges(variant, config);
        const std::string label = variant.needed("label");
        addSeeds({name, label, readConfig(config, name, experiment.where()), name, label}, seeds,
                 variants);
    }
    return variants;
}

/// Settings shared by all variants.
json readBase(const JsonRecord& experiment)
{
    const std::string name = experiment.needed("base");
    const auto bases = builtinBases();
    if (std::ranges::find(bases, name, &BuiltinText::name) == bases.end())
        experiment.refuse("base", "the name of a file of resources/experiments/bases");
    json base = parseJson(builtinText(bases, name),
                          fmt::format("resources/experiments/bases/{}.json", name));
    mergeChanges(experiment, base);
    return base;
}

} // namespace

Experiment parseExperiment(std::string_view name, std::string_view text)
{
    const std::string where = fmt::format("resources/experiments/{}.json", name);
    const json root = parseJson(text, where);
    const JsonRecord record(root, "the experiment",
                            {"name", "order", "title", "description", "row", "difference",
                             "measured", "measures", "plots", "base", "changes", "seeds",
                             "variants"},
                            where);
    Experiment experiment;
    experiment.name = record.nameAs(name);
    experiment.order = record.neededInteger("order");
    experiment.title = record.needed("title");
    experiment.description = record.needed("description");
    experiment.row = record.needed("row");
    experiment.difference = record.needed("difference");
    experiment.measured = record.needed("measured");
    experiment.variants = readVariants(record, readBase(record));
    experiment.measures = readMeasures(record);
    experiment.plots = readPlots(record);
    return experiment;
}

} // namespace headscope
