#include "app/model_source.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/adapters/peft_adapter.h"
#include "core/io/adapters/stored_adapter.h"
#include "core/io/checkpoint.h"
#include "core/io/installed_models.h"
#include "core/runs/series/checkpoint_series.h"
#include "core/runs/series/checkpoint_step.h"
#include "core/train/files/run_directory.h"
#include "resources/resource.h"

#include <algorithm>
#include <filesystem>

namespace headscope::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBuiltin = "builtin:";
constexpr const char* kDefault = "builtin:stories";

LoadedModel openBuiltin(const std::string& source)
{
    const std::string name = source.substr(kBuiltin.size());
    const auto checkpoint = resource("models/" + name + "/model.safetensors");
    const auto tokenizer = resourceText("models/" + name + "/tokenizer.json");
    if (!checkpoint || !tokenizer)
        throw Error("there is no such built-in model", inQuotes(source),
                    nearestNameAdvice(source, builtinModels()));
    return loadCheckpoint(*checkpoint, *tokenizer, source);
}

LoadedModel openFolder(const fs::path& folder)
{
    std::error_code error;
    if (isPeftFolder(folder))
        throw Error("this is a LoRA adapter, not a model", folder.string(), kAdapterAdvice);
    if (!fs::is_directory(folder / "checkpoints", error))
        throw Error("this folder is neither a model nor a training run", folder.string(),
                    "Give a folder with config.json and model.safetensors, a GGUF file, or a "
                    "checkpoint");
    const RunDirectory run = RunDirectory::open(folder);
    const auto step = run.newestStep();
    if (!step)
        throw Error("this training run has no checkpoint yet", folder.string(),
                    "Wait until the run has saved one, or give a checkpoint");
    return loadCheckpoint(run.checkpointPath(*step));
}

/// The newest checkpoint of a series, with the tokenizer that the series has.
OpenedModel openNewest(const fs::path& path, Progress& progress)
{
    Progress headers(progress.stop());
    const CheckpointSeries series = CheckpointSeries::open(path, headers);
    return openModelAt(series.checkpoints().back().path, progress, series.loadTokenizer());
}

/// A model in files; one of a series without a tokenizer takes that of another checkpoint.
OpenedModel openFiles(const fs::path& path, Progress& progress)
{
    const bool isOfSeries = stepInName(path.filename().string()).has_value();
    const bool isWithout = isOfSeries && !readModelFacts(path).hasTokenizer;
    return openModelAt(path, progress, isWithout ? tokenizerOfNeighbours(path) : nullptr);
}

OpenedModel audited(LoadedModel model)
{
    OpenedModel opened;
    const bool hasTokenizer = model.tokenizer->kind() != "ids"; // see loadCheckpoint
    opened.audit = auditParameters(*model.model, hasTokenizer ? model.tokenizer.get() : nullptr);
    opened.audit.path = model.name;
    opened.model = std::move(model);
    return opened;
}

/// Opens a name that is not a file: that of a model that is available as a package, or a
/// misspelling.
OpenedModel openNamed(const std::string& name, Progress& progress)
{
    for (const ModelRecipe& recipe : modelRecipes()) {
        if (recipe.name != name)
            continue;
        const auto path = findRecipe(recipe, usualModelFolders());
        if (!path)
            throw Error("this model is not installed", name, recipe.command);
        return path->extension() == ".gguf" ? openGgufModel(*path, progress)
                                            : openHuggingFaceModel(*path, progress);
    }
    const std::string builtin = nearestName(std::string(kBuiltin) + name, builtinModels());
    if (!builtin.empty())
        throw Error("no such file", name, "Did you mean \"" + builtin + "\"?");
    return name.ends_with(".gguf") ? openGgufModel(name, progress) : audited(loadCheckpoint(name));
}

} // namespace

std::vector<std::string> builtinModels()
{
    std::vector<std::string> names;
    for (const std::string& name : builtinModelNames())
        names.push_back(std::string(kBuiltin) + name);
    const auto preferred = std::find(names.begin(), names.end(), kDefault);
    if (preferred != names.end())
        std::rotate(names.begin(), preferred, preferred + 1);
    return names;
}

LoadedModel openModel(const std::string& source)
{
    Progress progress;
    return openAudited(source, progress).model;
}

OpenedModel openAudited(const std::string& source, Progress& progress)
{
    if (source.empty()) {
        const std::vector<std::string> known = builtinModels();
        if (known.empty())
            throw Error("this build contains no model", "--model",
                        "Give a checkpoint with --model");
        return audited(openBuiltin(known.front()));
    }
    if (source.starts_with(kBuiltin))
        return audited(openBuiltin(source));
    std::error_code error;
    if (!fs::exists(source, error))
        return openNamed(source, progress);
    if (modelPath(source))
        return openFiles(source, progress);
    if (isSeries(source))
        return openNewest(source, progress);
    if (fs::is_directory(source, error))
        return audited(openFolder(source));
    return audited(loadCheckpoint(source));
}

} // namespace headscope::app
