#include "app/weight_edits.h"

#include "app/console.h"
#include "app/model_source.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/io/adapters/lora_files.h"
#include "core/model/edits/adapter_edit.h"
#include "core/model/edits/weight_matrix.h"

#include <fmt/format.h>
#include <functional>
#include <set>

namespace headscope::app {

namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{256} << 20;

std::vector<WeightEdit> editsOfFile(const std::string& path)
{
    const nlohmann::json list = parseJson(readFile(path, kLargestFile), path);
    if (!list.is_array())
        throw FormatError("not a list of weight edits", path, std::nullopt,
                          "Write [\"W_E[3]*=0\", ...]");
    std::vector<WeightEdit> edits;
    for (std::size_t i = 0; i < list.size(); ++i)
        edits.push_back(weightEditFromJson(list[i], fmt::format("{}, edit {}", path, i)));
    return edits;
}

/// Notes each edited matrix that a file stores in blocks or half precision.
void noteExpansions(const Model& model, const std::vector<WeightEdit>& edits)
{
    std::set<std::string> noted;
    for (const WeightMatrix& matrix : weightMatrices(model.config())) {
        const std::string format = storageFormat(model, matrix);
        for (const WeightEdit& edit : edits) {
            const bool isSwapped = edit.kind == WeightEdit::Kind::Swap && matrix.heads > 0 &&
                                   matrix.name.starts_with(edit.matrix + ".");
            if (!format.empty() && (edit.matrix == matrix.name || isSwapped) &&
                noted.insert(matrix.name).second)
                note(fmt::format("{} is stored as {}: its edited copy has 32-bit floats",
                                 matrix.name, format));
        }
    }
}

using TextsReader = std::function<void(const std::vector<std::string>&)>;

/// An option with one value that may be given several times; `read` gets all values at once.
CLI::Option* addRepeatedOption(CLI::App& command, const char* name, const TextsReader& read,
                               const char* description)
{
    return command.add_option_function<std::vector<std::string>>(name, read, description)
        ->allow_extra_args(false)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

} // namespace

CLI::Option* addEditOption(CLI::App& command, std::vector<std::string>& edits)
{
    return addRepeatedOption(
        command, "--edit",
        // At the front: adapters follow the edits in whatever order CLI11 reads the two options.
        [&edits](const std::vector<std::string>& texts) {
            edits.insert(edits.begin(), texts.begin(), texts.end());
        },
        "Edits weights first: blocks.0.attn.W_Q[3,5]=0.1 (row 3, column 5 of x W), "
        "W_E[17]*=0 (a row), blocks.1.attn.W_O[H3]*=0 (a head), "
        "blocks.1.attn[H0,H3]=swap, W_E=@MODEL, or a .json file with a list of them; "
        "may be repeated");
}

CLI::Option* addLoraOption(CLI::App& command, std::vector<std::string>& edits)
{
    return addRepeatedOption(
        command, "--lora",
        [&edits](const std::vector<std::string>& paths) {
            for (const std::string& path : paths)
                edits.push_back(toString(adapterEdit(path)));
        },
        "Applies a LoRA adapter after the edits: a folder that PEFT saved, or a GGUF adapter; "
        "may be repeated");
}

std::vector<WeightEdit> parseEdits(const std::vector<std::string>& edits)
{
    std::vector<WeightEdit> all;
    for (const std::string& text : edits) {
        if (text.ends_with(".json") && text.find('=') == std::string::npos) {
            const std::vector<WeightEdit> more = editsOfFile(text);
            all.insert(all.end(), more.begin(), more.end());
        } else {
            all.push_back(parseWeightEdit(text));
        }
    }
    return all;
}

LoadedModel withEdits(LoadedModel model, const std::vector<std::string>& edits)
{
    const std::vector<WeightEdit> all = parseEdits(edits);
    noteExpansions(*model.model, all);
    model.model = editedWithAdapters(model, all,
                                     [](const std::string& name) { return openModel(name).model; });
    return model;
}

} // namespace headscope::app
