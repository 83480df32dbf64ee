#pragma once

#include "ui/pages/shared/stages/lab_content.h"

#include <QWidget>

#include <memory>

namespace headscope::ui {

/// Widget for one kind of figure.
class LabPlotWidget : public QWidget
{
    Q_OBJECT

public:
    static std::unique_ptr<LabPlotWidget> make(const LabPlot& plot, const QString& name);

    /// Returns false for a figure of another kind: a new widget is needed.
    virtual bool setDiagram(const LabPlot& plot) = 0;

    virtual int frame() const { return -1; } ///< Number of finished tiles, for tiles.

    virtual void setFrame(int) {}

protected:
    LabPlotWidget() = default;

    void hold(QWidget* inner); ///< Fills this widget with the inner one.
};

} // namespace headscope::ui
