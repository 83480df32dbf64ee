// Construction and what the page shows; what a person does to B stands in what_if_editing.cpp.
#include "ui/pages/what_if/what_if_page.h"

#include "ui/pages/shared/changes/change_edits.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/inline_editor.h"
#include "ui/pages/shared/figures/legend_map.h"
#include "ui/pages/shared/changes/what_if_content.h"
#include "ui/pages/what_if/what_if_offers.h"
#include "ui/widgets/charts/bars.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/controls/segments.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kShownPredictions = 5;
constexpr int kShownWhenLow = 3; // below this height of the page
constexpr int kLowPage = 620;
constexpr int kWhereHeight = 164;
constexpr int kWhereWhenLow = 96;

} // namespace

WhatIfPage::WhatIfPage(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_mask(new SegmentBar(this))
    , m_window(new QSpinBox(this))
    , m_paint(new SegmentBar(this))
    , m_offers(new WhatIfOffers(session, this))
    , m_offersMenu(new QToolButton(this))
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 8, 24, 12);
    column->setSpacing(8);
    column->addLayout(makeMaskRow());
    column->addWidget(m_offers);
    column->addLayout(makeMapsRow(), 1);
    column->addWidget(new Hairline(Qt::Horizontal, this));
    column->addLayout(makeBottomRow());
    m_hint = new EmptyState(&m_difference.map->map());
    m_brush = new MaskBrush(m_b.map->map(), this);
    m_editor = new InlineEditor(this);
    fillOffersMenu();
    connectWidgets();
    connectMaps();
}

QLayout* WhatIfPage::makeMaskRow()
{
    m_mask->setSegments({{tr("As trained"), tr("The mask that the model was trained with")},
                         {tr("Causal"), tr("Each token sees itself and what came before")},
                         {tr("None"), tr("Each token sees all of the text")},
                         {tr("Window"), tr("Each token sees itself and a few tokens before it")},
                         {tr("Painted"), tr("Drag over B's map to paint cells by hand")}});
    m_mask->setAccessibleName(tr("Mask of B"));
    m_window->setRange(1, 999);
    m_window->setAccessibleName(tr("Tokens in the window"));
    m_window->findChild<QLineEdit*>()->setAccessibleName(m_window->accessibleName());
    m_window->setToolTip(tr("Tokens in the window, the query's own included"));
    m_window->setFixedHeight(32);
    m_paint->setSegments({{tr("Select"), tr("Clicks in B's map choose a cell")},
                          {tr("Block"), tr("Dragging blocks cells, Shift takes that back")},
                          {tr("Allow"), tr("Dragging allows cells, Shift takes that back")}});
    m_paint->setAccessibleName(tr("Paint on B's map"));
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(new TextLabel(tr("Mask"), TextRole::Body, Tone::Text2, this));
    row->addWidget(m_mask);
    row->addWidget(m_window);
    row->addWidget(m_offersMenu);
    row->addStretch(1);
    row->addWidget(new TextLabel(tr("Paint"), TextRole::Body, Tone::Text2, this));
    row->addWidget(m_paint);
    return row;
}

void WhatIfPage::fillOffersMenu()
{
    m_offersMenu->setProperty("role", "offer");
    m_offersMenu->setText(tr("+  Change something"));
    m_offersMenu->setPopupMode(QToolButton::InstantPopup);
    m_offersMenu->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(m_offersMenu);
    const std::pair<QMenu*, QString> submenus[] = {
        {&m_offers->headMenu(), tr("Switch a head off")},
        {&m_offers->positionsMenu(), tr("Positions")},
        {&m_offers->rowMenu(), tr("Edit the row")},
        {&m_offers->freezeMenu(), tr("Freeze patterns")}};
    for (const auto& [submenu, title] : submenus) {
        submenu->setTitle(title);
        menu->addMenu(submenu);
    }
    connect(menu->addAction(tr("Edit a weight")), &QAction::triggered, m_offers,
            &WhatIfOffers::weightWanted);
    connect(menu->addAction(tr("Swap a token")), &QAction::triggered, m_offers,
            &WhatIfOffers::tokenWanted);
    m_offersMenu->setMenu(menu);
    m_offersMenu->hide();
}

/// A low window keeps its height for the maps.
void WhatIfPage::fitHeight()
{
    const bool low = height() < kLowPage;
    m_offers->setVisible(!low);
    m_offersMenu->setVisible(low);
    m_where->setFixedHeight(low ? kWhereWhenLow : kWhereHeight);
}

QLayout* WhatIfPage::makePane(Pane& pane, const QString& letter, const QString& name)
{
    auto* title = heading(letter, this);
    pane.note = new TextLabel({}, TextRole::Lesson, Tone::Text2, this);
    pane.note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    pane.map = new LegendMap(this);
    pane.map->setMinimumSize(200, 170); // a low window keeps all of the page
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

QLayout* WhatIfPage::makeMapsRow()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(32);
    row->addLayout(makePane(m_a, tr("A"), tr("Pattern of A")), 5);
    row->addLayout(makePane(m_b, tr("B"), tr("Pattern of B")), 4);
    row->addLayout(makePane(m_difference, tr("B \u2212 A"), tr("What moved")), 4);
    return row;
}

QLayout* WhatIfPage::makePrediction()
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

QLayout* WhatIfPage::makeWhere()
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

QLayout* WhatIfPage::makeBottomRow()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(24);
    row->addLayout(makePrediction(), 2);
    row->addWidget(new Hairline(Qt::Vertical, this));
    row->addLayout(makeWhere(), 1);
    return row;
}

HeatmapWidget& WhatIfPage::mapA() const
{
    return m_a.map->map();
}

HeatmapWidget& WhatIfPage::mapB() const
{
    return m_b.map->map();
}

HeatmapWidget& WhatIfPage::mapDifference() const
{
    return m_difference.map->map();
}

Figure WhatIfPage::figure() const
{
    return whatIfFigure(session().looking(), options());
}

void WhatIfPage::focusMain()
{
    mapB().setFocus(Qt::OtherFocusReason);
}

QString WhatIfPage::hint() const
{
    return tr("Space blocks a cell \u00B7 Enter edits its weight \u00B7 Drag paints, Shift erases "
              "\u00B7 Ctrl+click: a number's origin");
}

// ------------------------------------------------------------------------------------------
// contents

void WhatIfPage::refresh(ChangeSet)
{
    const Looking looking = session().looking();
    refreshControls(looking);
    refreshMaps(looking);
    refreshPrediction(looking);
    m_meter.measure(looking);
    refreshWhere();
}

void WhatIfPage::refreshControls(const Looking& looking)
{
    m_mask->setCurrent(static_cast<int>(looking.changes.mask.kind));
    m_window->setVisible(looking.changes.mask.kind == MaskChange::Kind::Window);
    const QSignalBlocker quiet(m_window);
    m_window->setValue(looking.changes.mask.window);
    m_offers->refresh();
    const bool paints = paintableMask(looking).side > 0;
    const QString why = paints ? QString() : tr("The mask of this part is not B's to choose");
    m_paint->setSegmentEnabled(1, paints, why);
    m_paint->setSegmentEnabled(2, paints, why);
    m_a.note->setText(tr("as trained"));
    m_b.note->setText(changesNote(looking.changes));
    m_b.note->setToolTip(looking.changes.describe());
    m_difference.note->setText(tr("what moved, %1").arg(headTitle(looking.selection)));
    const bool apart = looking.b && !looking.isComparable();
    m_hint->setTexts(apart ? tr("No difference to show") : tr("Nothing is changed"),
                     apart ? tr("A and B have other numbers of tokens or heads.")
                           : tr("Paint on B's map, or choose a change above."),
                     {});
    m_hint->setVisible(looking.changes.empty() || apart);
}

void WhatIfPage::refreshMaps(const Looking& looking)
{
    refreshPane(m_a, whatIfMap(looking, Run::A));
    shareCellSize();
    refreshPane(m_b, whatIfMap(looking, Run::B));
    refreshPane(m_difference, whatIfMap(looking, Run::Difference));
    m_brush->setSubject(session().text().isEmpty() ? MaskChange{} : paintableMask(looking),
                        shownPattern(looking, looking.b ? Run::B : Run::A,
                                     {looking.selection.layer, looking.selection.head}));
}

void WhatIfPage::refreshPane(Pane& pane, MapWithLegend shown)
{
    if (session().text().isEmpty())
        shown.map.matrix = {};
    pane.map->setShown(std::move(shown));
}

/// Only A names its rows; the other two take its cells, so that rows stand side by side.
void WhatIfPage::shareCellSize()
{
    const double cell = mapA().layoutNow().cellSize().width() / Theme::of(*this).scale();
    const Looking looking = session().looking();
    const bool sameRows = !looking.b || looking.isComparable();
    for (const Pane* pane : {&m_b, &m_difference}) {
        HeatmapOptions options = pane->map->map().options();
        options.rowLabels = !sameRows;
        options.largestCell = cell > 0.0 ? cell : HeatmapOptions().largestCell;
        pane->map->map().setOptions(options);
    }
}

void WhatIfPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    fitHeight();
    note(Change::Trace);
}

void WhatIfPage::refreshPrediction(const Looking& looking)
{
    if (!looking.a || session().text().isEmpty()) {
        m_prediction->setBars({});
        m_after->clear();
        return;
    }
    const TokenPair pair = resolve(looking.selection, *looking.a);
    const TokenSequence& tokens = queryTokens(*looking.a, looking.selection.part);
    const QString token = labelsOf(tokens, looking.modelA).value(pair.query);
    m_after->setText(looking.b ? tr("after \u201C%1\u201D, A above B").arg(token)
                               : tr("after \u201C%1\u201D").arg(token));
    m_prediction->setBars(
        comparedPredictions(looking, height() < kLowPage ? kShownWhenLow : kShownPredictions));
}

void WhatIfPage::refreshWhere()
{
    HeatmapContent moved = movedContent(session().looking(), m_meter.effect());
    m_whereScale->setText(
        tr("weight moved per row, 0 to %1").arg(number(double{moved.scale.high}, 1)));
    m_whereScale->setVisible(!moved.matrix.isEmpty());
    m_where->setContent(std::move(moved));
}

} // namespace headscope::ui
