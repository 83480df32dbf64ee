#pragma once

#include "ui/pages/shared/figures/figure.h"
#include "ui/pages/shared/maps/shown_number.h"
#include "ui/pages/shared/session_panel.h"

namespace headscope::ui {

/// One page of the rail. It can also be exported as a Figure; its own options are JSON, so that a
/// session file and an exported figure can restore it.
class Page : public SessionPanel
{
    Q_OBJECT

public:
    using SessionPanel::SessionPanel;

    /// Name of the page, or of its mode: sessions and lessons bring it back by this name.
    virtual QString place() const { return objectName(); }

    virtual Figure figure() const { return {}; } ///< Figure in its current state

    /// Gives the keyboard focus to the drawing.
    virtual void focusMain() { m_main->setFocus(Qt::OtherFocusReason); }

    /// Persistent options of the page: sliders, modes, pinned tokens. Unknown keys are ignored.
    virtual QJsonObject options() const { return {}; }

    virtual void setOptions(const QJsonObject&) {}

    virtual QString hint() const { return {}; } ///< Keys and gestures, for the status bar.

    virtual void setReducedMotion(bool) {}

    virtual bool wantsInspector() const { return true; }

    /// Undoes the newest pin, zoom or drag in progress; false when there is none.
    virtual bool escape() { return false; }

    /// Derivation of the number at a screen position, or without one at the keyboard cursor.
    virtual MaybeNumber numberAt(std::optional<QPoint> place) const;

    /// Why numberAt() has none here, or what to select first: one sentence.
    virtual QString whyNoNumber() const;

    /// Requests the origin of that number: the target of Ctrl+click, Ctrl+Enter and the context
    /// menu of every page. False, with a message, when there is none.
    bool traceNumber(std::optional<QPoint> place = {});

signals:
    void pageWanted(const QString& name); ///< Emitted to open a page such as "head".
    void messageWanted(const QString& sentence);
    void hintChanged();
    /// Emitted to show a number's origin.
    void numberWanted(const headscope::ui::ShownNumber& number);

protected:
    void setMainWidget(QWidget& main) { m_main = &main; } ///< The drawing, for focusMain().

    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool offerOrigin(QPoint place, bool byKeyboard);

    QWidget* m_main = this;
};

} // namespace headscope::ui
