#pragma once

#include "ui/session/chat/chat.h"
#include "ui/session/view_snapshot.h"

#include <QJsonObject>

namespace headscope::ui {

class Session;

/// Everything needed to restore the window, as stored in session files and exported figures.
struct SessionState
{
    QString model; ///< Model, "builtin:stories" or a path.
    /// Folder or list of the series that the model is a checkpoint of; empty for other models.
    QString series;
    QString text;
    QString target; ///< Target of an encoder-decoder.
    Chat chat;
    Changes changes;
    Selection selection;
    Variant shown = Variant::A;
    MapName colourMap = MapName::Depth;
    TokenDisplay display;
    QString device = QStringLiteral("auto");
    QString precision = QStringLiteral("f32"); ///< nameOf(WeightPrecision).
    QString page;                              ///< Name of the page in front; may be empty.
    QJsonObject pages;                         ///< Options of each page, by its name.

    friend bool operator==(const SessionState&, const SessionState&) = default;
};

/// State of the session, without page and pages, which belong to the window.
SessionState stateOf(const Session& session);

} // namespace headscope::ui
