#pragma once

#include "ui/pages/runs/runs_content.h"

#include <QWidget>

#include <functional>

class QPushButton;

namespace headscope::ui {

class ChoiceBox;
class LineChart;
class RunShelf;
class SegmentBar;

/// One curve of each selected run in a chart, its axis options, and export of all their curves.
class RunCurvesPanel : public QWidget
{
    Q_OBJECT

public:
    /// Reads and writes the options of curve and axes.
    RunCurvesPanel(const RunShelf& shelf, RunsOptions& options, QWidget* parent = nullptr);

    void refresh();
    void takeOptions(); ///< Applies options set elsewhere.

signals:
    void messageWanted(const QString& sentence);

private:
    QPushButton* makeToggle(const QString& text, const QString& toolTip, bool& option);
    void connectParts();
    void refreshNames();
    void chooseExport();
    void exportTo(const QString& path);
    void write(const Figure& figure, const QString& path);
    void attempt(const std::function<void()>& action);

    const RunShelf& m_shelf;
    RunsOptions& m_options;
    ChoiceBox* m_curve;
    SegmentBar* m_axis;
    QPushButton* m_logX;
    QPushButton* m_logY;
    QPushButton* m_export;
    LineChart* m_chart;
};

} // namespace headscope::ui
