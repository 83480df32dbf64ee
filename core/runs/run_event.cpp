#include "core/runs/run_event.h"

#include "core/base/error.h"
#include "core/train/files/json_fields.h"

#include <array>
#include <nlohmann/json.hpp>

namespace headscope {

namespace {

const std::vector<std::string> kNames = {"settings", "jump",   "diverged", "resumed",
                                         "forked",   "pinned", "unpinned"};

} // namespace

std::string nameOf(RunEvent::Kind kind)
{
    return kNames[static_cast<std::size_t>(kind)];
}

nlohmann::json toJson(const RunEvent& event)
{
    nlohmann::json object = {
        {"event", nameOf(event.kind)}, {"step", event.step}, {"text", event.text}};
    if (!event.curve.empty())
        object["curve"] = event.curve;
    if (event.layer >= 0)
        object["layer"] = event.layer;
    if (event.head >= 0)
        object["head"] = event.head;
    if (event.settings)
        object["settings"] = toJson(*event.settings);
    return object;
}

RunEvent runEventFromJson(const nlohmann::json& object, const std::string& where)
{
    const JsonFields fields(object, "an event",
                            {"event", "step", "text", "curve", "layer", "head", "settings"}, where);
    if (!fields.has("event") || !fields.has("step"))
        throw Error("an event lacks its kind or its step", where);
    RunEvent event;
    event.kind = static_cast<RunEvent::Kind>(fields.choice("event", kNames, 0));
    fields.read("step", event.step, 0, INT64_MAX);
    if (fields.has("text") && fields.at("text").is_string())
        event.text = fields.at("text").get<std::string>();
    fields.read("curve", event.curve);
    std::int64_t layer = -1;
    std::int64_t head = -1;
    fields.read("layer", layer, 0, 1 << 20);
    fields.read("head", head, 0, 1 << 20);
    event.layer = static_cast<int>(layer);
    event.head = static_cast<int>(head);
    if (fields.has("settings"))
        event.settings = liveSettingsFromJson(fields.at("settings"), {}, where);
    return event;
}

} // namespace headscope
