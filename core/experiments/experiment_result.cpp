#include "core/experiments/experiment_result.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headscope {

namespace {

constexpr std::uint64_t kLargestFile = 16 << 20;

template<class Entries>
const auto& named(const Entries& entries, std::string_view name, const char* what)
{
    for (const auto& entry : entries) {
        if (entry.name == name)
            return entry;
    }
    throw Error(fmt::format("there is no {} \"{}\" in the result", what, name), "experiment");
}

nlohmann::json toJson(const VariantResult& variant)
{
    nlohmann::json json{{"name", variant.name},
                        {"label", variant.label},
                        {"sample", variant.sample},
                        {"notes", variant.notes},
                        {"problem", variant.problem}};
    json["numbers"] = nlohmann::json::object();
    for (const ExperimentNumber& number : variant.numbers)
        json["numbers"][number.name] = number.value;
    json["series"] = nlohmann::json::array();
    for (const ExperimentSeries& series : variant.series)
        json["series"].push_back({{"name", series.name}, {"x", series.x}, {"y", series.y}});
    return json;
}

VariantResult variantFrom(const nlohmann::json& json)
{
    VariantResult variant{json.at("name"),  json.at("label"),  {}, {}, json.at("sample"),
                          json.at("notes"), json.at("problem")};
    for (const auto& [name, value] : json.at("numbers").items())
        variant.numbers.push_back({name, value});
    for (const auto& series : json.at("series"))
        variant.series.push_back({series.at("name"), series.at("x"), series.at("y")});
    return variant;
}

ExperimentResult resultFrom(const nlohmann::json& json)
{
    ExperimentResult result{json.at("experiment"), {}, std::nullopt, json.at("conclusion")};
    for (const auto& variant : json.at("variants"))
        result.variants.push_back(variantFrom(variant));
    if (json.contains("law")) {
        const auto& law = json["law"];
        result.law =
            PowerLaw{law.at("floor"), law.at("factor"), law.at("exponent"), law.at("residual")};
    }
    return result;
}

std::filesystem::path fileIn(const std::filesystem::path& folder)
{
    return folder / "result.json";
}

} // namespace

double VariantResult::number(std::string_view wanted) const
{
    return named(numbers, wanted, "number").value;
}

const ExperimentSeries& VariantResult::curve(std::string_view wanted) const
{
    return named(series, wanted, "series");
}

const VariantResult& ExperimentResult::variant(std::string_view name) const
{
    return named(variants, name, "variant");
}

nlohmann::json toJson(const ExperimentResult& result)
{
    nlohmann::json json{{"experiment", result.experiment}, {"conclusion", result.conclusion}};
    json["variants"] = nlohmann::json::array();
    for (const VariantResult& variant : result.variants)
        json["variants"].push_back(toJson(variant));
    if (result.law)
        json["law"] = {{"floor", result.law->floor},
                       {"factor", result.law->factor},
                       {"exponent", result.law->exponent},
                       {"residual", result.law->residual}};
    return json;
}

std::optional<ExperimentResult> loadExperimentResult(const std::filesystem::path& folder)
{
    const std::filesystem::path path = fileIn(folder);
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        return std::nullopt;
    try {
        return resultFrom(parseJson(readFile(path, kLargestFile), path.string()));
    } catch (const nlohmann::json::exception&) {
        throw FormatError("this is not a result of an experiment", path.string(), std::nullopt,
                          "Run the experiment again in a new folder");
    }
}

void saveExperimentResult(const std::filesystem::path& folder, const ExperimentResult& result)
{
    writeAtomically(fileIn(folder), dumpJson(toJson(result)) + "\n");
}

} // namespace headscope
