#include "ui/pages/what_if/what_if_page.h"

#include "ui/pages/shared/changes/what_if_content.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/pages/what_if/change_offers.h"
#include "ui/pages/what_if/mask_picker.h"
#include "ui/pages/what_if/moved_heads.h"
#include "ui/pages/what_if/offers_button.h"
#include "ui/pages/what_if/paint_picker.h"
#include "ui/pages/what_if/what_if_editor.h"
#include "ui/pages/what_if/what_if_maps.h"
#include "ui/pages/what_if/what_if_offers.h"
#include "ui/pages/what_if/what_if_prediction.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"

namespace headscope::ui {

namespace {

constexpr int kShownPredictions = 5;
constexpr int kShownWhenLow = 3; // Limit below this page height.
constexpr int kLowPage = 620;
constexpr int kWhereHeight = 164;
constexpr int kWhereWhenLow = 96;

} // namespace

WhatIfPage::WhatIfPage(Session& session)
    : Page(session)
    , m_mask(new MaskPicker(session, this))
    , m_paint(new PaintPicker(this))
    , m_offers(new WhatIfOffers(session, this))
    , m_offersButton(new OffersButton(*m_offers, this))
    , m_maps(new WhatIfMaps(session, this))
    , m_prediction(new WhatIfPrediction(this))
    , m_where(new MovedHeads(session, this))
    , m_editor(new WhatIfEditor(session, mapB(), this))
{
    new PageFrame(
        *this,
        {makeMaskRow(), m_offers, {m_maps, 1}, new Hairline(Qt::Horizontal, this), makeBottomRow()},
        8, {24, 8, 24, 12});
    m_offersButton->hide();
    m_where->setMapHeight(kWhereHeight);
    connectParts();
    setMainWidget(mapB());
}

QLayout* WhatIfPage::makeMaskRow()
{
    return rowOf(12, {m_mask, m_offersButton, Placed::space(), m_paint});
}

QLayout* WhatIfPage::makeBottomRow()
{
    return rowOf(24, {{m_prediction, 2}, new Hairline(Qt::Vertical, this), {m_where, 1}});
}

void WhatIfPage::connectParts()
{
    connect(m_mask, &MaskPicker::paintingWanted, this, &WhatIfPage::startPainting);
    connect(m_paint, &PaintPicker::modeChosen, m_editor, &WhatIfEditor::setBrush);
    connect(m_offers, &WhatIfOffers::weightWanted, m_editor, &WhatIfEditor::editWeight);
    connect(m_offers, &WhatIfOffers::tokenWanted, m_editor, &WhatIfEditor::swapToken);
    connect(m_maps, &WhatIfMaps::weightWanted, m_editor, &WhatIfEditor::editWeight);
    connect(&m_maps->offers(), &ChangeOffers::applied, this, &WhatIfPage::focusMain);
    connect(m_maps, &WhatIfMaps::numberWanted, this, &WhatIfPage::numberWanted);
}

/// A low window keeps its height for the maps.
void WhatIfPage::fitHeight()
{
    m_offers->setVisible(!isLow());
    m_offersButton->setVisible(isLow());
    m_where->setMapHeight(isLow() ? kWhereWhenLow : kWhereHeight);
}

bool WhatIfPage::isLow() const
{
    return height() < kLowPage;
}

HeatmapWidget& WhatIfPage::mapB() const
{
    return m_maps->b();
}

Figure WhatIfPage::figure() const
{
    return whatIfFigure(session().viewSnapshot(), options());
}

bool WhatIfPage::isSettled() const
{
    return !m_where->isMeasuring() && !m_maps->offers().isMeasuring();
}

QString WhatIfPage::hint() const
{
    return tr("Space blocks a cell \u00B7 Enter edits its weight \u00B7 Drag paints, Shift erases "
              "\u00B7 Ctrl+click: a number's origin");
}

bool WhatIfPage::escape()
{
    return m_editor->escape();
}

/// Cell of one of the maps, or a bar of B's prediction.
MaybeNumber WhatIfPage::numberAt(std::optional<QPoint> place) const
{
    const ViewSnapshot view = session().viewSnapshot();
    if (const auto bar = m_prediction->barAt(place))
        return m_prediction->number(view, *bar);
    if (const auto cell = m_maps->cellAt(view, place))
        return mapNumber(view, cell->variant, MapKind::Weights, cell->cell);
    return place ? std::nullopt : Page::numberAt(place);
}

void WhatIfPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    fitHeight();
    note(Change::Trace);
}

void WhatIfPage::refresh(ChangeSet)
{
    const ViewSnapshot view = session().viewSnapshot();
    m_mask->refresh(view.changes.mask);
    m_offers->refresh();
    m_paint->refresh(paintableMask(view).side > 0);
    m_maps->refreshNotes(view);
    m_maps->refresh(view);
    m_editor->refresh(view);
    refreshPrediction(view);
    m_where->measure(view);
}

void WhatIfPage::refreshPrediction(const ViewSnapshot& view)
{
    if (!view.a || session().text().isEmpty())
        m_prediction->clear();
    else
        m_prediction->refresh(view, isLow() ? kShownWhenLow : kShownPredictions);
}

/// No painted mask exists before a first stroke: the blocking brush is selected.
void WhatIfPage::startPainting()
{
    if (m_paint->mode() == MaskBrush::Mode::Off && paintableMask(session().viewSnapshot()).side > 0)
        m_paint->setMode(MaskBrush::Mode::Block);
    mapB().setFocus(Qt::OtherFocusReason);
}

PageDescriptor WhatIfPage::descriptor()
{
    return {.name = "what-if",
            .title = tr("What-if"),
            .question = tr("What changes when you intervene?"),
            .group = PageGroup::Change,
            .icon = "<path d='M10 2.5v15M2.5 6.5h5M2.5 13.5h5M12.5 13.5h5M12.5 6.5h5M15 4v5'/>",
            .help = tr("Change the mask, the positions or a head and compare: A is the model as "
                       "trained, B has your changes, B \xE2\x88\x92 A is the difference. Undo "
                       "reverts any change."),
            .terms = {"ablation", "mask"},
            .make = makePage<WhatIfPage>,
            .figure = whatIfFigure,
            .whyModel = tr("A captured trace cannot be recomputed with changes. Open a model to "
                           "use What-if.")};
}

} // namespace headscope::ui
