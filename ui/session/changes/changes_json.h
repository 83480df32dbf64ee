#pragma once

#include "ui/session/changes/changes.h"

#include <nlohmann/json.hpp>

#include <string>

namespace headscope::ui {

/// All changes as one object; unchanged properties are omitted. Heads and sites are named as on the
/// command line and in trace files.
nlohmann::ordered_json toJson(const Changes& changes);

/// Inverse of toJson(). Throws FormatError naming `where` and the key for values of the wrong type,
/// unknown keys, and masks that are not square.
Changes changesFromJson(const nlohmann::json& value, const std::string& where);

} // namespace headscope::ui
