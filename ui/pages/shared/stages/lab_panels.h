#pragma once

#include "ui/pages/shared/stages/lab_panel_box.h"

#include <QStringList>
#include <QWidget>

#include <vector>

namespace headscope::ui {

/// All panels of a lab, arranged to fit. Its minimum height is what they need, for a scroll area.
class LabPanels : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    void setPanels(const std::vector<LabPanel>& panels); ///< Keeps figures of the same kind.
    void highlight(const QStringList& titles);

    const std::vector<LabPanelBox*>& boxes() const { return m_boxes; }

    /// Fraction of its minimum size that the tightest panel has, or of all panels that is visible
    /// without scrolling: 1 or less.
    double fit() const;

    std::vector<int> frames() const; ///< Frame of each figure, see LabPlotWidget::frame().

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    std::vector<RoomNeed> requests() const;
    int neededHeight(int visible) const;
    void arrange();

    std::vector<LabPanelBox*> m_boxes;
    QStringList m_highlighted;
    bool m_isArranged = false; ///< Arranged for the current number of panels.
};

} // namespace headscope::ui
