#include "ui/views/what_if_view.h"

#include "core/analysis/next_token.h"
#include "ui/views/empty_state.h"
#include "ui/views/legend_map.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/heatmap_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/segments.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kShownPredictions = 5;
constexpr int kWhereHeight = 176;

std::vector<Bar> plainPredictions(const Trace& trace, const LoadedModel& model, int query)
{
    std::vector<Bar> bars;
    for (const Candidate& next : nextTokens(trace, query, kShownPredictions, nullptr))
        bars.push_back(
            {labelOf(next.id, model), next.probability, {}, {}, Role::Accent, bars.empty()});
    return bars;
}

/// The most probable tokens of B and of A, by the larger of both.
std::vector<Bar> comparedPredictions(const Session& session, int query)
{
    const Trace& a = *session.traceA();
    if (!session.traceB())
        return plainPredictions(a, session.model(), query);
    const Trace& b = *session.traceB();
    std::vector<Candidate> tokens = nextTokens(a, query, kShownPredictions, nullptr);
    for (const Candidate& next : nextTokens(b, query, kShownPredictions, nullptr)) {
        const auto known =
            std::find_if(tokens.begin(), tokens.end(),
                         [&next](const Candidate& other) { return other.id == next.id; });
        if (known == tokens.end())
            tokens.push_back(next);
        else
            known->probability = std::max(known->probability, next.probability);
    }
    std::stable_sort(tokens.begin(), tokens.end(), [](const Candidate& x, const Candidate& y) {
        return x.probability > y.probability;
    });
    tokens.resize(std::min<std::size_t>(tokens.size(), kShownPredictions));
    std::vector<Bar> bars;
    for (const Candidate& next : tokens)
        bars.push_back({labelOf(next.id, session.model()),
                        probabilityOf(b, query, next.id),
                        probabilityOf(a, query, next.id),
                        {},
                        Role::Accent,
                        bars.empty()});
    return bars;
}

} // namespace

WhatIfView::WhatIfView(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_mask(new SegmentBar(this))
    , m_window(new QSpinBox(this))
    , m_headOff(new QPushButton(this))
    , m_clear(new QPushButton(tr("Clear"), this))
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 12, 24, 12);
    column->setSpacing(8);
    column->addLayout(makeChangesRow());
    column->addLayout(makeMapsRow(), 1);
    column->addWidget(new Hairline(Qt::Horizontal, this));
    column->addLayout(makeBottomRow());
    m_hint = new EmptyState(&m_b.map->map());
    m_hint->setTexts(tr("B is as trained"),
                     tr("Take the mask away or switch a head off: B then runs beside A."), {});
    connectWidgets();
}

QLayout* WhatIfView::makeChangesRow()
{
    m_mask->setSegments({{tr("Causal"), tr("Each token sees itself and what came before")},
                         {tr("None"), tr("Each token sees all of the text")},
                         {tr("Window"), tr("Each token sees itself and a few tokens before it")}});
    m_mask->setAccessibleName(tr("Mask of B"));
    m_window->setRange(1, 999);
    m_window->setAccessibleName(tr("Tokens in the window"));
    m_window->findChild<QLineEdit*>()->setAccessibleName(m_window->accessibleName());
    m_window->setToolTip(tr("Tokens in the window, the query's own included"));
    m_window->setFixedHeight(32);
    m_clear->setToolTip(tr("Make B as trained again"));
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(heading(tr("Changes in B"), this));
    row->addSpacing(4);
    row->addWidget(new TextLabel(tr("Mask"), TextRole::Body, Tone::Text2, this));
    row->addWidget(m_mask);
    row->addWidget(m_window);
    row->addWidget(m_headOff);
    row->addStretch(1);
    row->addWidget(m_clear);
    return row;
}

QLayout* WhatIfView::makePane(Pane& pane, const QString& letter, const QString& name)
{
    auto* title = heading(letter, this);
    pane.note = new TextLabel({}, TextRole::Lesson, Tone::Text2, this);
    pane.note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    pane.map = new LegendMap(this);
    pane.map->map().setAccessibleName(name);
    HeatmapOptions options;
    options.corner = false;
    options.keyNumber = true;
    options.numbers = false;
    pane.map->map().setOptions(options);
    auto* line = new QHBoxLayout;
    line->setSpacing(12);
    line->addWidget(title);
    line->addWidget(pane.note, 1);
    auto* column = new QVBoxLayout;
    column->setSpacing(4);
    column->addLayout(line);
    column->addWidget(pane.map, 1);
    return column;
}

QLayout* WhatIfView::makeMapsRow()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(32);
    row->addLayout(makePane(m_a, tr("A"), tr("Pattern of A")), 5);
    row->addLayout(makePane(m_b, tr("B"), tr("Pattern of B")), 4);
    row->addLayout(makePane(m_difference, tr("B \u2212 A"), tr("What moved")), 4);
    return row;
}

QLayout* WhatIfView::makePrediction()
{
    m_after = new TextLabel({}, TextRole::Body, Tone::Text2, this);
    m_prediction = new BarsWidget(this);
    m_prediction->setAccessibleName(tr("Next token in A and in B"));
    m_prediction->setOptions({1.0, 3, 0.0, {}});
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(heading(tr("Next token"), this));
    line->addWidget(m_after, 1);
    auto* column = new QVBoxLayout;
    column->setSpacing(4);
    column->addLayout(line);
    column->addWidget(m_prediction);
    column->addStretch(1);
    return column;
}

QLayout* WhatIfView::makeWhere()
{
    m_whereScale = new TextLabel({}, TextRole::Caption, Tone::Text3, this);
    m_where = new HeatmapWidget(this);
    m_where->setAccessibleName(tr("Where B differs: heads down, layers across"));
    HeatmapOptions options;
    options.corner = false;
    options.numbers = false;
    options.largestCell = 18.0;
    m_where->setOptions(options);
    m_where->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_where->setFixedHeight(kWhereHeight);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(heading(tr("Where B differs"), this));
    line->addWidget(m_whereScale, 1);
    auto* column = new QVBoxLayout;
    column->setSpacing(4);
    column->addLayout(line);
    column->addWidget(m_where);
    column->addStretch(1);
    return column;
}

QLayout* WhatIfView::makeBottomRow()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(24);
    row->addLayout(makePrediction(), 2);
    row->addWidget(new Hairline(Qt::Vertical, this));
    row->addLayout(makeWhere(), 1);
    return row;
}

void WhatIfView::connectWidgets()
{
    connect(m_mask, &SegmentBar::currentChanged, this, [this](int index) {
        const MaskChange::Kind kinds[] = {MaskChange::Kind::AsTrained, MaskChange::Kind::None,
                                          MaskChange::Kind::Window};
        session().setMask({kinds[index], m_window->value(), {}, 0});
    });
    connect(m_window, &QSpinBox::valueChanged, this, [this](int tokens) {
        if (session().changes().mask.kind == MaskChange::Kind::Window)
            session().setMask({MaskChange::Kind::Window, tokens, {}, 0});
    });
    connect(m_headOff, &QPushButton::clicked, this, [this] {
        const Selection& selection = session().selection();
        const bool off = session().changes().isOff(selection.layer, selection.head);
        session().setHeadOff(selection.layer, selection.head, !off);
    });
    connect(m_clear, &QPushButton::clicked, this, [this] { session().clearChanges(); });
    for (const Pane* pane : {&m_a, &m_b, &m_difference}) {
        connect(&pane->map->map(), &HeatmapWidget::cellActivated, this,
                [this](HeatmapCell cell) { session().selectPair(cell.row, cell.column); });
    }
    connect(m_where, &HeatmapWidget::cellActivated, this,
            [this](HeatmapCell cell) { session().activateHead(cell.column, cell.row); });
}

const HeatmapWidget& WhatIfView::mapA() const
{
    return m_a.map->map();
}

const HeatmapWidget& WhatIfView::mapB() const
{
    return m_b.map->map();
}

const HeatmapWidget& WhatIfView::mapDifference() const
{
    return m_difference.map->map();
}

// ------------------------------------------------------------------------------------------
// contents

void WhatIfView::refresh(ChangeSet)
{
    refreshControls();
    refreshPane(m_a, headMap(session(), Run::A, MapKind::Weights));
    shareCellSize();
    refreshPane(m_b, headMap(session(), Run::B, MapKind::Weights));
    refreshPane(m_difference, differenceMap(session()));
    m_hint->setVisible(session().changes().empty());
    refreshPrediction();
    refreshWhere();
}

void WhatIfView::refreshControls()
{
    const Changes& changes = session().changes();
    const Selection& selection = session().selection();
    m_mask->setCurrent(changes.mask.kind == MaskChange::Kind::None     ? 1
                       : changes.mask.kind == MaskChange::Kind::Window ? 2
                                                                       : 0);
    m_window->setVisible(changes.mask.kind == MaskChange::Kind::Window);
    const QSignalBlocker quiet(m_window);
    m_window->setValue(changes.mask.window);
    const QString name = changes.isOff(selection.layer, selection.head)
                             ? tr("Switch head %1.%2 on again")
                             : tr("Switch head %1.%2 off");
    m_headOff->setText(name.arg(selection.layer).arg(selection.head));
    m_headOff->setToolTip(tr("Layer %1, head %2: its output becomes 0 in B")
                              .arg(selection.layer)
                              .arg(selection.head));
    m_clear->setEnabled(!changes.empty());
    m_a.note->setText(tr("as trained"));
    m_b.note->setText(changes.empty() ? tr("as trained") : changes.describe());
    m_difference.note->setText(
        tr("what moved, layer %1 \u00B7 head %2").arg(selection.layer).arg(selection.head));
}

void WhatIfView::refreshPane(Pane& pane, MapWithLegend shown)
{
    if (session().text().isEmpty())
        shown.map.matrix = {};
    shown.legend.swatch.clear(); // no room beside the bar; the note above says which mask
    pane.map->setShown(std::move(shown));
}

/// Only A names its rows; the other two take its cells, so that rows stand side by side.
void WhatIfView::shareCellSize()
{
    const double cell = mapA().layoutNow().cellSize().width() / Theme::of(*this).scale();
    for (const Pane* pane : {&m_b, &m_difference}) {
        HeatmapOptions options = pane->map->map().options();
        options.rowLabels = false;
        options.largestCell = cell > 0.0 ? cell : HeatmapOptions().largestCell;
        pane->map->map().setOptions(options);
    }
}

void WhatIfView::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    note(Change::Trace);
}

void WhatIfView::refreshPrediction()
{
    const TracePtr& trace = session().traceA();
    if (!trace || session().text().isEmpty()) {
        m_prediction->setBars({});
        m_after->clear();
        return;
    }
    const TokenPair pair = session().pair();
    const QString token = labelsOf(*trace, session().model()).value(pair.query);
    m_after->setText(session().traceB() ? tr("after \u201C%1\u201D, A above B").arg(token)
                                        : tr("after \u201C%1\u201D").arg(token));
    m_prediction->setBars(comparedPredictions(session(), pair.query));
}

void WhatIfView::refreshWhere()
{
    MapWithLegend moved = movedMap(session());
    m_whereScale->setText(
        tr("weight moved per row, 0 to %1").arg(number(double{moved.map.scale.high}, 1)));
    m_whereScale->setVisible(!moved.map.matrix.isEmpty());
    m_where->setContent(std::move(moved.map));
}

} // namespace headscope::ui
