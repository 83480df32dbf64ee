#pragma once

#include "ui/session/session_state.h"

#include <filesystem>

namespace headscope::ui {

/// JSON in ASCII, "headscope-session" version 1.
QByteArray sessionJson(const SessionState& state);

/// Strict: throws FormatError with `path`, the key and what was expected. A model's file that is no
/// longer there is looked for beside `path`.
SessionState parseSession(const QByteArray& json, const std::filesystem::path& path);

/// Written atomically; throws Error. The ending is ".hscope".
void saveSession(const SessionState& state, const std::filesystem::path& path);

SessionState loadSession(const std::filesystem::path& path); ///< throws FormatError

} // namespace headscope::ui
