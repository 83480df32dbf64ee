#pragma once

#include "ui/pages/shared/stages/lab_panel_box.h"

#include <QStringList>
#include <QWidget>

#include <vector>

namespace headscope::ui {

/// All panels of a lab, arranged so that they fit.
class LabPanels : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    void setPanels(const std::vector<LabPanel>& panels); ///< pictures of the same kind stay
    void highlight(const QStringList& titles);

    const std::vector<LabPanelBox*>& boxes() const { return m_boxes; }

    /// How much of the least room that its picture asks for the tightest panel has: 1 or less.
    double fit() const;

    std::vector<int> frames() const; ///< of each picture, see LabPictureWidget::frame()

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void arrange();

    std::vector<LabPanelBox*> m_boxes;
    QStringList m_highlighted;
    bool m_isArranged = false; ///< for as many panels as there are
};

} // namespace headscope::ui
