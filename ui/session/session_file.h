#pragma once

#include "ui/session/session_state.h"

#include <filesystem>

namespace headscope::ui {

/// Session as ASCII JSON, "headscope-session" version 1.
QByteArray sessionJson(const SessionState& state);

/// Strict parser: throws FormatError with `path`, the key and the expected value. A missing model
/// file is searched for next to `path`.
SessionState parseSession(const QByteArray& json, const std::filesystem::path& path);

/// Saves atomically; throws Error. The extension is ".hscope".
void saveSession(const SessionState& state, const std::filesystem::path& path);

/// Loads a session; throws FormatError.
SessionState loadSession(const std::filesystem::path& path);

} // namespace headscope::ui
