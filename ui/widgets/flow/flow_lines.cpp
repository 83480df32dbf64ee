#include "ui/widgets/flow/flow_lines.h"

#include "ui/widgets/heatmap/column_cover.h"

#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kWidest = 7.0;

/// A line of an image in device pixels, from left to right.
struct RasterLine
{
    double left = 0.0;
    double right = 0.0;
    double top = 0.0;  ///< Height of the line's centre at `left`.
    double rise = 0.0; ///< Descent per column.

    RasterLine(const QLineF& line, QPointF corner, double ratio)
        : left((line.x1() - corner.x()) * ratio)
        , right((line.x2() - corner.x()) * ratio)
        , top((line.y1() - corner.y()) * ratio)
        , rise((line.y2() - line.y1()) / std::max(line.x2() - line.x1(), 1e-6))
    {
    }

    double middle(int column) const { return top + rise * (column + 0.5 - left); }

    double highest() const { return std::min(top, top + rise * (right - left)); }

    double lowest() const { return std::max(top, top + rise * (right - left)); }

    /// Overlap of a column with the line's horizontal extent.
    double inside(int column) const
    {
        return std::clamp(std::min(column + 1.0, right) - std::max(double(column), left), 0.0, 1.0);
    }
};

/// Blends `colour` over `page` with an opacity of 0 to 256.
QRgb laidOver(QRgb page, QRgb colour, unsigned opacity)
{
    const unsigned keeps = 256U - opacity;
    const unsigned odd = ((page & 0xFF00FFU) * keeps + (colour & 0xFF00FFU) * opacity) >> 8;
    const unsigned even = ((page & 0x00FF00U) * keeps + (colour & 0x00FF00U) * opacity) >> 8;
    return 0xFF000000U | (odd & 0xFF00FFU) | (even & 0x00FF00U);
}

/// Pixels of an image and the colour of the lines.
class LinePen
{
public:
    LinePen(QImage& image, double width, const QColor& colour)
        : m_pixels(reinterpret_cast<QRgb*>(image.bits()))
        , m_stride(image.bytesPerLine() / 4)
        , m_columns(image.width())
        , m_rows(image.height())
        , m_width(width)
        , m_ink(colour.rgb())
        , m_opacity(static_cast<float>(colour.alphaF() * 256.0F))
    {
    }

    void draw(const RasterLine& line) const
    {
        const auto [first, last] = columnsOf(line);
        const double steep = std::abs(line.rise);
        const double slant = std::sqrt(1.0 + steep * steep);
        const double cap = 0.5 * m_width / slant; // by which the corners of an end stand out
        const Rows rows{rowOf(line.highest() - cap), rowOf(line.lowest() + cap)};
        for (int column = first; column < last; ++column)
            drawColumn(column, rows,
                       {static_cast<float>(line.middle(column)), static_cast<float>(steep),
                        static_cast<float>(m_width * slant)},
                       m_opacity * static_cast<float>(line.inside(column)));
    }

private:
    /// Rows that a line reaches. Of a steep one, a column's average slope goes beyond its ends.
    struct Rows
    {
        int first;
        int last;
    };

    int rowOf(double height) const
    {
        return static_cast<int>(std::floor(std::clamp(height, -1.0, double(m_rows))));
    }

    /// Half-open range of columns in which part of the line is visible.
    std::pair<int, int> columnsOf(const RasterLine& line) const
    {
        double from = std::max(line.left, 0.0);
        double to = std::min(line.right, double(m_columns));
        if (line.rise != 0.0) {
            const double room = kWidest * 8.0 + m_width * std::abs(line.rise);
            const double one = line.left + (-room - line.top) / line.rise;
            const double other = line.left + (m_rows + room - line.top) / line.rise;
            from = std::max(from, std::min(one, other));
            to = std::min(to, std::max(one, other));
        }
        return {static_cast<int>(std::floor(from)),
                static_cast<int>(std::ceil(std::max(from, to)))};
    }

    void drawColumn(int column, Rows rows, const ColumnCover& cover, float opacity) const
    {
        const int last = std::min({cover.last(), rows.last, m_rows - 1});
        int row = std::max({cover.first(), rows.first, 0});
        QRgb* pixel = m_pixels + row * m_stride + column;
        for (; row <= last; ++row, pixel += m_stride)
            *pixel = laidOver(*pixel, m_ink, static_cast<unsigned>(cover.at(row) * opacity + 0.5F));
    }

    QRgb* m_pixels;
    std::ptrdiff_t m_stride;
    int m_columns;
    int m_rows;
    double m_width;
    QRgb m_ink;
    float m_opacity;
};

} // namespace

FlowLines::FlowLines(const FlowLayout& layout, const std::vector<FlowEdge>& drawn, QRectF exposed)
    : m_exposed(exposed)
{
    for (const FlowEdge& edge : drawn) {
        const QLineF line(layout.place({edge.layer, edge.from}),
                          layout.place({edge.layer + 1, edge.to}));
        if (std::max(line.y1(), line.y2()) < exposed.top() - kWidest ||
            std::min(line.y1(), line.y2()) > exposed.bottom() + kWidest)
            continue;
        const double size = std::min(std::abs(double{edge.fraction}), 1.0);
        const auto step = static_cast<std::size_t>(std::lround(std::sqrt(size) * (kSteps - 1)));
        (edge.fraction < 0.0F ? m_negative : m_positive)[step].push_back(line);
    }
}

double FlowLines::width(double fraction)
{
    return 0.6 + (kWidest - 0.6) * std::min(std::abs(fraction), 1.0);
}

/// Calls paintStep(lines, width, colour), thinnest lines first.
template<class PaintStep>
void FlowLines::eachStep(const QColor& positive, const QColor& negative, PaintStep paintStep) const
{
    for (std::size_t step = 0; step < kSteps; ++step) {
        const double root = static_cast<double>(step) / (kSteps - 1);
        for (const bool isPositive : {true, false}) {
            QColor colour = isPositive ? positive : negative;
            colour.setAlphaF(static_cast<float>(0.22 + 0.68 * root));
            paintStep((isPositive ? m_positive : m_negative)[step], width(root * root), colour);
        }
    }
}

void FlowLines::paint(QPainter& painter, const QColor& positive, const QColor& negative) const
{
    eachStep(positive, negative,
             [&](const std::vector<QLineF>& lines, double width, const QColor& colour) {
                 if (lines.empty())
                     return;
                 QPen pen(colour, width, Qt::SolidLine, Qt::FlatCap);
                 pen.setCosmetic(width <= 1.0);
                 painter.setPen(pen);
                 painter.drawLines(lines.data(), static_cast<int>(lines.size()));
             });
}

void FlowLines::paint(QImage& image, const QColor& positive, const QColor& negative) const
{
    const double ratio = image.devicePixelRatio();
    eachStep(positive, negative,
             [&](const std::vector<QLineF>& lines, double width, const QColor& colour) {
                 const LinePen pen(image, width > 1.0 ? width * ratio : width, colour);
                 for (const QLineF& line : lines)
                     pen.draw({line, m_exposed.topLeft(), ratio});
             });
}

} // namespace headscope::ui
