#include "ui/widgets/charts/lines/line_chart_plot.h"

#include "ui/widgets/charts/scene/chart_scene.h"
#include "ui/widgets/charts/scene/decimate.h"
#include "ui/widgets/charts/scene/end_labels.h"
#include "ui/widgets/charts/scene/free_areas.h"
#include "ui/widgets/tr.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace headscope::ui {

namespace {

constexpr double kLabelPitch = 15.0;
constexpr double kLeastPitch = 14.0; ///< In low charts: a line of bold text with its descenders.
constexpr double kSquare = 10.0;
constexpr double kNoteRow = 18.0;
constexpr double kBeside = 6.0; ///< Gap between the plot and the numbers at its right.
constexpr double kColumnGap = 12.0;
constexpr int kTicks = 5;
constexpr int kTimeTicks = 7;

QColor colourOf(const LineChartCurve& curve, const Theme& theme)
{
    switch (curve.tone) {
    case LineChartCurve::Tone::Subject:
        return theme.accent;
    case LineChartCurve::Tone::Plain:
        return theme.text2;
    case LineChartCurve::Tone::Head:
        return theme.heads[static_cast<std::size_t>(curve.slot) % theme.heads.size()];
    }
    return theme.text2;
}

bool isDashed(const LineChartCurve& curve, const Theme& theme)
{
    return curve.dashed || (curve.tone == LineChartCurve::Tone::Head &&
                            curve.slot >= static_cast<int>(theme.heads.size()));
}

QPen penOf(const LineChartCurve& curve, const Theme& theme)
{
    QPen pen(colourOf(curve, theme), curve.tone == LineChartCurve::Tone::Subject ? 2.5 : 2.0);
    pen.setCapStyle(Qt::RoundCap);
    if (isDashed(curve, theme)) {
        pen.setCapStyle(Qt::FlatCap);
        pen.setDashPattern({6.0 / pen.widthF(), 4.0 / pen.widthF()});
    }
    return pen;
}

bool isFinite(const QPointF& point)
{
    return std::isfinite(point.y());
}

double distanceInFont(const QFont& font, const QString& text)
{
    return QFontMetricsF(font).horizontalAdvance(text);
}

QString elided(const QString& text, const QFont& font, double width)
{
    return QFontMetricsF(font).elidedText(text, Qt::ElideRight, width);
}

} // namespace

LineChartPlot::LineChartPlot(const LineChartContent& content, QSizeF size, const Theme& theme)
    : m_content(content)
    , m_theme(theme)
    , m_axes(QRectF(QPointF(), size), content, theme)
{
    m_plot.size = size;
    m_plot.area = m_axes.plot();
    for (const LineChartCurve& curve : content.curves)
        m_curves.push_back(traced(curve));
    addHeader();
    addTicks();
    addBands();
    addRaw();
    addMarks();
    for (auto curve = m_curves.rbegin(); curve != m_curves.rend(); ++curve)
        addCurve(*curve); // the first is on top
    addCursor();
    addEnds();
    addPerplexities();
    addNotes();
}

// -------------------------------------------------------------------------------------- curves

QList<QPointF> LineChartPlot::places(std::vector<QPointF> points, double penWidth) const
{
    std::erase_if(points, [this](const QPointF& point) {
        return !isFinite(point) || (m_content.x.logarithmic && point.x() < m_content.x.low);
    });
    for (QPointF& point : points)
        point = {m_content.x.place(point.x()),
                 keptInside(m_content.y.place(point.y()), penWidth, m_plot.area.height())};
    const auto kept = decimated(points, std::max(1, static_cast<int>(m_plot.area.width())));
    return {kept.begin(), kept.end()};
}

LineChartPlot::Traced LineChartPlot::traced(const LineChartCurve& curve) const
{
    const double width = penOf(curve, m_theme).widthF();
    Traced traced{&curve, {}, places(curve.raw, 1.0)};
    auto begin = curve.points.begin();
    while (begin != curve.points.end()) {
        const auto end = std::find_if_not(begin, curve.points.end(), isFinite);
        QList<QPointF> stretch = places({begin, end}, width);
        if (!stretch.isEmpty())
            traced.stretches.push_back(std::move(stretch));
        begin = std::find_if(end, curve.points.end(), isFinite);
    }
    return traced;
}

QPointF LineChartPlot::pixels(QPointF place) const
{
    return {m_plot.area.left() + place.x() * m_plot.area.width(),
            m_plot.area.bottom() - place.y() * m_plot.area.height()};
}

void LineChartPlot::addRaw()
{
    for (const Traced& traced : m_curves) {
        if (!traced.raw.isEmpty())
            m_plot.lines.push_back({QPen(m_theme.line2, 1.0), traced.raw});
    }
}

void LineChartPlot::addCurve(const Traced& traced)
{
    for (const QList<QPointF>& stretch : traced.stretches)
        m_plot.lines.push_back({penOf(*traced.curve, m_theme), stretch});
    if (!traced.stretches.empty())
        m_plot.dots.push_back({traced.stretches.back().back(), 4.0,
                               colourOf(*traced.curve, m_theme), m_theme.surface});
}

// --------------------------------------------------------------------------- numbers and marks

void LineChartPlot::addText(const QRectF& area, Qt::Alignment alignment, const QFont& font,
                            const QColor& colour, const QString& text)
{
    m_plot.texts.push_back({area, alignment, font, colour, text});
}

void LineChartPlot::addHeader()
{
    const QFont title = m_theme.font(TextRole::Heading);
    const QFont body = m_theme.font(TextRole::Body);
    const QRectF header = m_axes.header();
    addText(header, Qt::AlignLeft, title, m_theme.text, m_content.title);
    const bool isRead = m_content.cursor.has_value();
    const QString words = isRead ? describePlace(m_content, *m_content.cursor) : m_content.note;
    const QRectF rest = header.adjusted(distanceInFont(title, m_content.title) + 12.0, 1, 0, 1);
    addText(rest, Qt::AlignLeft, body, isRead ? m_theme.text : m_theme.text3,
            elided(words, body, rest.width()));
}

void LineChartPlot::addTicks()
{
    const QFont font = m_theme.font(TextRole::Caption);
    m_plot.left = {{}, font, m_theme.text3, m_theme.line};
    for (const double tick : m_content.y.ticks(kTicks))
        m_plot.left.ticks.push_back({onPixel(m_content.y.place(tick), m_plot.area.height()),
                                     tickText(m_content.y, tick, kTicks)});
    if (!m_content.numbersBelow)
        return;
    m_plot.below = {{}, font, m_theme.text3, m_theme.line2};
    for (const double tick : m_content.x.ticks(kTimeTicks))
        m_plot.below.ticks.push_back({onPixel(m_content.x.place(tick), m_plot.area.width()),
                                      tickText(m_content.x, tick, kTimeTicks)});
    const QRectF below = m_axes.below();
    addText(below, Qt::AlignRight, font, m_theme.text3,
            elided(m_content.unitBelow, font, below.width()));
}

void LineChartPlot::addBands()
{
    const QRectF area = m_plot.area;
    for (const ChartJump& jump : m_content.jumps) {
        const double left = m_axes.x(jump.from);
        const double right = std::clamp(m_axes.x(jump.to), left, std::max(left, area.right()));
        m_plot.bands.push_back({{left, area.top(), right - left, area.height()}, m_theme.warnSoft});
    }
}

void LineChartPlot::addVertical(double x, QPen pen)
{
    const double place = onPixel(m_content.x.place(x), m_plot.area.width());
    const double slack = 1.0 / std::max(m_plot.area.width(), 1.0);
    if (place >= -slack && place <= 1.0 + slack)
        m_plot.lines.push_back({std::move(pen), {{place, 0.0}, {place, 1.0}}});
}

void LineChartPlot::addMarks()
{
    for (const ChartJump& jump : m_content.jumps)
        addVertical(jump.line(), QPen(m_theme.warn, 1.5));
    for (const ChartMark& mark : m_content.marks) {
        QPen pen(mark.isFault ? m_theme.error : m_theme.control, mark.isFault ? 1.5 : 1.0);
        pen.setDashPattern({3, 3});
        addVertical(mark.x, pen);
    }
    if (m_content.shown)
        addVertical(*m_content.shown, QPen(m_theme.accent, 1.0));
}

void LineChartPlot::addCursor()
{
    if (!m_content.cursor)
        return;
    addVertical(*m_content.cursor, QPen(m_theme.control, 1.0));
    for (const LineChartCurve& curve : m_content.curves) {
        const auto value = valueAt(curve.points, *m_content.cursor);
        if (value && std::isfinite(*value))
            m_plot.dots.push_back(
                {{m_content.x.place(*m_content.cursor), m_content.y.place(*value)},
                 4.5,
                 colourOf(curve, m_theme),
                 m_theme.surface});
    }
}

// ------------------------------------------------------------------------------------- around it

QString LineChartPlot::endingOf(const LineChartCurve& curve) const
{
    return curve.ending.isEmpty() ? curve.name : curve.ending;
}

/// Adds names beside the last point of the longest curve, in `rightRoom` or the space there is.
void LineChartPlot::addEnds()
{
    std::vector<const LineChartCurve*> curves;
    std::vector<double> heights;
    double right = m_plot.area.left();
    for (const Traced& traced : m_curves) {
        if (traced.stretches.empty())
            continue;
        const QPointF end = pixels(traced.stretches.back().back());
        curves.push_back(traced.curve);
        heights.push_back(end.y());
        right = std::max(right, end.x());
    }
    const QFont font = m_theme.bold(TextRole::Body);
    const double half = std::ceil(QFontMetricsF(font).height() / 2.0);
    const double lowest = std::min(m_plot.area.bottom() + 4.0, m_plot.size.height() - half);
    const double gaps = std::max(1.0, static_cast<double>(curves.size()) - 1.0);
    const double pitch = std::clamp((lowest - m_plot.area.top()) / gaps,
                                    kLeastPitch * m_theme.scale(), kLabelPitch * m_theme.scale());
    const std::vector<EndLabelPlace> places =
        movedIntoColumns(heights, pitch, m_plot.area.top(), lowest);
    const double beside = kSquare + 6.0;
    const double most = m_content.rightRoom > 0.0 ? m_content.rightRoom - beside - 10.0 : 200.0;
    std::vector<double> widths; // of each column, with the gap after it
    for (std::size_t index = 0; index < curves.size(); ++index) {
        const auto column = static_cast<std::size_t>(places[index].column);
        widths.resize(std::max(widths.size(), column + 1));
        const double text = std::min(distanceInFont(font, endingOf(*curves[index])), most);
        widths[column] = std::max(widths[column], beside + text + kColumnGap);
    }
    double left = std::round(std::min(right, m_plot.area.right())) + 10.0;
    if (widths.size() > 1)
        left =
            std::max(0.0, std::min(left, m_plot.size.width() -
                                             std::accumulate(widths.begin(), widths.end(), 0.0)));
    for (std::size_t index = 0; index < curves.size(); ++index) {
        const QString text = elided(endingOf(*curves[index]), font, most);
        const double x =
            std::accumulate(widths.begin(), widths.begin() + places[index].column, left);
        const double y = places[index].height;
        m_plot.boxes.push_back(
            {{x, std::round(y) - 5.0, kSquare, kSquare}, colourOf(*curves[index], m_theme)});
        addText({x + beside, y - 10.0, most, 20.0}, Qt::AlignLeft, font, m_theme.text, text);
        m_taken.emplace_back(x, y - pitch / 2, beside + distanceInFont(font, text), pitch);
    }
}

/// Adds ticks at 1, 3, 10, 30 ..., as many as fit without hiding the curves' names.
void LineChartPlot::addPerplexities()
{
    if (!m_content.perplexity || m_content.isEmpty())
        return;
    const QRectF area = m_plot.area;
    const QFont font = m_theme.font(TextRole::Caption);
    const double pitch = 18.0 * m_theme.scale();
    const auto isFree = [&](double y, const QString& text) {
        const QRectF ink(area.right() + kBeside, y - 7, distanceInFont(font, text), 14);
        return std::none_of(m_taken.begin(), m_taken.end(),
                            [&ink](const QRectF& other) { return other.intersects(ink); });
    };
    m_plot.right = {{}, font, m_theme.text3, m_theme.line};
    double free = area.bottom() + pitch;
    for (double power = 1.0; power <= 1e6; power *= 10.0) {
        for (const double factor : {1.0, 3.0}) {
            const double loss = std::log(factor * power);
            const double y = m_axes.y(loss);
            if (y < area.top() + pitch / 2 || y > area.bottom() + 1 || y > free - pitch)
                continue;
            free = y;
            const QString text = number(factor * power, 0);
            if (isFree(y, text))
                m_plot.right.ticks.push_back({m_content.y.place(loss), text});
        }
    }
    const QString title = tr("perplexity");
    const double y = area.top() - pitch / 2;
    if (isFree(y, title))
        addText({area.right() + kBeside, y - 9, LineChartAxes::rightEdge(m_theme) - kBeside, 18},
                Qt::AlignLeft, font, m_theme.text3, title);
}

/// Adds two lines of text beside each jump, then one beside each mark, where they hide least.
void LineChartPlot::addNotes()
{
    if (m_content.jumps.empty() && m_content.marks.empty())
        return;
    FreeAreas places(m_plot.area, m_taken);
    const auto add = [&](const QList<QPointF>& line, double weight) {
        std::vector<QPointF> points;
        std::transform(line.begin(), line.end(), std::back_inserter(points),
                       [this](QPointF place) { return pixels(place); });
        places.addCurve(std::move(points), weight);
    };
    for (const Traced& traced : m_curves) {
        for (const QList<QPointF>& stretch : traced.stretches)
            add(stretch, 4.0);
        add(traced.raw, 1.0);
    }
    const QFont bold = m_theme.bold(TextRole::Body);
    const QFont caption = m_theme.font(TextRole::Caption);
    const double row = kNoteRow * m_theme.scale();
    const double room = m_plot.area.width();
    for (const ChartJump& jump : m_content.jumps) {
        const double needed =
            std::max(distanceInFont(bold, jump.title), distanceInFont(caption, jump.text)) + 2;
        const double width = std::min(needed, room);
        const double x = m_axes.x(jump.line());
        const QRectF place =
            places.take({width, (jump.text.isEmpty() ? 1.0 : 2.0) * row}, x, m_axes.x(jump.to));
        if (place.isEmpty())
            continue;
        const auto side = place.x() > x ? Qt::AlignLeft : Qt::AlignRight;
        addText({place.x(), place.y(), width, row}, side, bold, m_theme.warn,
                elided(jump.title, bold, width));
        addText({place.x(), place.y() + row, width, row}, side, caption, m_theme.text2,
                elided(jump.text, caption, width));
    }
    for (const ChartMark& mark : m_content.marks) {
        const double x = m_axes.x(mark.x);
        const double width = std::min(distanceInFont(caption, mark.text) + 2, room);
        addText(places.take({width, row}, x, x), Qt::AlignHCenter, caption,
                mark.isFault ? m_theme.error : m_theme.text2, elided(mark.text, caption, width));
    }
}

void paintLineChart(QPainter& painter, const QRectF& area, const LineChartContent& content,
                    const Theme& theme)
{
    paintChart(painter, area, LineChartPlot(content, area.size(), theme).plot());
}

} // namespace headscope::ui
