#include "ui/pages/lens/lens_cell_panel.h"

#include "ui/pages/lens/lens_readings.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/whole_texts.h"
#include "ui/widgets/labels.h"

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kWidth = 280;

} // namespace

LensCellPanel::LensCellPanel(QWidget* parent)
    : QWidget(parent)
    , m_title(heading({}, this))
    , m_bars(new BarsWidget(this))
    , m_numbers(paragraph({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_legend(new ColourBar(this))
{
    setFixedWidth(kWidth);
    m_title->setWordWrap(true);
    m_bars->setAccessibleName(tr("Most likely tokens of the cell"));
    m_bars->setOptions({1.0, 3, 96.0, {}, 20.0});
    columnOf(4, {m_title, m_bars, m_numbers, Placed::space(), m_legend}, this);
    new WholeTexts(*this);
    connect(m_bars, &BarsWidget::barActivated, this, &LensCellPanel::tokenClicked);
}

void LensCellPanel::showParts(bool shows)
{
    for (QWidget* part : {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_bars),
                          static_cast<QWidget*>(m_numbers), static_cast<QWidget*>(m_legend)})
        part->setVisible(shows);
}

void LensCellPanel::showNothing()
{
    showParts(false);
}

void LensCellPanel::showCell(const LensReadout& readout, HeatmapCell cell, const QString& token,
                             std::size_t tokens)
{
    showParts(true);
    const LensStage& stage = readout.lens().stages[static_cast<std::size_t>(cell.column)];
    m_title->setText(tr("\u201C%1\u201D %2").arg(token, stageName(stage)));
    std::vector<Bar> bars = lensBars(readout, cell);
    bars.resize(std::min(bars.size(), tokens));
    m_bars->setBars(std::move(bars));
    m_numbers->setText(cellText(readout, cell));
    m_legend->setContent(lensLegend(readout));
}

} // namespace headscope::ui
