#include "core/io/hugging_face/model_list.h"

#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/io/hugging_face/coverage.h"
#include "core/io/hugging_face/hugging_face_family.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace headscope {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uint64_t kMaxListBytes = std::uint64_t{64} << 20;

/// Ends of class names, the longer first, and the stacks that such a class has; none: any.
const std::vector<std::pair<std::string_view, std::optional<Architecture>>> kClassEnds{
    {"ForConditionalGeneration", Architecture::EncoderDecoder},
    {"ForPreTraining", Architecture::Encoder},
    {"ForMaskedLM", Architecture::Encoder},
    {"ForCausalLM", Architecture::Decoder},
    {"LMHeadModel", Architecture::Decoder},
    {"MTModel", Architecture::EncoderDecoder},
    {"Model", std::nullopt}};

/// "GPTNeoX" and "gpt_neox" alike, "Gemma3" and "gemma3_text" too.
std::string plainName(std::string_view name)
{
    constexpr std::string_view kText = "_text";
    if (name.ends_with(kText))
        name.remove_suffix(kText.size());
    std::string plain;
    for (const char letter : name)
        if (std::isalnum(static_cast<unsigned char>(letter)))
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return plain;
}

const Json* listOf(const Json& file)
{
    if (file.is_array())
        return &file;
    for (const char* key : {"records", "models"})
        if (file.is_object() && file.contains(key) && file[key].is_array())
            return &file[key];
    return nullptr;
}

std::string textOf(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::string architectureOf(const Json& model)
{
    if (!model.is_object())
        return {};
    if (model.contains("architecture_id"))
        return textOf(model["architecture_id"]);
    if (model.contains("architectures") && model["architectures"].is_array() &&
        !model["architectures"].empty())
        return textOf(model["architectures"][0]);
    return {};
}

} // namespace

const HuggingFaceFamily* familyOfClass(std::string_view className)
{
    const auto end = std::ranges::find_if(
        kClassEnds, [&](const auto& known) { return className.ends_with(known.first); });
    if (end == kClassEnds.end())
        return nullptr;
    className.remove_suffix(end->first.size());
    const std::string name = plainName(className);
    for (const HuggingFaceFamily* family : huggingFaceFamilies())
        if (plainName(family->modelType) == name)
            return !end->second || typicalConfig(*family).architecture == *end->second ? family
                                                                                       : nullptr;
    return nullptr;
}

std::optional<ModelListCoverage> modelListCoverage(const fs::path& path)
{
    const Json file = parseJson(readFile(path, kMaxListBytes), path.string());
    const Json* const list = listOf(file);
    if (list == nullptr)
        return std::nullopt;
    std::set<std::string> seen;
    std::map<std::string, std::int64_t> counts;
    for (const Json& model : *list) {
        const std::string architecture = architectureOf(model);
        if (architecture.empty())
            continue;
        const std::string id = model.contains("model_id") ? textOf(model["model_id"]) : "";
        if (id.empty() || seen.insert(id).second)
            ++counts[architecture];
    }
    ModelListCoverage result;
    for (const auto& [name, models] : counts) {
        const bool opens = familyOfClass(name) != nullptr;
        result.architectures.push_back({name, models, opens});
        result.models += models;
        result.opening += opens ? models : 0;
    }
    std::ranges::stable_sort(result.architectures, std::ranges::greater{},
                             &ListedArchitecture::models);
    return result;
}

} // namespace headscope
