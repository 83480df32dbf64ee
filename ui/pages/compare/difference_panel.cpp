#include "ui/pages/compare/difference_panel.h"

#include "ui/pages/compare/ranked_table.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/changes/what_if_content.h"
#include "ui/pages/shared/figures/legend_map.h"
#include "ui/session/session.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/style/theme.h"

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kLowPanel = 560; // Lower panels have no room for the labels of maps.

HeatmapOptions mapOptions(bool isLow)
{
    HeatmapOptions options;
    options.corner = false;
    options.numbers = false;
    options.rowLabels = options.columnLabels = !isLow;
    return options;
}

} // namespace

DifferencePanel::DifferencePanel(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_heads(new RankedTable(tr("Heads"), tr("Head"), headDifferenceColumns(), this))
    , m_tokens(new RankedTable(tr("Tokens"), tr("After"), tokenDifferenceColumns(), this))
    , m_matrices(new RankedTable(tr("Matrices"), tr("Matrix"), matrixDifferenceColumns(), this))
    , m_title(heading({}, this))
{
    m_heads->setObjectName("movedHeads");
    m_tokens->setObjectName("movedTokens");
    m_matrices->setObjectName("movedMatrices");
    auto* tables = rowOf(24, {{m_heads, 5}, {m_tokens, 8}, {m_matrices, 7}});
    columnOf(12, {{tables, 5}, {makeMaps(), 4}}, this);
    connectTables();
}

QWidget* DifferencePanel::makeMaps()
{
    auto* maps = new QWidget(this);
    auto* row = rowOf(24, {});
    const std::pair<Variant, QString> variants[] = {
        {Variant::A, tr("A")}, {Variant::B, tr("B")}, {Variant::Difference, tr("B \u2212 A")}};
    for (const auto& [variant, letter] : variants) {
        auto* map = new LegendMap(maps);
        map->setMinimumSize(160, 120);
        map->map().setAccessibleName(tr("Pattern, %1").arg(letter));
        map->setOptions(mapOptions(false));
        row->addLayout(columnOf(4, {heading(letter, maps), {map, 1}}), 1);
        m_panes.push_back({variant, map});
        connect(&map->map(), &HeatmapWidget::cellActivated, this, [this, map](HeatmapCell cell) {
            const TokenPair pair = map->pairAt(cell);
            m_session.view().selectPair(pair.query, pair.key);
        });
    }
    columnOf(4, {m_title, {row, 1}}, maps);
    return maps;
}

void DifferencePanel::connectTables()
{
    connect(m_heads, &RankedTable::rowActivated, this, &DifferencePanel::selectHead);
    connect(m_heads, &RankedTable::rowOpened, this, [this](int row) {
        selectHead(row);
        emit headOpened();
    });
    connect(m_tokens, &RankedTable::rowActivated, this,
            [this](int row) { m_session.view().selectPair(row, -1); });
    connect(&m_meter, &DifferenceMeter::measured, this, &DifferencePanel::showTables);
    connect(&m_meter, &DifferenceMeter::advanced, this, &DifferencePanel::showMatrices);
    connect(&m_meter, &DifferenceMeter::failed, this, &DifferencePanel::problemRaised);
}

void DifferencePanel::selectHead(int row)
{
    const HeadId head = differences().traces.heads[static_cast<std::size_t>(row)].head;
    m_session.view().activatePart(head.attention);
    m_session.view().activateHead(head.layer, head.head);
}

/// Low panels keep their cells large: labels go, colour bars move beside the cells.
void DifferencePanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool isLow = height() < kLowPanel * Theme::of(*this).scale();
    for (const Pane& pane : m_panes) {
        pane.map->setOptions(mapOptions(isLow));
        pane.map->setLegendBeside(isLow);
    }
}

void DifferencePanel::refresh()
{
    m_meter.measure(m_session.viewSnapshot());
    showTables();
}

void DifferencePanel::showTables()
{
    const TraceDifference& traces = differences().traces;
    const bool isEmpty = m_session.text().isEmpty();
    m_heads->setRows(isEmpty ? std::vector<ScoreRow>() : headDifferenceRows(traces));
    m_heads->setNote(isEmpty ? QString() : headDifferenceNote(traces));
    m_tokens->setRows(isEmpty ? std::vector<ScoreRow>() : tokenDifferenceRows(traces, subject()));
    m_tokens->setNote(isEmpty ? QString() : tokenDifferenceNote(traces));
    showMatrices();
    refreshSelection();
}

void DifferencePanel::showMatrices()
{
    const WeightDifferencePtr& weights = differences().weights;
    if (weights) {
        m_matrices->setRows(matrixDifferenceRows(*weights));
        m_matrices->setNote(matrixDifferenceNote(*weights));
        return;
    }
    m_matrices->setRows({});
    m_matrices->setNote(
        m_meter.isComparingWeights()
            ? tr("comparing weights, %1 %").arg(static_cast<int>(100.0 * m_meter.weightProgress()))
            : tr("A and B have the same weights"));
}

void DifferencePanel::refreshSelection()
{
    const Selection& selection = m_session.selection();
    const std::vector<HeadDifference>& heads = differences().traces.heads;
    const auto head = std::ranges::find(heads, selection.headId(), &HeadDifference::head);
    m_heads->setCurrent(head == heads.end() ? -1 : static_cast<int>(head - heads.begin()));
    m_tokens->setCurrent(selection.pinned ? selection.query : -1);
    showMaps();
}

void DifferencePanel::showMaps()
{
    const ViewSnapshot view = m_session.viewSnapshot();
    m_title->setText(headTitle(view.selection));
    for (const Pane& pane : m_panes) {
        MapWithLegend shown = whatIfMap(view, pane.variant);
        if (m_session.text().isEmpty())
            shown.map.matrix = {};
        pane.map->setShown(std::move(shown));
    }
}

} // namespace headscope::ui
