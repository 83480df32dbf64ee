#pragma once

#include "ui/session/looking.h"

#include <QJsonObject>

#include <filesystem>

namespace headscope::ui {

class Session;

/// Everything needed to show the window again: what a session file and an exported figure keep.
struct SessionState
{
    QString model; ///< "builtin:stories" or a path
    QString text;
    QString target; ///< of an encoder-decoder
    Changes changes;
    Selection selection;
    Run shown = Run::A;
    MapName colourMap = MapName::Depth;
    TokenDisplay display;
    QString device = QStringLiteral("auto");
    QString page;      ///< name of the page in front; may be empty
    QJsonObject pages; ///< options of each page, by its name

    friend bool operator==(const SessionState&, const SessionState&) = default;
};

/// JSON in ASCII, "headscope-session" version 1.
QByteArray sessionJson(const SessionState& state);

/// Strict: throws FormatError with `path`, the key and what was expected. A model's file that is no
/// longer there is looked for beside `path`.
SessionState parseSession(const QByteArray& json, const std::filesystem::path& path);

/// Written atomically; throws Error. The ending is ".hscope".
void saveSession(const SessionState& state, const std::filesystem::path& path);

SessionState loadSession(const std::filesystem::path& path); ///< throws FormatError

/// What the session holds of it; page and pages are the window's.
SessionState stateOf(const Session& session);

} // namespace headscope::ui
