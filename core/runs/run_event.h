#pragma once

#include "core/runs/live_settings.h"

#include <optional>
#include <string>

namespace headscope {

/// An event of a training run, marked on its curves.
struct RunEvent
{
    enum class Kind { SettingsChanged, Jump, Diverged, Resumed, Forked, Pinned, Unpinned };

    Kind kind = Kind::Resumed;
    /// Number of updates done when it happened; a change acts from the next step on.
    std::int64_t step = 0;
    std::string text;       ///< One sentence or phrase with its measured numbers.
    std::string curve = {}; ///< Curve of a jump, such as "loss" or "induction".
    int layer = -1;         ///< Layer of a jump in a head's score.
    int head = -1;
    std::optional<LiveSettings> settings = {}; ///< All settings after a SettingsChanged event.

    friend bool operator==(const RunEvent&, const RunEvent&) = default;
};

std::string nameOf(RunEvent::Kind kind); ///< Name in the file: "settings", "jump", "diverged", ...

nlohmann::json toJson(const RunEvent& event);

/// Throws Error for an object that is not an event.
RunEvent runEventFromJson(const nlohmann::json& object, const std::string& where);

} // namespace headscope
