#include "ui/pages/lens/lens_charts.h"

#include "ui/pages/lens/lens_readings.h"

#include <QHBoxLayout>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kLeastHeight = 148;
constexpr int kMostHeight = 320;

} // namespace

LensCharts::LensCharts(QWidget* parent)
    : QWidget(parent)
    , m_charts{new LineChart(tr("Probability of the target through the layers"), this),
               new LineChart(tr("Rank of the target through the layers"), this),
               new LineChart(tr("Entropy and KL through the layers"), this)}
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    for (std::size_t i = 0; i < m_charts.size(); ++i) {
        m_charts[i]->setFixedHeight(kLeastHeight);
        row->addWidget(m_charts[i], 1);
        connect(m_charts[i], &LineChart::cursorMoved, this,
                [this, i](std::optional<double> x) { setCursors(i, x); });
    }
}

void LensCharts::setCursors(std::size_t from, std::optional<double> x)
{
    for (std::size_t other = 0; other < m_charts.size(); ++other)
        if (other != from)
            m_charts[other]->setCursorAt(x);
}

void LensCharts::showRow(const LensReadout& readout, int row)
{
    m_charts[0]->setContent(probabilityChart(readout, row));
    m_charts[1]->setContent(rankChart(readout, row));
    m_charts[2]->setContent(entropyChart(readout, row));
}

void LensCharts::fitTo(int pageHeight)
{
    for (LineChart* chart : m_charts)
        chart->setFixedHeight(std::clamp(pageHeight / 4, kLeastHeight, kMostHeight));
}

} // namespace headscope::ui
