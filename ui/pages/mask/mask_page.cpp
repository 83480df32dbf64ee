#include "ui/pages/mask/mask_page.h"

#include "ui/pages/mask/mask_as_trained.h"
#include "ui/pages/mask/mask_content.h"
#include "ui/pages/mask/mask_figure.h"
#include "ui/pages/mask/mask_plot.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/pages/shared/whole_texts.h"
#include "ui/widgets/heatmap/heatmap_paint.h"
#include "ui/widgets/labels.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr double kCounts = 60.0;

HeatmapMatrix activePattern(const ViewSnapshot& view, Variant variant)
{
    const Selection& active = view.selection;
    const TracePtr& trace = view.trace(variant);
    return trace ? patternOf(*trace, active.headId()) : HeatmapMatrix();
}

} // namespace

MaskMap::MaskMap(QWidget* parent) : HeatmapWidget(parent) {}

void MaskMap::showMask(HeatmapContent content)
{
    m_counts = visibleKeys(content);
    setContent(std::move(content));
    fit();
}

void MaskMap::fit()
{
    const Theme theme = Theme::of(*this);
    HeatmapOptions wanted;
    wanted.numbers = false;
    const int columns = std::max(content().matrix.columns, 1);
    const QMarginsF margins = heatmapMargins(content(), wanted, theme);
    const double room =
        width() - margins.left() - std::max(margins.right(), kCounts * theme.scale());
    const double pixels = std::max(room, 1.0) / columns * devicePixelRatioF();
    const double edge = (pixels >= 1.0 ? std::floor(pixels) : pixels) / devicePixelRatioF();
    wanted.largestCell = std::min(edge / theme.scale(), HeatmapOptions().largestCell);
    setOptions(wanted);
}

void MaskMap::resizeEvent(QResizeEvent* event)
{
    HeatmapWidget::resizeEvent(event);
    fit();
}

void MaskMap::paintEvent(QPaintEvent* event)
{
    HeatmapWidget::paintEvent(event);
    QPainter painter(this);
    if (!content().matrix.isEmpty())
        paintRowCounts(painter, layoutNow(), m_counts, Theme::of(*this));
}

// ---------------------------------------------------------------------------------------- the page

MaskPage::MaskPage(Session& session) : Page(session), m_asTrained(new MaskAsTrained(this))
{
    new PageFrame(
        *this,
        {{rowOf(32, {{makePane(m_a, tr("A"), tr("Mask of A")), 1},
                     {columnOf(8, {makePane(m_b, tr("B"), tr("Mask of B")), {m_asTrained, 1}}), 1},
                     makeOffers()}),
          1}});
    new WholeTexts(*this);
    m_empty = new EmptyState(m_a.map);
    m_empty->setTexts(tr("No text yet"), tr("Type a sentence above to see its mask."), {});
    setMainWidget(*m_a.map);
}

QLayout* MaskPage::makePane(Pane& pane, const QString& letter, const QString& name)
{
    pane.words = paragraph({}, TextRole::Lesson, Tone::Text2, this);
    pane.counted = new TextLabel({}, TextRole::Body, Tone::Text3, this);
    pane.map = new MaskMap(this);
    pane.map->setObjectName(&pane == &m_b ? "mapB" : "mapA");
    pane.map->setAccessibleName(name);
    pane.map->setMinimumSize(200, 200);
    connect(pane.map, &HeatmapWidget::cellActivated, this,
            [this](HeatmapCell cell) { session().view().selectPair(cell.row, cell.column); });
    connect(pane.map, &HeatmapWidget::currentClicked, this, [this](HeatmapCell cell) {
        if (session().selection().pinned)
            session().view().releasePair(); // A second click undoes the first.
        else
            session().view().selectPair(cell.row, cell.column);
    });
    connect(pane.map, &HeatmapWidget::cellOpened, this, [this, &pane](HeatmapCell cell) {
        if (const auto number = cellNumberOf(pane, cell))
            emit numberWanted(*number);
    });
    auto* line =
        rowOf(12, {{heading(letter, this), 0, Qt::AlignTop}, {pane.words, 1, Qt::AlignTop}});
    return columnOf(4, {line, pane.counted, Placed::gap(8), {pane.map, 1}});
}

QLayout* MaskPage::makeOffers()
{
    constexpr int kWidth = 296;
    auto* column = new QVBoxLayout;
    column->setSpacing(8);
    column->addWidget(heading(tr("Apply to B"), this));
    m_head = paragraph({}, TextRole::Body, Tone::Text3, this);
    m_head->setFixedWidth(kWidth);
    column->addWidget(m_head);
    m_window = new QSpinBox(this);
    m_window->setRange(1, 999);
    m_window->setValue(4);
    m_window->setFixedHeight(32);
    m_window->setMinimumWidth(72);
    m_window->setAccessibleName(tr("Tokens in the window"));
    m_window->findChild<QLineEdit*>()->setAccessibleName(m_window->accessibleName());
    const std::pair<QString, MaskChange::Kind> offers[] = {
        {tr("No mask"), MaskChange::Kind::None},
        {tr("Causal"), MaskChange::Kind::Causal},
        {tr("Window of"), MaskChange::Kind::Window},
        {tr("As trained"), MaskChange::Kind::AsTrained}};
    for (const auto& [name, kind] : offers) {
        Offer offer{new QPushButton(name, this), nullptr, kind};
        offer.button->setCheckable(true);
        offer.button->setFixedHeight(32);
        offer.effect = paragraph({}, TextRole::Body, Tone::Text2, this);
        offer.effect->setFixedWidth(kWidth);
        auto* row = new QHBoxLayout;
        row->setSpacing(8);
        row->addWidget(offer.button);
        if (kind == MaskChange::Kind::Window)
            row->addWidget(m_window);
        row->addStretch(1);
        column->addSpacing(8);
        column->addLayout(row);
        column->addWidget(offer.effect);
        connect(offer.button, &QPushButton::clicked, this, [this, kind = kind] {
            session().document().setMask({kind, m_window->value(), {}, 0});
            refreshOffers();
        });
        m_offers.push_back(offer);
    }
    connect(m_window, &QSpinBox::valueChanged, this, [this](int tokens) {
        if (session().changes().mask.kind == MaskChange::Kind::Window)
            session().document().setMask({MaskChange::Kind::Window, tokens, {}, 0});
        note(Change::Display);
        refreshOffers();
    });
    column->addSpacing(8);
    column->addWidget(new Hairline(Qt::Horizontal, this));
    m_removed = new TextLabel({}, TextRole::Figure, Tone::Text, this);
    m_removedWords = paragraph({}, TextRole::Body, Tone::Text2, this);
    m_removedWords->setFixedWidth(kWidth);
    column->addWidget(m_removed);
    column->addWidget(m_removedWords);
    column->addStretch(1);
    return column;
}

void MaskPage::refresh(ChangeSet changes)
{
    if (changes.testFlag(Change::Changes) &&
        session().changes().mask.kind == MaskChange::Kind::Window) {
        const QSignalBlocker quiet(m_window);
        m_window->setValue(session().changes().mask.window);
    }
    const ViewSnapshot view = session().viewSnapshot();
    const bool empty = session().text().isEmpty();
    refreshPane(m_a, empty ? HeatmapContent() : maskOfVariant(view, Variant::A));
    refreshPane(m_b, empty ? HeatmapContent() : maskOfVariant(view, Variant::B));
    m_empty->setVisible(empty);
    m_asTrained->refresh(view, activePattern(view, Variant::A), m_window->value());
    m_asTrained->setVisible(!view.b && !empty);
    m_b.map->setVisible(view.b || empty);
    refreshOffers();
    refreshEffect();
}

void MaskPage::refreshPane(Pane& pane, HeatmapContent content)
{
    const bool shown = !content.matrix.isEmpty();
    const TokenPair pair = session().pair();
    pane.words->setText(shown ? describeMask(content.mask) : QString());
    pane.counted->setText(shown ? countAllowed(content) : QString());
    if (pair.query >= 0 && pair.query < content.matrix.rows)
        content.queryRow = pair.query;
    if (session().selection().pinned && content.matrix.contains({pair.query, pair.key}))
        content.current = HeatmapCell{pair.query, pair.key};
    content.stale = session().computation().isStale();
    pane.map->showMask(std::move(content));
}

void MaskPage::refreshOffers()
{
    const ViewSnapshot view = session().viewSnapshot();
    const HeatmapMatrix a = activePattern(view, Variant::A);
    const bool known = !a.isEmpty() && !session().text().isEmpty();
    const HeatmapMask own = known ? maskOf(*view.a, view.selection.headId()) : HeatmapMask();
    const QStringList rows =
        known ? labelsOf(view.a->queryTokens(view.selection.part), view.modelA) : QStringList();
    const AttentionKind part = view.selection.part;
    const bool masked = part != AttentionKind::EncoderSelf && part != AttentionKind::Cross;
    m_head->setText(
        masked ? tr("Effect of another mask on the weights of %1").arg(headTitle(view.selection))
               : tr("%1 has no mask to change; the buttons apply to the decoder")
                     .arg(headTitle(view.selection)));
    for (const Offer& offer : m_offers) {
        const MaskChange change{offer.kind, m_window->value(), {}, 0};
        offer.button->setChecked(session().changes().mask.kind == offer.kind);
        offer.button->setEnabled(session().model().model != nullptr);
        const auto mask = cellsOf(change, own);
        const bool says = known && masked && mask && offer.kind != MaskChange::Kind::AsTrained;
        offer.effect->setText(says ? effectText(maskEffect(a, own, *mask), rows) : QString());
        offer.effect->setVisible(says);
    }
}

void MaskPage::refreshEffect()
{
    const ViewSnapshot view = session().viewSnapshot();
    const HeatmapMatrix a = activePattern(view, Variant::A);
    const HeatmapMatrix b = activePattern(view, Variant::B);
    const bool same = !a.isEmpty() && a.rows == b.rows && a.columns == b.columns;
    if (!same || session().text().isEmpty()) {
        m_removed->clear();
        m_removedWords->setText(view.b ? tr("A and B have different lengths, so their masks "
                                            "are not comparable.")
                                       : QString());
        return;
    }
    const HeadId head = view.selection.headId();
    const MaskEffect effect = maskEffect(a, maskOf(*view.a, head), maskOf(*view.b, head), b);
    m_removed->setText(number(effect.removed, 3));
    m_removedWords->setText(
        tr("of a row's weight in A falls on keys that are hidden in B. In %1 the mask of B %2.")
            .arg(headTitle(view.selection),
                 effectText(effect, labelsOf(view.a->queryTokens(head.attention), view.modelA))));
}

Figure MaskPage::figure() const
{
    return maskFigure(session().viewSnapshot(), options());
}

QJsonObject MaskPage::options() const
{
    return {{"window", m_window->value()}};
}

void MaskPage::setOptions(const QJsonObject& options)
{
    m_window->setValue(options.value("window").toInt(m_window->value()));
}

QString MaskPage::hint() const
{
    return tr("Arrows move the cell \u00B7 the buttons change B \u00B7 Enter, Ctrl+click: a "
              "weight's origin");
}

/// Value of the active head in the cell: its weight, or the score that the mask hides.
MaybeNumber MaskPage::cellNumberOf(const Pane& pane, HeatmapCell cell) const
{
    const ViewSnapshot view = session().viewSnapshot();
    const Variant variant = &pane == &m_b ? Variant::B : Variant::A;
    if (!view.trace(variant))
        return std::nullopt;
    const Selection& at = view.selection;
    const bool hidden = pane.map->content().isHidden(cell);
    const TraceKey key = hidden ? scoresKey(at.part, at.layer) : patternKey(at.part, at.layer);
    return ShownNumber{cellNumber(key, {at.head, cell.row, cell.column}), variant};
}

MaybeNumber MaskPage::numberAt(std::optional<QPoint> place) const
{
    const bool keysOnB = !place && m_b.map->hasFocus();
    for (const Pane* pane : {&m_a, &m_b}) {
        const bool meant = place || keysOnB == (pane == &m_b);
        const auto cell = meant ? cellAt(*pane->map, place) : std::nullopt;
        if (cell)
            return cellNumberOf(*pane, *cell);
    }
    return std::nullopt;
}

PageDescriptor MaskPage::descriptor()
{
    return {.name = "mask",
            .title = tr("Mask"),
            .question = tr("Which keys can each query attend to?"),
            .group = PageGroup::Inside,
            .icon = "<rect x='2.75' y='2.75' width='14.5' height='14.5' rx='1'/><path d='M3 3l14 "
                    "14v-14z' fill='@'/>",
            .help = tr("See which keys each query can attend to. Paint cells to mask them in B."),
            .terms = {"causal mask", "mask"},
            .make = makePage<MaskPage>,
            .figure = maskFigure};
}

} // namespace headscope::ui
