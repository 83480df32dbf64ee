#pragma once

#include "ui/pages/lens/lens_content.h"

#include <QWidget>

#include <array>

namespace headscope::ui {

class LineChart;

/// One position through the layers: probability and rank of the target, entropy and KL, with one
/// cursor for all three.
class LensCharts : public QWidget
{
    Q_OBJECT

public:
    explicit LensCharts(QWidget* parent = nullptr);

    void showRow(const LensReadout& readout, int row);
    void fitTo(int pageHeight); ///< Charts grow with the page; on a low page the grid has priority.

private:
    void setCursors(std::size_t from, std::optional<double> x);

    std::array<LineChart*, 3> m_charts;
};

} // namespace headscope::ui
