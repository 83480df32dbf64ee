#pragma once

#include "core/runs/live_settings.h"

#include <optional>
#include <string>

namespace headscope {

/// Something that happened to a run and is marked on its curves.
struct RunEvent
{
    enum class Kind { SettingsChanged, Jump, Diverged, Resumed, Forked, Pinned, Unpinned };

    Kind kind = Kind::Resumed;
    std::int64_t step = 0;  ///< updates done when it happened; a change acts from the next step on
    std::string text;       ///< one sentence or phrase with its measured numbers
    std::string curve = {}; ///< of a jump: "loss", "induction"
    int layer = -1;         ///< of a jump in a head's score
    int head = -1;
    std::optional<LiveSettings> settings = {}; ///< of SettingsChanged: all of them, after it

    friend bool operator==(const RunEvent&, const RunEvent&) = default;
};

std::string nameOf(RunEvent::Kind kind); ///< "settings", "jump", "diverged", ... as in the file

nlohmann::json toJson(const RunEvent& event);

/// Throws Error for an object that is no event.
RunEvent runEventFromJson(const nlohmann::json& object, const std::string& where);

} // namespace headscope
