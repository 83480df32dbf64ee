#pragma once

#include "core/analysis/derivation.h"
#include "ui/views/figure.h"
#include "ui/views/session_panel.h"

namespace headscope::ui {

/// One page of the rail. Its picture is also a Figure; its own settings are JSON, so that a session
/// file and an exported figure can bring it back.
class Page : public SessionPanel
{
    Q_OBJECT

public:
    using SessionPanel::SessionPanel;

    virtual Figure figure() const { return {}; } ///< as it stands now

    /// Gives the keyboard to what is drawn.
    virtual void focusMain() { setFocus(Qt::OtherFocusReason); }

    /// What the page remembers of itself: sliders, modes, pinned tokens. Unknown keys are ignored.
    virtual QJsonObject options() const { return {}; }

    virtual void setOptions(const QJsonObject&) {}

    virtual QString hint() const { return {}; } ///< keys and gestures, for the status line

    virtual bool wantsInspector() const { return true; }

    /// Undoes the newest pin, zoom or drag in progress; false when there is none.
    virtual bool escape() { return false; }

signals:
    void pageWanted(const QString& name); ///< "head": go there
    void messageWanted(const QString& sentence);
    void numberWanted(const headscope::NumberRef& number); ///< "where does this come from?"
};

} // namespace headscope::ui
