#include "core/runs/run_card.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"

#include <fmt/format.h>

#include <array>
#include <ctime>

namespace headscope {

namespace {

constexpr const char* kFormat = "headscope-run";
constexpr int kVersion = 1;
constexpr std::uint64_t kLimit = 1 << 16;

std::string textOf(const nlohmann::json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<RunOrigin> originOf(const nlohmann::json& object)
{
    const auto found = object.find("origin");
    if (found == object.end() || !found->is_object())
        return std::nullopt;
    RunOrigin origin;
    origin.run = textOf(*found, "run");
    origin.step = found->contains("step") && (*found)["step"].is_number_integer()
                      ? (*found)["step"].get<std::int64_t>()
                      : 0;
    origin.isExact = found->contains("exact") && (*found)["exact"] == true;
    return origin;
}

} // namespace

std::string timeNow()
{
    const std::time_t now = std::time(nullptr);
    std::tm utc = {};
    ::gmtime_r(&now, &utc);
    std::array<char, 32> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
    return {text.data(), length};
}

RunCard readRunCard(const std::filesystem::path& run)
{
    const std::filesystem::path path = run / "run.json";
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        return {};
    const nlohmann::json object = parseJson(readFile(path, kLimit), path.string());
    if (!object.is_object() || textOf(object, "format") != kFormat)
        throw FormatError("this is not the card of a training run", path.string(), std::nullopt,
                          "Delete the file; the training run itself may still be intact");
    if (!object.contains("version") || object["version"] != kVersion)
        throw FormatError(
            fmt::format("a training run of version {}, expected {}",
                        object.contains("version") ? dumpJson(object["version"]) : "none",
                        kVersion),
            path.string(), std::nullopt, "Open it with the version of Headscope that wrote it");
    return {textOf(object, "device"), textOf(object, "started"), originOf(object)};
}

std::string toJsonText(const RunCard& card)
{
    nlohmann::ordered_json object;
    object["format"] = kFormat;
    object["version"] = kVersion;
    object["device"] = card.device;
    object["started"] = card.started;
    if (card.origin)
        object["origin"] = {{"run", card.origin->run},
                            {"step", card.origin->step},
                            {"exact", card.origin->isExact}};
    return object.dump(2) + "\n";
}

} // namespace headscope
