#pragma once

#include "ui/session/looking.h"

#include <QJsonObject>

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
    Variant shown = Variant::A;
    MapName colourMap = MapName::Depth;
    TokenDisplay display;
    QString device = QStringLiteral("auto");
    QString page;      ///< name of the page in front; may be empty
    QJsonObject pages; ///< options of each page, by its name

    friend bool operator==(const SessionState&, const SessionState&) = default;
};

/// What the session holds of it; page and pages are the window's.
SessionState stateOf(const Session& session);

} // namespace headscope::ui
