#include "ui/pages/causal/sweep_panel.h"

#include "ui/pages/causal/causal_measurement.h"
#include "ui/pages/shared/boxes.h"
#include "ui/session/session.h"
#include "ui/widgets/charts/points/scatter_widget.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/labels.h"

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kScoreColumn = 3;

} // namespace

SweepPanel::SweepPanel(Session& session, CausalMeasurement& measurement, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_measurement(measurement)
    , m_grid(new HeadGridWidget(this))
    , m_legend(new ColourBar(this))
    , m_scatter(new ScatterWidget(this))
    , m_correlation(caption({}, this))
    , m_table(new ScoreTable(this))
{
    m_grid->setAccessibleName(tr("Map of effects"));
    m_scatter->setAccessibleName(tr("Score against causal effect"));
    m_correlation->setWordWrap(true);
    m_table->setAccessibleName(tr("Effects of heads"));
    rowOf(24, {{makeMap(), 2}, {makeScatter(), 4}, {m_table, 4}}, this);
    connectWidgets();
}

QLayout* SweepPanel::makeMap()
{
    return columnOf(8, {{m_grid, 1}, m_legend});
}

QLayout* SweepPanel::makeScatter()
{
    return columnOf(8, {{m_scatter, 1}, m_correlation});
}

void SweepPanel::connectWidgets()
{
    connect(m_grid, &HeadGridWidget::headActivated, this, &SweepPanel::headActivated);
    connect(m_grid, &HeadGridWidget::headOpened, this, [this] { emit headOpened(); });
    m_grid->setToolTipText([this](GridCell head) {
        const HeadEffect* effect = m_content.find(head);
        return effect ? tr("effect %1").arg(signedNumber(effect->effect, 3)) : QString();
    });
    connect(m_scatter, &ScatterWidget::pointActivated, this, [this](int point) {
        emit headActivated(m_content.points[static_cast<std::size_t>(point)]);
    });
    connect(m_scatter, &ScatterWidget::pointOpened, this, [this] { emit headOpened(); });
    connect(m_table, &ScoreTable::rowActivated, this, [this](int row) {
        emit headActivated(m_content.order[static_cast<std::size_t>(row)]);
    });
    connect(m_table, &ScoreTable::rowOpened, this, [this] { emit headOpened(); });
    connect(m_table, &ScoreTable::columnChosen, this, [this](int column) {
        CausalChoice choice = m_measurement.choice();
        choice.byScore = column == kScoreColumn;
        m_measurement.show(choice);
    });
}

void SweepPanel::focusTable()
{
    m_table->setFocus(Qt::OtherFocusReason);
}

void SweepPanel::refresh()
{
    m_content = {};
    if (const AblationSweep* known = m_measurement.sweep())
        m_content = sweepContent(m_session.viewSnapshot(), m_measurement.choice(), *known,
                                 m_measurement.scores());
    m_grid->setContent(m_content.grid);
    m_legend->setContent(m_content.legend);
    m_scatter->setContent(m_content.scatter);
    m_correlation->setText(m_content.words);
    refreshTable();
}

void SweepPanel::refreshTable()
{
    m_table->setColumns(m_content.columns);
    m_table->setSorted(m_measurement.choice().byScore ? kScoreColumn : 0, false);
    m_table->setRows(m_content.rows);
    const Selection& selection = m_session.selection();
    const GridCell selected{selection.layer, selection.head};
    const auto row = std::find(m_content.order.begin(), m_content.order.end(), selected);
    m_table->setCurrentRow(
        row != m_content.order.end() ? static_cast<int>(row - m_content.order.begin()) : -1);
}

} // namespace headscope::ui
