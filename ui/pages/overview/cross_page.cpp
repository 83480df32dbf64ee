#include "ui/pages/overview/cross_page.h"

#include "ui/pages/overview/cross_figure.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/figures/legend_map.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/pages/shared/part_bar.h"
#include "ui/pages/shared/variant_bar.h"
#include "ui/session/samples.h"
#include "ui/widgets/attention/alignment_widget.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/heads/head_grid.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/labels.h"

#include <QKeyEvent>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kSideWidth = 320;
constexpr int kGridWidth = 200;
constexpr const char* kExample = "builtin:dates";

} // namespace

CrossPage::CrossPage(Session& session)
    : Page(session)
    , m_variant(new VariantBar(session, this))
    , m_of(new SegmentBar(this))
    , m_source(caption({}, this))
    , m_ribbons(new AlignmentWidget(this))
    , m_count(caption({}, this))
    , m_sentence(paragraph({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_map(new LegendMap(this))
    , m_grid(new HeadGridWidget(this))
    , m_bars(new BarsWidget)
{
    new PageFrame(*this, {makeTopRow(),
                          rowOf(kStyleSpacing, {{m_source, 1}, m_count}),
                          m_ribbons,
                          Placed::gap(8),
                          {makeBody(), 1}});
    m_source->setObjectName("source");
    m_empty = new EmptyState(this);
    connectWidgets();
    setMainWidget(m_map->map());
}

QLayout* CrossPage::makeTopRow()
{
    m_of->setSegments({{tr("This head"), tr("The active head alone")},
                       {tr("Layer's mean"), tr("Mean over the heads of the active layer")},
                       {tr("Mean of all"), tr("Mean over all layers and heads")}});
    m_of->setAccessibleName(tr("Heads of the alignment"));
    return rowOf(12, {heading(tr("Source above, output below"), this), Placed::space(),
                      new PartBar(session(), this), m_variant, m_of});
}

QLayout* CrossPage::makeBody()
{
    m_map->map().setAccessibleName(tr("Target tokens by source tokens"));
    m_grid->setAccessibleName(tr("Cross-attention heads"));
    m_bars->setAccessibleName(tr("Strongest source token of each target token"));
    auto* scroll = transparentScroll(m_bars, this);
    scroll->setFixedWidth(kSideWidth);
    m_sentence->setFixedWidth(kSideWidth);
    m_grid->setFixedWidth(kGridWidth);
    m_side = new QWidget(this);
    auto* output = heading(tr("Output \u2190 attends most to"), this);
    rowOf(40,
          {columnOf(8, {output, m_sentence, {scroll, 1}}),
           columnOf(8, {heading(tr("Heads"), this), {m_grid, 1}})},
          m_side);
    return rowOf(40, {{m_map, 1}, m_side});
}

void CrossPage::connectWidgets()
{
    connect(m_of, &SegmentBar::currentChanged, this, [this](int index) {
        m_options.of = static_cast<AlignmentOf>(index);
        refresh({});
    });
    connect(m_ribbons, &AlignmentWidget::tokenActivated, this,
            [this](int row) { choose(row, std::nullopt); });
    connect(m_ribbons, &AlignmentWidget::released, this, &CrossPage::escape);
    connect(m_bars, &BarsWidget::barActivated, this, [this](int row) {
        if (m_options.pinned && m_content.row == row)
            escape(); // a second click lets go
        else
            choose(row, std::nullopt);
    });
    connect(&m_map->map(), &HeatmapWidget::cellActivated, this,
            [this](HeatmapCell cell) { choose(cell.row, cell.column); });
    connect(&m_map->map(), &HeatmapWidget::currentClicked, this, &CrossPage::escape);
    connect(&m_map->map(), &HeatmapWidget::cellOpened, this, [this](HeatmapCell cell) {
        if (const auto number = crossNumber(session().viewSnapshot(), m_options, cell))
            emit numberWanted(*number);
    });
    connect(m_grid, &HeadGridWidget::headActivated, this, [this](GridCell head) {
        m_options.of = AlignmentOf::Head;
        session().view().activateHead(head.layer, head.head);
        refresh({});
    });
    connect(m_empty, &EmptyState::buttonPressed, this, &CrossPage::openExample);
}

// ---------------------------------------------------------------------------- selection

void CrossPage::choose(int row, std::optional<int> column)
{
    const auto& rows = m_content.pattern.rowTokens;
    const auto& columns = m_content.pattern.columnTokens;
    if (row < 0 || row >= static_cast<int>(rows.size()))
        return;
    const int key = column.value_or(m_content.strongest[static_cast<std::size_t>(row)]);
    m_options.pinned = true;
    session().view().selectPair(rows[static_cast<std::size_t>(row)].back(),
                                columns[static_cast<std::size_t>(key)].front());
    refresh({});
}

bool CrossPage::escape()
{
    if (!m_options.pinned)
        return false;
    m_options.pinned = false;
    session().view().releasePair();
    refresh({});
    return true;
}

void CrossPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !escape())
        Page::keyPressEvent(event);
}

void CrossPage::openExample()
{
    const QString name = QString::fromLatin1(kExample);
    session().document().replaceText(sampleSentence(name));
    session().models().open(name);
}

// ------------------------------------------------------------------------------------- following

void CrossPage::refresh(ChangeSet changes)
{
    if (session().models().readsTarget() && session().selection().part != AttentionKind::Cross)
        session().view().activatePart(AttentionKind::Cross);
    if ((changes & Change::Selection) && !session().selection().pinned)
        m_options.pinned = false;
    const ViewSnapshot view = session().viewSnapshot();
    m_content = session().text().isEmpty() ? CrossContent() : crossContent(view, m_options);
    m_of->setCurrent(static_cast<int>(m_options.of));
    refreshGrid(view);
    m_ribbons->setContent(crossAlignment(m_content, m_options, view.stale));
    HeatmapContent map = crossMap(m_content, view);
    if (!m_options.pinned) { // nothing is meant yet
        map.queryRow.reset();
        map.current.reset();
    }
    MapWithLegend shown;
    shown.map = std::move(map);
    shown.legend = crossLegend(m_content, view);
    m_map->setShown(std::move(shown));
    m_bars->setBars(crossBars(m_content));
    BarsOptions bars;
    bars.largest = 1.0;
    m_bars->setOptions(bars);
    refreshTexts();
    refreshEmptyState(view);
}

void CrossPage::refreshGrid(const ViewSnapshot& view)
{
    HeadGridContent grid;
    if (hasCrossAttention(view)) {
        grid.layers = view.trace()->layerCount(AttentionKind::Cross);
        grid.heads = view.trace()->headCount(AttentionKind::Cross);
        const auto found = view.thumbnails().find(AttentionKind::Cross);
        if (found != view.thumbnails().end())
            grid.thumbnails = found->second;
        ViewSnapshot cross = view;
        cross.selection.part = AttentionKind::Cross;
        if (const std::vector<ThumbnailPtr>* hidden = m_hidden.of(cross))
            grid.thumbnails = *hidden;
        grid.selected = GridCell{view.selection.layer, view.selection.head};
    }
    grid.thumbnails.resize(static_cast<std::size_t>(grid.layers * grid.heads));
    grid.map = view.shown == Variant::Difference ? MapName::Balance : view.colourMap;
    for (const HeadOff& off : view.changes.headsOff) {
        if (off.head.attention == AttentionKind::Cross)
            grid.switchedOff.insert({off.head.layer, off.head.head});
    }
    m_grid->setContent(std::move(grid));
}

void CrossPage::refreshTexts()
{
    QString source = m_content.what;
    if (!source.isEmpty() && session().document().target().isEmpty())
        source = tr("%1 \u00B7 no target entered: the model's own output is shown").arg(source);
    if (!m_content.hidden.isEmpty())
        source += QStringLiteral(" \u00B7 ") + m_content.hidden;
    if (!source.isEmpty())
        source[0] = source[0].toUpper();
    m_source->setText(source);
    const AlignmentContent& ribbons = m_ribbons->content();
    m_count->setText(ribbons.isEmpty() ? QString() : ribbonCountText(ribbons));
    const QString sentence =
        m_options.pinned && m_content.row ? crossSentence(m_content, *m_content.row) : QString();
    m_sentence->setText(
        sentence.isEmpty()
            ? tr("Weight of the strongest source token. Select one to see its ribbons.")
            : sentence);
    m_ribbons->setDescription(sentence);
}

void CrossPage::refreshEmptyState(const ViewSnapshot& view)
{
    const bool noModel = session().models().isBlank();
    const bool oneStack = view.a && !session().models().readsTarget();
    const bool noText = session().text().isEmpty();
    const bool empty = noModel || oneStack || noText || !m_content.problem.isEmpty();
    for (QWidget* part : {static_cast<QWidget*>(m_ribbons), static_cast<QWidget*>(m_map), m_side})
        part->setVisible(!empty && view.a != nullptr);
    m_empty->setVisible(empty);
    m_empty->raise();
    if (noModel)
        m_empty->setTexts(tr("No model is open"),
                          tr("Open an encoder\u2013decoder, or use the built-in one."),
                          tr("Open the dates model"));
    else if (oneStack)
        m_empty->setTexts(tr("This model has no cross-attention"),
                          tr("It reads and writes one text. Cross-attention joins two: a source "
                             "that an encoder reads and a target that a decoder writes. The "
                             "built-in dates model turns \u201Cmarch 5, 1987\u201D into "
                             "\u201C1987-03-05\u201D."),
                          tr("Open the dates model"));
    else if (noText)
        m_empty->askForText(session(),
                            tr("Type a source above to see its alignment with the output."));
    else
        m_empty->setTexts(tr("There is no difference to show"), m_content.problem, {});
}

// ------------------------------------------------------------------------------------------- page

Figure CrossPage::figure() const
{
    return crossFigure(session().viewSnapshot(), m_options);
}

QJsonObject CrossPage::options() const
{
    return m_options.toJson();
}

void CrossPage::setOptions(const QJsonObject& options)
{
    m_options = CrossOptions::fromJson(options);
    refresh({});
}

MaybeNumber CrossPage::numberAt(std::optional<QPoint> place) const
{
    auto cell = cellAt(m_map->map(), place);
    if (!cell && !place && m_content.row) // nothing is meant: the selected token's strongest
        cell = HeatmapCell{*m_content.row,
                           m_content.strongest[static_cast<std::size_t>(*m_content.row)]};
    return cell ? crossNumber(session().viewSnapshot(), m_options, *cell) : Page::numberAt(place);
}

QString CrossPage::hint() const
{
    return tr("Click a target token: its ribbons stand out \u00B7 Esc: all \u00B7 Ctrl+click: a "
              "number's origin");
}

PageDescriptor CrossPage::descriptor()
{
    return {.name = "cross",
            .title = tr("Cross"),
            .question = tr("Which source tokens does each output token attend to?"),
            .mode = tr("Alignment"),
            .icon = "<path d='M2.75 4h5M12.25 4h5M2.75 16h5M12.25 16h5M5 6.5C5 11 15 9 15 13.5M15 "
                    "6.5C15 11 5 9 5 13.5'/>",
            .help = tr(
                "Which source tokens the output of an encoder-decoder attends to, token by token."),
            .terms = {"cross-attention", "cross attention", "encoder-decoder"},
            .make = makePage<CrossPage>,
            .figure = [](const ViewSnapshot& view, const QJsonObject& options) {
                return crossFigure(view, options);
            }};
}

} // namespace headscope::ui
