#include "ui/pages/what_if/what_if_maps.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/changes/what_if_content.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/figures/legend_map.h"
#include "ui/pages/what_if/change_list.h"
#include "ui/pages/what_if/change_offers.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"

#include <QEvent>
#include <QStackedWidget>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::ui {

WhatIfMaps::WhatIfMaps(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_offers(new ChangeOffers(session, this))
    , m_third(new QStackedWidget(this))
{
    m_third->addWidget(makeDifference());
    m_third->addWidget(m_offers);
    rowOf(32,
          {{makePane(m_a, tr("A"), tr("Pattern of A")), 5},
           {makePane(m_b, tr("B"), tr("Pattern of B")), 4},
           {m_third, 4}},
          this);
    m_a.map->map().setObjectName("mapA");
    m_b.map->map().setObjectName("mapB");
    setTabOrder(&b(), &m_offers->list());
    setTabOrder(&m_offers->list(), &difference());
    for (const Pane* pane : {&m_a, &m_b, &m_difference})
        connectPane(*pane);
}

QWidget* WhatIfMaps::makeDifference()
{
    auto* pane = new QWidget(this);
    pane->setLayout(makePane(m_difference, tr("B \u2212 A"), tr("Difference")));
    pane->layout()->setContentsMargins(0, 0, 0, 0);
    difference().setObjectName("difference");
    m_hint = new EmptyState(&difference());
    return pane;
}

QLayout* WhatIfMaps::makePane(Pane& pane, const QString& letter, const QString& name)
{
    auto* title = heading(letter, this);
    pane.note = new TextLabel({}, TextRole::Lesson, TextLabel::Tone::Text2, this);
    pane.note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    pane.map = new LegendMap(this);
    pane.map->setMinimumSize(200, 170); // Low windows still fit the whole page.
    pane.map->map().setAccessibleName(name);
    HeatmapOptions options;
    options.corner = false;
    options.keyNumber = true;
    options.numbers = false;
    pane.map->map().setOptions(options);
    auto* line = rowOf(12, {title, {pane.note, 1}});
    return columnOf(4, {line, {pane.map, 1}});
}

void WhatIfMaps::connectPane(const Pane& pane)
{
    HeatmapWidget* map = &pane.map->map();
    map->installEventFilter(this);
    connect(map, &HeatmapWidget::cellActivated, this,
            [this, &pane](HeatmapCell cell) { selectCell(pane, cell); });
    connect(map, &HeatmapWidget::currentClicked, this, [this, &pane](HeatmapCell cell) {
        if (m_session.selection().pinned)
            m_session.view().releasePair(); // A second click undoes the first.
        else
            selectCell(pane, cell);
    });
    connect(map, &HeatmapWidget::cellOpened, this,
            [this, &pane](HeatmapCell cell) { openCell(pane, cell); });
}

HeatmapWidget& WhatIfMaps::b() const
{
    return m_b.map->map();
}

HeatmapWidget& WhatIfMaps::difference() const
{
    return m_difference.map->map();
}

void WhatIfMaps::refreshNotes(const ViewSnapshot& view)
{
    m_a.note->setText(tr("as trained"));
    m_b.note->setText(changesNote(view.changes));
    m_b.note->setToolTip(view.changes.describe());
    m_difference.note->setText(tr("difference, %1").arg(headTitle(view.selection)));
    const bool apart = view.b && !view.isComparable();
    m_hint->setTexts(tr("No difference to show"),
                     tr("A and B have different numbers of tokens or heads."), {});
    m_hint->setVisible(apart);
}

void WhatIfMaps::refresh(const ViewSnapshot& view)
{
    setShown(m_a, whatIfMap(view, Variant::A));
    setShown(m_b, whatIfMap(view, Variant::B));
    setShown(m_difference, whatIfMap(view, Variant::Difference));
    m_sameRows = !view.b || view.isComparable();
    refreshThird(view);
    shareCellSize();
}

void WhatIfMaps::refreshThird(const ViewSnapshot& view)
{
    const bool offers = view.changes.empty() && view.a && !m_session.text().isEmpty();
    if (offers)
        m_offers->refresh(view);
    else
        m_offers->cancel();
    m_third->setCurrentIndex(offers ? 1 : 0);
}

void WhatIfMaps::setShown(Pane& pane, MapWithLegend shown)
{
    if (m_session.text().isEmpty())
        shown.map.matrix = {};
    pane.map->setShown(std::move(shown));
}

/// Only A labels its rows; all three have the largest cells that fit everywhere, so that rows align.
void WhatIfMaps::shareCellSize()
{
    const Theme theme = Theme::of(*this);
    const std::array<const Pane*, 3> panes{&m_a, &m_b, &m_difference};
    std::array<HeatmapOptions, 3> options;
    double cell = HeatmapOptions().largestCell;
    for (std::size_t index = 0; index < panes.size(); ++index) {
        const HeatmapWidget& map = panes[index]->map->map();
        options[index] = map.options();
        options[index].rowLabels = index == 0 || !m_sameRows;
        options[index].largestCell = HeatmapOptions().largestCell;
        const HeatmapLayout layout(QRectF(map.rect()), map.content(), options[index], theme,
                                   map.devicePixelRatioF());
        if (!map.content().matrix.isEmpty())
            cell = std::min(cell, layout.cellSize().width() / theme.scale());
    }
    for (std::size_t index = 0; index < panes.size(); ++index) {
        options[index].largestCell = cell;
        panes[index]->map->setOptions(options[index]);
    }
}

bool WhatIfMaps::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        shareCellSize();
    return QWidget::eventFilter(watched, event);
}

void WhatIfMaps::selectCell(const Pane& pane, HeatmapCell cell)
{
    const ViewSnapshot view = m_session.viewSnapshot();
    const bool ofB = &pane != &m_a && view.b;
    const ShownPattern shown = shownPattern(view, ofB ? Variant::B : Variant::A,
                                            {view.selection.layer, view.selection.head});
    if (cell.row < static_cast<int>(shown.rowTokens.size()) &&
        cell.column < static_cast<int>(shown.columnTokens.size()))
        m_session.view().selectPair(
            shown.rowTokens[static_cast<std::size_t>(cell.row)].back(),
            shown.columnTokens[static_cast<std::size_t>(cell.column)].front());
}

/// B's weights can be edited; those of the others can be traced.
void WhatIfMaps::openCell(const Pane& pane, HeatmapCell cell)
{
    if (&pane == &m_b) {
        selectCell(m_b, cell);
        emit weightWanted();
        return;
    }
    const ViewSnapshot view = m_session.viewSnapshot();
    const Variant variant = &pane == &m_a || !view.b ? Variant::A : Variant::B;
    if (const auto number = mapNumber(view, variant, MapKind::Weights, cell))
        emit numberWanted(*number);
}

std::optional<WhatIfMaps::VariantCell> WhatIfMaps::cellAt(const ViewSnapshot& view,
                                                          std::optional<QPoint> place) const
{
    const Variant second = view.b ? Variant::B : Variant::A;
    const std::pair<const Pane*, Variant> panes[] = {
        {&m_a, Variant::A}, {&m_b, second}, {&m_difference, second}};
    for (const auto& [pane, variant] : panes) {
        const HeatmapWidget& map = pane->map->map();
        const bool meant = place || map.hasFocus() || pane == &m_difference;
        const auto cell = meant ? ui::cellAt(map, place) : std::nullopt;
        if (cell)
            return VariantCell{variant, *cell};
    }
    return std::nullopt;
}

} // namespace headscope::ui
