#pragma once

#include "ui/pages/shared/changes/change_effect.h"
#include "ui/pages/shared/session_panel.h"

class QPushButton;

namespace headscope::ui {

class ChipRow;
class TextLabel;
class VariantBar;

/// Bar above every page while B differs from A: the changes, the shown variant, and the effect on
/// prediction, loss and heads. Without changes hidden, or empty where a page keeps it.
class ChangesBar : public SessionPanel
{
    Q_OBJECT

public:
    explicit ChangesBar(Session& session, QWidget* parent = nullptr);

    void setKept(bool kept); ///< Shows the bar even without changes, at the same height.

    const ChangeEffect& effect() const { return m_meter.effect(); }

    bool isSettled() const override { return !m_meter.isMeasuring(); }

signals:
    void left(); ///< Emitted when the part with the keyboard focus is about to disappear.
    void pageWanted(const QString& name);

protected:
    void refresh(ChangeSet changes) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QLayout* makeChips();
    QLayout* makeEffect();
    void refreshChips();
    void showEffect();
    void follow(); ///< Visible while there are changes, or where a page keeps the bar.

    EffectMeter m_meter;
    bool m_kept = false;
    ChipRow* m_chips;
    VariantBar* m_variant;
    QPushButton* m_clear;
    TextLabel* m_next;
    TextLabel* m_loss;
    TextLabel* m_movedTitle;
    QPushButton* m_moved;
};

} // namespace headscope::ui
