#include "ui/widgets/heatmap/heatmap_sink.h"

#include "ui/widgets/heatmap/heatmap_marks.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope::ui {

namespace {

/// The sink as a map of one column, masked where it is not defined.
HeatmapContent columnOf(const HeatmapContent& content)
{
    const auto matrixOf = [](std::vector<float> values) {
        for (float& value : values)
            if (std::isnan(value))
                value = -std::numeric_limits<float>::infinity();
        const auto rows = static_cast<int>(values.size());
        return HeatmapMatrix::copyOf(std::move(values), rows, 1);
    };
    HeatmapContent column;
    column.matrix = matrixOf(content.sink);
    column.scale = content.scale;
    if (content.sinkShades.size() == content.sink.size())
        column.shades = matrixOf(content.sinkShades);
    return column;
}

class SinkPainter
{
public:
    SinkPainter(QPainter& painter, const HeatmapLayout& layout, const HeatmapContent& content,
                const Theme& theme)
        : m_painter(painter)
        , m_layout(layout)
        , m_content(content)
        , m_theme(theme)
        , m_column(columnOf(content))
    {
    }

    void paint(const HeatmapOptions& options)
    {
        paintCells();
        const double edge = std::min(m_layout.sinkRect(0).width(), m_layout.sinkRect(0).height());
        if (options.numbers && edge >= 28.0 * m_theme.scale())
            paintNumbers(options.decimals);
        paintMarks();
        if (options.columnLabels)
            paintName();
    }

private:
    /// One rectangle per row, or per pixel that several rows share. The line around them shows the
    /// column also where all weights are 0, which have the colour of the page.
    void paintCells()
    {
        const QRectF all = m_layout.cells();
        const int count = m_layout.imageSize().height();
        const QImage image = heatmapImage(m_column, m_theme, {1, count});
        const QRectF first = m_layout.sinkRect(0);
        const QRectF column(first.x(), all.y(), first.width(), all.height());
        fillFrame(m_painter, visible(column).adjusted(-1, -1, 1, 1), 1.0, m_theme.line);
        const double pitch = all.height() / count;
        const double ratio = m_layout.pixelRatio();
        const bool apart = std::min(first.height(), m_layout.cellSize().width()) >= 12.0;
        const double gap = apart ? std::max(1.0, std::round(ratio)) / ratio : 0.0;
        for (int y = 0; y < count; ++y) {
            const QRectF rect(first.x(), all.y() + y * pitch, first.width(),
                              pitch - (y + 1 < count ? gap : 0.0));
            m_painter.fillRect(visible(rect), QColor(image.pixel(0, y)));
        }
    }

    void paintNumbers(std::optional<int> decimals)
    {
        const ColourLookup lookup(m_content.scale, m_theme);
        const auto [firstRow, lastRow] = m_layout.visibleRows();
        for (int row = firstRow; row < lastRow; ++row) {
            const double value = double{m_column.matrix.at({row, 0})};
            const QRectF rect = m_layout.sinkRect(row);
            if (!std::isfinite(value) || (!decimals && std::abs(value) < 0.095) ||
                visible(rect).height() < rect.height())
                continue;
            const QString text =
                decimals ? number(value, *decimals) : cellNumber(value, m_content.scale.isSigned());
            const auto font = cellNumberFont(text, rect.size(), m_theme);
            if (!font)
                continue;
            m_painter.setFont(*font);
            m_painter.setPen(cellTextColour(lookup.colour(m_column.shadeAt({row, 0}))));
            m_painter.drawText(rect, Qt::AlignCenter, text);
        }
    }

    /// The query's outline goes around its sink too; the cursor's ring is on top.
    void paintMarks()
    {
        if (const auto row = m_content.queryRow; row && *row >= 0 && *row < m_layout.rows()) {
            const QRectF rect = visible(m_layout.sinkRect(*row));
            if (!rect.isEmpty())
                fillFrame(m_painter, rect.adjusted(-2, -2, 2, 2), 2.0, m_theme.accent);
        }
        if (const auto row = m_content.sinkRow; row && *row >= 0 && *row < m_layout.rows()) {
            const QRectF rect = m_layout.sinkRect(*row);
            if (visible(rect).contains(rect.center()))
                paintCellRing(m_painter, rect, m_theme);
        }
    }

    void paintName()
    {
        const QRectF shown = m_layout.viewport();
        const QRectF first = m_layout.sinkRect(0);
        const bool isMarked = m_content.sinkRow.has_value();
        const TextRole role =
            first.width() >= 24.0 * m_theme.scale() ? TextRole::MapToken : TextRole::SmallToken;
        const QFont font = isMarked ? m_theme.bold(role) : m_theme.font(role);
        m_painter.save();
        m_painter.translate(first.center().x(), shown.y() - 7.0);
        m_painter.rotate(-45.0);
        m_painter.setFont(font);
        m_painter.setPen(isMarked && !m_content.stale ? m_theme.text : m_theme.text3);
        m_painter.drawText(QPointF(0.0, QFontMetricsF(font).descent() * 0.5), sinkName());
        m_painter.restore();
    }

    QRectF visible(const QRectF& rect) const
    {
        const QRectF shown = m_layout.viewport();
        return rect & QRectF(rect.x(), shown.y(), rect.width(), shown.height());
    }

    QPainter& m_painter;
    const HeatmapLayout& m_layout;
    const HeatmapContent& m_content;
    const Theme& m_theme;
    HeatmapContent m_column;
};

} // namespace

QString sinkName()
{
    return QCoreApplication::translate("Heatmap", "sink");
}

QString describeSink(const HeatmapContent& content, int row)
{
    const double value = double{content.sink[static_cast<std::size_t>(row)]};
    const QString text = QStringLiteral("%1 %2, %3; %4; ")
                             .arg(content.rowsName, content.rowLabel(row))
                             .arg(row)
                             .arg(QCoreApplication::translate("Heatmap", "attention sink"));
    if (std::isnan(value))
        return text + QCoreApplication::translate(
                          "Heatmap", "not defined: the weights of this row were replaced");
    return text + content.valueName + QLatin1Char(' ') +
           (content.scale.isSigned() ? signedNumber(value, 3) : readoutNumber(value));
}

void paintSink(QPainter& painter, const HeatmapLayout& layout, const HeatmapContent& content,
               const HeatmapOptions& options, const Theme& theme)
{
    if (layout.hasSink() && static_cast<int>(content.sink.size()) == layout.rows())
        SinkPainter(painter, layout, content, theme).paint(options);
}

} // namespace headscope::ui
