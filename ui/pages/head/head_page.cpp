#include "ui/pages/head/head_page.h"

#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/figures/legend_map.h"
#include "ui/pages/shared/map_kind_box.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/pages/shared/part_bar.h"
#include "ui/pages/shared/variant_bar.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/heatmap/heatmap_sink.h"
#include "ui/widgets/labels.h"

#include <QCheckBox>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

QString valueText(const HeatmapContent& map, double value)
{
    return map.scale.isSigned() ? signedNumber(value, 3) : readoutNumber(value);
}

double rowSum(const HeatmapContent& map, int row)
{
    double sum = 0.0;
    for (int key = 0; key < map.matrix.columns; ++key)
        sum += map.isHidden({row, key}) ? 0.0 : double{map.matrix.at({row, key})};
    return sum;
}

/// "row sum 0.612 + sink 0.388", or the sum alone where there is no sink.
QString rowSumText(const HeatmapContent& map, int row)
{
    const QString sum = HeadPage::tr("row sum %1").arg(valueText(map, rowSum(map, row)));
    const auto place = static_cast<std::size_t>(row);
    if (place >= map.sink.size() || std::isnan(map.sink[place]))
        return sum;
    return HeadPage::tr("%1 + sink %2").arg(sum, valueText(map, double{map.sink[place]}));
}

/// "row sum 1.000, “Mary” receives 3.210": sums over the shown cells only.
QString sumsText(const HeatmapContent& map, HeatmapCell cell)
{
    double column = 0.0;
    for (int query = 0; query < map.matrix.rows; ++query)
        column +=
            map.isHidden({query, cell.column}) ? 0.0 : double{map.matrix.at({query, cell.column})};
    return HeadPage::tr("%1 \u00B7 \u201C%2\u201D receives %3")
        .arg(rowSumText(map, cell.row), map.columnLabel(cell.column), valueText(map, column));
}

std::vector<MapKind> kindsOfOneHead()
{
    std::vector<MapKind> kinds = switchableKinds();
    kinds.insert(kinds.begin() + 1, {MapKind::Scores, MapKind::ValueWeighted});
    return kinds;
}

} // namespace

HeadPage::HeadPage(Session& session)
    : Page(session)
    , m_readOut(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_part(new PartBar(session, this))
    , m_variant(new VariantBar(session, this))
    , m_kind(new MapKindBox(kindsOfOneHead(), this))
    , m_scale(new SegmentBar(this))
    , m_sums(new QCheckBox(tr("Sums"), this))
    , m_wholeMap(new QPushButton(this))
    , m_map(new LegendMap(this))
    , m_row(rowOf(24, {{m_map, 1}}))
    , m_empty(new EmptyState(&m_map->map()))
    , m_source([this] {
        refreshMap();
        refreshEmptyState();
    })
    , m_maps([this] {
        refreshMap();
        refreshEmptyState();
    })
{
    m_map->map().setAccessibleName(tr("Attention pattern of one head"));
    m_map->map().setZoomable(true);
    m_scale->setAccessibleName(tr("Scale of the colours"));
    m_scale->setSegments({{tr("0 to 1"), {}},
                          {tr("This head"), tr("Up to the largest value of this head")},
                          {tr("Each row"), tr("Every row up to its own largest value")},
                          {tr("Log"), tr("Each step of colour is a factor: small values show")},
                          {tr("Rank"), tr("By rank among all values of this head")}});
    m_sums->setToolTip(tr("The sum of each row, and the attention each key receives"));
    m_readOut->setObjectName("readOut");
    m_readOut->setMinimumWidth(80); // may be cut before anything else is
    m_wholeMap->setProperty("role", "link");
    m_wholeMap->hide();
    new PageFrame(*this, {makeControls(), makeReadOutRow(), {m_row, 1}});
    connectWidgets();
    setMainWidget(m_map->map());
}

QLayout* HeadPage::makeControls()
{
    return rowOf(12, {m_kind, Placed::gap(4),
                      new TextLabel(tr("Scale"), TextRole::Body, TextLabel::Tone::Text2, this),
                      m_scale, m_sums, Placed::space()});
}

QLayout* HeadPage::makeReadOutRow()
{
    return rowOf(12, {m_part, m_variant, {m_readOut, 1}, m_wholeMap});
}

void HeadPage::connectWidgets()
{
    HeatmapWidget& map = m_map->map();
    connect(&map, &HeatmapWidget::cellActivated, this, [this](HeatmapCell cell) {
        const TokenPair pair = m_map->pairAt(cell);
        session().view().selectPair(pair.query, pair.key);
    });
    connect(&map, &HeatmapWidget::currentClicked, this, [this](HeatmapCell cell) {
        const TokenPair pair = m_map->pairAt(cell);
        if (session().selection().pinned)
            session().view().releasePair(); // a second click undoes the first
        else
            session().view().selectPair(pair.query, pair.key);
    });
    connect(&map, &HeatmapWidget::cellOpened, this, [this](HeatmapCell cell) {
        const ViewSnapshot view = session().viewSnapshot();
        if (const auto number = mapNumber(view, view.shown, m_options.kind, cell))
            emit numberWanted(*number);
    });
    connect(&map, &HeatmapWidget::cellHovered, this, &HeadPage::refreshReadOut);
    connect(&map, &HeatmapWidget::sinkPointed, this, &HeadPage::refreshSinkReadOut);
    connect(&map, &HeatmapWidget::zoomChanged, this, &HeadPage::refreshZoom);
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        m_options.kind = m_kind->kind();
        refreshMap();
        refreshEmptyState();
    });
    connect(m_scale, &SegmentBar::currentChanged, this, [this](int index) {
        m_options.scale = static_cast<MapScale>(index);
        refreshMap();
    });
    connect(m_sums, &QCheckBox::clicked, this, [this](bool on) {
        m_options.sums = on;
        refreshMap();
    });
    connect(m_wholeMap, &QPushButton::clicked, this, [&map] { map.resetZoom(); });
}

void HeadPage::setSide(QWidget* side, int width)
{
    if (side && m_row->indexOf(side) < 0)
        m_row->addWidget(side);
    m_row->setStretch(0, std::max(this->width() - width, 1));
    m_row->setStretch(1, side ? width : 0);
}

Figure HeadPage::figure() const
{
    return headFigure(session().viewSnapshot(), options());
}

QJsonObject HeadPage::options() const
{
    return toJson(m_options);
}

void HeadPage::setOptions(const QJsonObject& options)
{
    m_options = headOptions(options);
    refreshMap();
}

QString HeadPage::hint() const
{
    return tr("Arrows move the cell \u00B7 Ctrl+wheel enlarges \u00B7 Esc shows all \u00B7 "
              "Ctrl+click: a number's origin");
}

MaybeNumber HeadPage::numberAt(std::optional<QPoint> place) const
{
    if (!place && m_map->map().sinkRow())
        return std::nullopt; // the selected pair is elsewhere
    const ViewSnapshot view = session().viewSnapshot();
    if (const auto cell = cellAt(m_map->map(), place))
        return mapNumber(view, view.shown, m_options.kind, *cell);
    return Page::numberAt(place);
}

QString HeadPage::whyNoNumber() const
{
    return isAttributed(m_options.kind)
               ? tr("An attribution depends on the whole forward pass. Choose \u201CAttention weights\u201D to see where a cell comes from.")
               : Page::whyNoNumber();
}

bool HeadPage::escape()
{
    if (m_map->map().resetZoom())
        return true;
    if (!session().selection().pinned)
        return false;
    session().view().releasePair();
    return true;
}

void HeadPage::refresh(ChangeSet)
{
    refreshMap();
    refreshEmptyState();
}

void HeadPage::refreshMap()
{
    const ViewSnapshot view = session().viewSnapshot();
    m_kind->setKind(m_options.kind);
    m_source.want(view, {m_options.kind, view.selection.layer});
    m_sums->setChecked(m_options.sums);
    m_sums->setEnabled(m_options.kind != MapKind::Scores);
    refreshScales();
    if (m_source.waits() && !session().text().isEmpty()) { // the last picture stays
        m_shown.map.stale = true;
        m_map->setShown(m_shown);
        m_readOut->setText(
            tr("%1: computing, %2 %")
                .arg(titleOf(m_options.kind), number(100.0 * m_source.fraction(), 0)));
        return;
    }
    m_maps.want(view,
                {view.shown, m_options.kind, m_options.scale, m_options.sums, &m_source.runs()});
    m_shown = m_maps.map();
    if (session().text().isEmpty())
        m_shown.map.matrix = {};
    m_map->setShown(m_shown);
    refreshReadOut(std::nullopt);
}

/// Scores have no fixed range: "0 to 1" is disabled, says why, and the head's range is used.
void HeadPage::refreshScales()
{
    const bool bounded = m_options.kind == MapKind::Weights || isAttributed(m_options.kind);
    m_scale->setSegmentEnabled(0, bounded,
                               bounded ? tr("The same colours for every head and text")
                                       : tr("These values have no fixed range"));
    const bool falls = !bounded && m_options.scale == MapScale::Absolute;
    m_scale->setCurrent(static_cast<int>(falls ? MapScale::PerHead : m_options.scale));
}

void HeadPage::refreshReadOut(std::optional<HeatmapCell> cell)
{
    const HeatmapContent& map = m_shown.map;
    const auto sink = m_map->map().sinkRow();
    if (!cell && sink && static_cast<std::size_t>(*sink) < map.sink.size())
        return refreshSinkReadOut(sink);
    if (!cell)
        cell = map.current;
    QStringList words;
    if (!m_shown.problem.isEmpty())
        words << m_shown.problem;
    else if (cell && map.matrix.contains(*cell))
        words << describeCell(map, *cell);
    if (cell && map.matrix.contains(*cell) && m_options.kind != MapKind::Scores)
        words << meaningText(*cell);
    m_readOut->setText((words + notesOnMap()).join(QStringLiteral(" \u00B7 ")));
}

/// The sink of a row, and what it and the row's keys sum to.
void HeadPage::refreshSinkReadOut(std::optional<int> row)
{
    const HeatmapContent& map = m_shown.map;
    if (!row || static_cast<std::size_t>(*row) >= map.sink.size())
        return refreshReadOut(std::nullopt);
    const QStringList words{describeSink(map, *row), rowSumText(map, *row)};
    m_readOut->setText((words + notesOnMap()).join(QStringLiteral(" \u00B7 ")));
}

QStringList HeadPage::notesOnMap() const
{
    if (!m_shown.hidesTokens)
        return {};
    return {hiddenMassText(session().viewSnapshot(), m_shown.hiddenMass)};
}

/// The cell's effect in logits, or the sums of its row and column.
QString HeadPage::meaningText(HeatmapCell cell) const
{
    const HeatmapContent& map = m_shown.map;
    const Variant variant = session().view().shownVariant();
    const AttributedRunPtr& made = m_source.runs().of(variant);
    const auto layer = static_cast<std::size_t>(session().selection().layer);
    if (!isSigned(m_options.kind) || !made || layer >= made->unit.size() ||
        variant == Variant::Difference)
        return sumsText(map, cell);
    const QString worth =
        tr("%1 logits").arg(signedNumber(double{map.matrix.at(cell)} * made->unit[layer], 4));
    return made->note.isEmpty() ? worth : worth + QStringLiteral(" \u00B7 ") + made->note;
}

void HeadPage::refreshZoom()
{
    const double factor = m_map->map().zoomFactor();
    m_wholeMap->setVisible(factor > 1.0);
    m_wholeMap->setText(tr("Zoom %1\u00D7: show all").arg(number(factor, 1)));
}

void HeadPage::refreshEmptyState()
{
    EmptyText words;
    if (isAttributed(m_options.kind) && !m_shown.problem.isEmpty() && !m_source.waits())
        words = {tr("This map is not available"), m_shown.problem};
    m_empty->refresh(session(), tr("Type a sentence above: attention follows every key."), words);
}

PageDescriptor HeadPage::descriptor()
{
    return {
        .name = "head",
        .title = tr("Head"),
        .question = tr("What does this head attend to, cell by cell?"),
        .mode = tr("Map"),
        .icon = "<rect x='2.75' y='2.75' width='14.5' height='14.5' rx='1.5'/><path d='M7.6 "
                "2.75v14.5M12.4 2.75v14.5M2.75 7.6h14.5M2.75 12.4h14.5'/><rect x='7.6' "
                "y='7.6' width='4.8' height='4.8' fill='@'/>",
        .help = tr(
            "One head in full: its attention pattern with row and column sums, on the scale of your choice. Zoom in to read the numbers."),
        .terms = {"attention weight", "attention pattern", "attention"},
        .make = makePage<HeadPage>,
        .figure = headFigure};
}

} // namespace headscope::ui
