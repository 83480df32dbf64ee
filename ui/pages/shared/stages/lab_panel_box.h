#pragma once

#include "ui/pages/shared/stages/lab_arrangement.h"
#include "ui/pages/shared/stages/lab_plot_widget.h"

#include <QWidget>

namespace headscope::ui {

class TextLabel;

/// A figure with its title and caption.
class LabPanelBox : public QWidget
{
    Q_OBJECT

public:
    explicit LabPanelBox(QWidget* parent = nullptr);

    void setPanel(const LabPanel& panel);
    void setHighlighted(bool highlighted);

    const LabPanel& panel() const { return m_panel; }

    LabPlotWidget* plot() const { return m_plot; }

    RoomNeed request() const; ///< Includes title and caption.

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showText();

    LabPanel m_panel;
    bool m_highlighted = false;
    TextLabel* m_title;
    TextLabel* m_caption;
    LabPlotWidget* m_plot = nullptr;
};

} // namespace headscope::ui
