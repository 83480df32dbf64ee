#pragma once

#include "ui/session/changes/changes.h"

#include <nlohmann/json.hpp>

#include <string>

namespace headscope::ui {

/// All changes as one object; what is as trained is left out. Heads and sites have the names of the
/// command line and of trace files.
nlohmann::ordered_json toJson(const Changes& changes);

/// The inverse. Throws FormatError naming `where` and the key for anything else: values of another
/// kind, unknown keys, masks that are no square.
Changes changesFromJson(const nlohmann::json& value, const std::string& where);

} // namespace headscope::ui
