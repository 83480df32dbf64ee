#include "ui/pages/head/distance_page.h"

#include "ui/pages/head/distance_number.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/pages/shared/maps/sink_mass.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/pages/shared/variant_bar.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/charts/distance/distance_chart.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/heads/head_squares.h"
#include "ui/widgets/labels.h"

#include <QElapsedTimer>

#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kSideWidth = 288;
constexpr double kSliceMs = 8.0; ///< Time on the GUI thread between two turns of the event loop

} // namespace

DistancePage::DistancePage(Session& session)
    : Page(session)
    , m_title(heading({}, this))
    , m_note(caption({}, this))
    , m_controls(new QWidget(this))
    , m_axis(new SegmentBar(this))
    , m_squares(new HeadSquares(this))
    , m_chart(new DistanceChart(this))
    , m_empty(nullptr)
    , m_longDistances([this] { showDistances(this->session().viewSnapshot()); })
    , m_curves([this] {
        const ViewSnapshot view = this->session().viewSnapshot();
        refreshChart(view);
        refreshEmptyState(view);
    })
{
    m_axis->setSegments({{tr("Automatic"), tr("Doubling from 65 tokens on")},
                         {tr("Every distance"), tr("One point each")},
                         {tr("Doubling"), tr("0, 1, 2\u20133, 4\u20137, 8\u201315 ...")}});
    m_axis->setAccessibleName(tr("Distances"));
    m_squares->setAccessibleName(tr("Heads shown"));
    rowOf(12, {new VariantBar(session, this), m_axis}, m_controls);
    constexpr int kRing = 4; // the squares keep it free for their focus ring
    auto* squares = rowOf(0, {m_squares});
    squares->setContentsMargins(-kRing, 0, -kRing, 0);
    new PageFrame(*this,
                  {topRow(m_title, {m_controls}, m_note),
                   squares,
                   {rowOf(24, {{m_chart, 1}, makeSide()}), 1}},
                  12);
    m_margins = layout()->contentsMargins();
    m_empty = new EmptyState(this);
    m_more.setSingleShot(true);
    connectWidgets();
    setMainWidget(*m_chart);
}

QWidget* DistancePage::makeSide()
{
    m_side = new QWidget(this);
    m_side->setFixedWidth(kSideWidth);
    m_mapTitle = heading(tr("Mean distance of every head"), m_side);
    m_grid = new HeadGridWidget(m_side);
    m_grid->setAccessibleName(tr("Mean distance of every head"));
    m_legend = new ColourBar(m_side);
    m_barsTitle = heading({}, m_side);
    m_bars = new BarsWidget;
    m_bars->setFocusPolicy(Qt::StrongFocus);
    m_bars->setAccessibleName(tr("Mean distance of the heads of this layer"));
    auto* scroll = transparentScroll(m_bars, m_side);
    columnOf(8, {m_mapTitle, {m_grid, 1}, m_legend, Placed::gap(8), m_barsTitle, {scroll, 1}},
             m_side);
    return m_side;
}

void DistancePage::connectWidgets()
{
    connect(m_axis, &SegmentBar::currentChanged, this, [this](int index) {
        m_options.axis = static_cast<DistanceOptions::Axis>(index);
        note(Change::Display);
    });
    connect(m_squares, &HeadSquares::choiceChanged, this, [this] {
        m_options.headsBySlot = m_squares->choice().bySlot();
        note(Change::Display);
    });
    connect(m_chart, &DistanceChart::headChosen, this, &DistancePage::chooseHead);
    connect(m_chart, &DistanceChart::binOpened, this, [this] { traceNumber(); });
    connect(m_chart, &DistanceChart::distancePinned, this,
            [this] { m_options.distance = m_chart->pinned(); });
    connect(m_bars, &BarsWidget::barActivated, this, &DistancePage::chooseHead);
    connect(m_grid, &HeadGridWidget::headActivated, this,
            [this](GridCell head) { session().view().activateHead(head.layer, head.head); });
    connect(&m_more, &QTimer::timeout, this, &DistancePage::computeMore);
    m_grid->setToolTipText([this](GridCell head) {
        return tr("Mean distance %1").arg(number(distances().at(head), 2));
    });
}

void DistancePage::chooseHead(int head)
{
    session().view().activateHead(session().selection().layer, head);
}

Figure DistancePage::figure() const
{
    return distanceFigure(session().viewSnapshot(), options());
}

QJsonObject DistancePage::options() const
{
    return m_options.toJson();
}

void DistancePage::setOptions(const QJsonObject& options)
{
    m_options = DistanceOptions::fromJson(options);
    m_axis->setCurrent(static_cast<int>(m_options.axis));
    m_chart->pinDistance(m_options.distance);
    note(Change::Display);
}

void DistancePage::setCompact(bool compact)
{
    if (m_compact == compact)
        return;
    m_compact = compact;
    layout()->setContentsMargins(compact ? QMargins() : m_margins);
    setSizePolicy(compact ? QSizePolicy::Ignored : QSizePolicy::Preferred, QSizePolicy::Preferred);
    note(Change::Display);
}

QString DistancePage::hint() const
{
    return tr("\u2190\u2192 distance \u00B7 \u2191\u2193 head \u00B7 Click pins \u00B7 "
              "Double-click isolates \u00B7 Enter, Ctrl+click: a mean's origin");
}

MaybeNumber DistancePage::numberAt(std::optional<QPoint> place) const
{
    const ViewSnapshot view = session().viewSnapshot();
    const DistanceContent& content = m_chart->content();
    const auto inside = within(*m_chart, place);
    const auto bin = place ? (inside ? m_chart->axes().binAt(*inside) : std::nullopt) : content.bin;
    if (bin && *bin < static_cast<int>(content.bins.size()))
        return distanceNumber(view, place ? m_chart->headAt(*inside) : content.subject,
                              content.bins[static_cast<std::size_t>(*bin)]);
    if (!place)
        return meanDistanceNumber(view, {view.selection.layer, view.selection.head});
    if (m_compact)
        return std::nullopt;
    const auto onGrid = within(*m_grid, place);
    if (const auto head = onGrid ? m_grid->layoutNow().headAt(*onGrid) : std::nullopt)
        return meanDistanceNumber(view, *head);
    const auto bar = m_bars->barAt(place);
    return bar ? meanDistanceNumber(view, {view.selection.layer, *bar}) : std::nullopt;
}

QString DistancePage::whyNoNumber() const
{
    return tr(
        "Select a distance first. For very long texts, a mean has too many operands to list.");
}

bool DistancePage::escape()
{
    if (!m_chart->pinned())
        return false;
    m_options.distance.reset();
    m_chart->pinDistance(std::nullopt);
    return true;
}

void DistancePage::refresh(ChangeSet)
{
    const ViewSnapshot view = session().viewSnapshot();
    refreshChart(view);
    refreshEmptyState(view);
    if (!m_compact)
        computeMore();
}

void DistancePage::refreshChart(const ViewSnapshot& view)
{
    const bool blank = session().text().isEmpty();
    const HeadChoice choice = distanceHeads(view, m_options);
    if (!blank)
        m_curves.want({ViewKey(view), m_options.toJson(), choice}, !isLongText(view),
                      [view, options = m_options, choice](const std::stop_token&) {
                          return distanceContent(view, options, choice);
                      });
    DistanceContent content = blank ? DistanceContent() : m_curves.content();
    content.stale = view.stale || m_curves.waits();
    m_title->setText(tr("Attention by distance"));
    m_note->setText(noteText(view, choice, content));
    m_squares->setChoice(choice);
    m_chart->setContent(std::move(content));
}

/// "Layer 3 · 8 of 9 heads shown", and what the curves leave out.
QString DistancePage::noteText(const ViewSnapshot& view, const HeadChoice& choice,
                               const DistanceContent& content)
{
    const QString part = QString::fromStdString(toString(view.selection.part));
    const QString layer =
        (part.isEmpty() ? tr("Layer %1") : part + QLatin1Char(' ') + tr("layer %1"))
            .arg(view.selection.layer);
    QStringList parts{
        layer, tr("%1 of %2 heads shown").arg(choice.shown().size()).arg(choice.heads()),
        sinkNote(content.sinkMass, content.isDifference), hiddenMassText(view, std::nullopt)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" \u00B7 "));
}

void DistancePage::refreshEmptyState(const ViewSnapshot& view)
{
    const bool blank = session().text().isEmpty() || !view.trace();
    const bool empty = m_chart->content().isEmpty();
    m_empty->setVisible(empty);
    for (QWidget* part : {static_cast<QWidget*>(m_chart), static_cast<QWidget*>(m_note),
                          static_cast<QWidget*>(m_axis)})
        part->setVisible(!empty);
    for (QWidget* part : {m_side, static_cast<QWidget*>(m_squares)})
        part->setVisible(!empty && !m_compact);
    m_controls->setVisible(!m_compact);
    if (session().models().isBlank())
        m_empty->askForModel();
    else if (blank)
        m_empty->askForText(session(),
                            tr("Type a sentence above to see how far back its heads attend."));
    else
        m_empty->setTexts(tr("Nothing to show"), distanceProblem(view), {});
}

/// A few milliseconds of heads, then the rest in later turns of the event loop.
void DistancePage::computeMore()
{
    const ViewSnapshot view = session().viewSnapshot();
    if (!isVisible() || m_compact)
        return;
    m_isLong = isLongText(view);
    if (m_isLong) {
        ViewKey allHeads(view);
        allHeads.head = {view.selection.part, 0, 0};
        m_longDistances.want(std::move(allHeads), false, [view](const std::stop_token& stop) {
            MeanDistances distances;
            for (distances.start(view); !distances.isDone() && !stop.stop_requested();)
                distances.step(view);
            return distances;
        });
        if (!m_longDistances.waits()) // Otherwise the last map stays.
            showDistances(view);
        return;
    }
    m_distances.start(view);
    QElapsedTimer timer;
    timer.start();
    while (!m_distances.isDone() && static_cast<double>(timer.nsecsElapsed()) / 1e6 < kSliceMs)
        m_distances.step(view);
    if (!m_distances.isDone())
        m_more.start(0);
    showDistances(view);
}

const MeanDistances& DistancePage::distances() const
{
    return m_isLong ? m_longDistances.content() : m_distances;
}

void DistancePage::showDistances(const ViewSnapshot& view)
{
    DistanceMap map = distanceMap(view, distances());
    const HeadGridLayout wanted(QRectF(0, 0, kSideWidth, 4096), map.grid, Theme::of(*this));
    m_grid->setMaximumHeight(static_cast<int>(std::ceil(wanted.size().height())) + 8);
    m_grid->setContent(std::move(map.grid));
    m_legend->setContent(std::move(map.legend));
    showBars(view);
}

void DistancePage::showBars(const ViewSnapshot& view)
{
    const int layer = view.selection.layer;
    m_barsTitle->setText(tr("Layer %1, mean distance").arg(layer));
    std::vector<Bar> bars;
    for (int head = 0; head < distances().heads(); ++head) {
        const double value = distances().at({layer, head});
        if (std::isnan(value))
            continue;
        Bar bar;
        bar.label = tr("Head %1").arg(head);
        bar.value = value;
        bar.role = head == view.selection.head ? Role::Accent : Role::Plain;
        bar.subject = head == view.selection.head;
        if (const double before = distances().before({layer, head}); !std::isnan(before)) {
            bar.before = before;
            bar.value = before + value;
        }
        bars.push_back(std::move(bar));
    }
    m_bars->setOptions({0.0, 2, 0.0, {}});
    m_bars->setBars(std::move(bars));
}

PageDescriptor DistancePage::descriptor()
{
    return {
        .name = "distance",
        .title = tr("Distance"),
        .question = tr("How far back does each head attend?"),
        .mode = tr("Distance"),
        .icon = "<path d='M3 3v14h14'/><path d='M6 5c1 6 4 8.5 11 9'/>",
        .help = tr(
            "How far back heads attend: mean attention weight by the distance between query and key."),
        .terms = {"window", "sliding window", "position"},
        .make = makePage<DistancePage>,
        .figure = distanceFigure};
}

} // namespace headscope::ui
