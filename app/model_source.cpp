#include "app/model_source.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/checkpoint.h"
#include "core/train/run_directory.h"
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
        throw Error("no model of this name is built in", inQuotes(source),
                    nearestNameAdvice(source, builtinModels()));
    return loadCheckpoint(*checkpoint, *tokenizer, source);
}

LoadedModel openFolder(const fs::path& folder)
{
    std::error_code error;
    if (!fs::is_directory(folder / "checkpoints", error))
        throw Error("this folder is no training run of Headscope", folder.string(),
                    "Give a checkpoint that Headscope trained; this version opens no other models");
    const RunDirectory run = RunDirectory::open(folder);
    const auto step = run.newestStep();
    if (!step)
        throw Error("this training run has no checkpoint yet", folder.string(),
                    "Let it train on, or give a checkpoint");
    return loadCheckpoint(run.checkpointPath(*step));
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
    if (source.empty()) {
        const std::vector<std::string> known = builtinModels();
        if (known.empty())
            throw Error("this build carries no model", "--model", "Give a checkpoint with --model");
        return openBuiltin(known.front());
    }
    if (source.starts_with(kBuiltin))
        return openBuiltin(source);
    std::error_code error;
    const std::string builtin = nearestName(std::string(kBuiltin) + source, builtinModels());
    if (!fs::exists(source, error) && !builtin.empty())
        throw Error("there is no such file", source, "Did you mean \"" + builtin + "\"?");
    if (fs::is_directory(source, error))
        return openFolder(source);
    if (source.ends_with(".gguf"))
        throw Error("this version opens no GGUF files", source,
                    "Give a checkpoint that Headscope trained");
    return loadCheckpoint(source);
}

} // namespace headscope::app
