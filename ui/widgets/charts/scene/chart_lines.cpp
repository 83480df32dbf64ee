#include "ui/widgets/charts/scene/chart_lines.h"

#include <QChart>
#include <QLineSeries>

namespace headscope::ui {

ChartLines::ChartLines(QChart& chart, QAbstractAxis* x, QAbstractAxis* y)
    : m_chart(chart)
    , m_x(x)
    , m_y(y)
{
    at(0); // a chart maps positions through its first series
}

QLineSeries* ChartLines::at(std::size_t index)
{
    if (index == m_series.size()) {
        auto* series = new QLineSeries;
        m_chart.addSeries(series);
        series->attachAxis(m_x);
        series->attachAxis(m_y);
        m_series.push_back(series);
    }
    return m_series[index];
}

void ChartLines::show(const std::vector<ChartLine>& lines)
{
    for (std::size_t index = 0; index < lines.size(); ++index) {
        QLineSeries* series = at(index);
        if (series->pen() != lines[index].pen)
            series->setPen(lines[index].pen);
        if (series->points() != lines[index].points)
            series->replace(lines[index].points);
    }
    for (std::size_t index = lines.size(); index < m_series.size(); ++index) {
        if (m_series[index]->count() > 0)
            m_series[index]->clear();
    }
}

} // namespace headscope::ui
