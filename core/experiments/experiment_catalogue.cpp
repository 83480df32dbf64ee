#include "core/experiments/experiment_catalogue.h"

#include "core/base/content_catalogue.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/experiments/builtin_texts.h"
#include "core/experiments/experiment_file.h"

#include <vector>

namespace headscope {

namespace {

std::vector<Experiment> readExperiments()
{
    std::vector<Experiment> experiments;
    for (const auto& [name, text] : builtinExperiments())
        experiments.push_back(
            parseExperiment(name, contentText("experiments/" + std::string(name) + ".json", text)));
    sortCatalogue(experiments, &Experiment::order, "resources/experiments");
    return experiments;
}

} // namespace

std::span<const Experiment> experimentCatalogue()
{
    static ContentCatalogue<std::vector<Experiment>> experiments;
    return experiments.entries(readExperiments);
}

const Experiment& catalogueExperiment(std::string_view name)
{
    for (const Experiment& experiment : experimentCatalogue())
        if (experiment.name == name)
            return experiment;
    throw Error("there is no such experiment", inQuotes(name),
                nearestNameAdvice(name, experimentCatalogue(), &Experiment::name));
}

} // namespace headscope
