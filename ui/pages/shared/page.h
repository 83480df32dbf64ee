#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/shared/maps/shown_number.h"
#include "ui/pages/shared/session_panel.h"

namespace headscope::ui {

/// One page of the rail. Its picture is also a Figure; its own settings are JSON, so that a session
/// file and an exported figure can bring it back.
class Page : public SessionPanel
{
    Q_OBJECT

public:
    using SessionPanel::SessionPanel;

    /// Name of the page, or of its mode: sessions and lessons bring it back by this name.
    virtual QString place() const { return objectName(); }

    virtual Figure figure() const { return {}; } ///< in its current state

    /// Gives the keyboard to what is drawn.
    virtual void focusMain() { setFocus(Qt::OtherFocusReason); }

    /// What the page remembers of itself: sliders, modes, pinned tokens. Unknown keys are ignored.
    virtual QJsonObject options() const { return {}; }

    virtual void setOptions(const QJsonObject&) {}

    virtual QString hint() const { return {}; } ///< keys and gestures, for the status line

    virtual void setReducedMotion(bool) {}

    virtual bool wantsInspector() const { return true; }

    /// Undoes the newest pin, zoom or drag in progress; false when there is none.
    virtual bool escape() { return false; }

    /// The number at a place of the screen, or without a place the one that the keyboard is at.
    virtual MaybeNumber numberAt(std::optional<QPoint> place) const;

    /// Why numberAt() has none here, or what to choose first: one sentence.
    virtual QString noNumberWords() const;

    /// Asks where that number comes from: Ctrl+click, Ctrl+Enter and the context menu of every page
    /// end here. False, with a message, when there is none.
    bool traceNumber(std::optional<QPoint> place = {});

signals:
    void pageWanted(const QString& name); ///< "head": go there
    void messageWanted(const QString& sentence);
    void hintChanged();
    void numberWanted(const headscope::ui::ShownNumber& number); ///< "where does it come from?"

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool offerOrigin(QPoint place, bool byKeyboard);
};

} // namespace headscope::ui
