#include "ui/widgets/text/document.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kCellGap = 12.0;    ///< Gap between columns.
constexpr double kRowPad = 4.0;      ///< Padding above and below a row's text.
constexpr double kNumberRoom = 52.0; ///< Space to the right of a bar.
constexpr double kFactName = 160.0;
constexpr double kBarHeight = 8.0;

/// Lines of a text at a width; a line break in the text ends a line.
QStringList linesOf(const QString& text, const QFont& font, double width)
{
    QStringList lines;
    for (const QString& paragraph : text.split('\n')) {
        QTextLayout layout(paragraph, font);
        QTextOption option;
        option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        layout.setTextOption(option);
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(std::max(width, 1.0));
            lines << paragraph.mid(line.textStart(), line.textLength()).trimmed();
        }
        layout.endLayout();
    }
    return lines;
}

double lineHeight(const QFont& font)
{
    return std::ceil(QFontMetricsF(font).lineSpacing() * 1.08);
}

void drawLine(QPainter& painter, const QRectF& area, const QFont& font, const QColor& colour,
              const QString& text, Qt::Alignment alignment = Qt::AlignLeft)
{
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(area, static_cast<int>(alignment | Qt::AlignVCenter) | Qt::TextDontClip, text);
}

bool isNumeric(const DocumentColumn& column)
{
    return column.kind != DocumentColumn::Kind::Text;
}

QString numberText(const DocumentColumn& column, double value)
{
    if (!std::isfinite(value))
        return QStringLiteral("\u2013");
    return column.kind == DocumentColumn::Kind::SignedBar ? signedNumber(value, column.decimals)
                                                          : number(value, column.decimals);
}

/// Draws a bar from the left end, or from the middle to either side for signed values.
void drawBar(QPainter& painter, QRectF area, const DocumentColumn& column, double value,
             const Theme& theme)
{
    if (!std::isfinite(value) || column.full <= 0.0)
        return;
    const bool isSigned = column.kind == DocumentColumn::Kind::SignedBar;
    const double fraction = std::clamp(value / column.full, isSigned ? -1.0 : 0.0, 1.0);
    const double height = kBarHeight * theme.scale();
    const double zero = isSigned ? area.center().x() : area.left();
    const double length = fraction * (isSigned ? area.width() / 2.0 : area.width());
    const QRectF bar(std::min(zero, zero + length), area.center().y() - height / 2.0,
                     std::max(std::abs(length), 1.0), height);
    const QColor colour = !isSigned ? theme.bar : value < 0.0 ? theme.less : theme.more;
    if (value != 0.0)
        painter.fillRect(bar, colour);
    if (isSigned)
        painter.fillRect(QRectF(zero - 0.5, area.top() + 2.0, 1.0, area.height() - 4.0),
                         theme.line2);
}

void drawCell(QPainter& painter, const QRectF& area, const DocumentColumn& column,
              const DocumentCell& cell, const Theme& theme, const QFont& font)
{
    if (!isNumeric(column)) {
        const double height = lineHeight(font);
        double y = area.top();
        for (const QString& line : linesOf(cell.text, font, area.width())) {
            drawLine(painter, {area.left(), y, area.width(), height}, font, theme.text, line);
            y += height;
        }
        return;
    }
    const QRectF line(area.left(), area.top(), area.width(), lineHeight(font));
    if (!cell.value) {
        drawLine(painter, line, font, theme.text2, cell.text, Qt::AlignRight);
        return;
    }
    if (column.kind != DocumentColumn::Kind::Number)
        drawBar(painter, line.adjusted(0, 0, -kNumberRoom * theme.scale(), 0), column, *cell.value,
                theme);
    drawLine(painter, line, font, std::isfinite(*cell.value) ? theme.text : theme.text3,
             numberText(column, *cell.value), Qt::AlignRight);
}

QRectF columnArea(const QRectF& row, const std::vector<double>& widths, std::size_t column)
{
    double x = row.left();
    for (std::size_t before = 0; before < column; ++before)
        x += widths[before] + kCellGap;
    return {x, row.top(), widths[column], row.height()};
}

} // namespace

void Document::addLines(const QString& text, const QFont& font, const QColor& colour, double before,
                        bool keepsNext)
{
    const QStringList lines = linesOf(text, font, m_width);
    for (qsizetype index = 0; index < lines.size(); ++index) {
        DocumentPiece piece;
        piece.before = index == 0 ? before * m_theme.scale() : 0.0;
        piece.height = lineHeight(font);
        // Avoids widows and orphans.
        piece.keepsNext =
            keepsNext || (lines.size() > 1 && (index == 0 || index + 2 == lines.size()));
        piece.paint = [line = lines[index], font, colour](QPainter& painter, const QRectF& area) {
            drawLine(painter, area, font, colour, line);
        };
        m_pieces.push_back(std::move(piece));
    }
}

void Document::addTitle(const QString& text)
{
    addLines(text, m_theme.font(TextRole::Title), m_theme.text, 0.0, true);
}

void Document::addHeading(const QString& text)
{
    constexpr double kAbove = 28.0;
    constexpr double kRule = 13.0;
    DocumentPiece rule;
    rule.before = kAbove * m_theme.scale();
    rule.height = kRule * m_theme.scale();
    rule.keepsNext = true;
    rule.paint = [colour = m_theme.line2](QPainter& painter, const QRectF& area) {
        painter.fillRect(QRectF(area.topLeft(), QSizeF(area.width(), 1.0)), colour);
    };
    m_pieces.push_back(std::move(rule));
    addLines(text, m_theme.font(TextRole::Heading), m_theme.text, 0.0, true);
}

void Document::addSubheading(const QString& text)
{
    addLines(text, m_theme.bold(TextRole::Body), m_theme.text, 14.0, true);
}

void Document::addText(const QString& text)
{
    addLines(text, m_theme.font(TextRole::Body), m_theme.text, 6.0, false);
}

void Document::addCaption(const QString& text)
{
    if (!m_pieces.empty())
        m_pieces.back().keepsNext = true; // a figure, or the last row of a table
    addLines(text, m_theme.font(TextRole::Caption), m_theme.text2, 6.0, false);
}

void Document::addFacts(const std::vector<std::pair<QString, QString>>& facts)
{
    const QFont font = m_theme.font(TextRole::Body);
    const double name = kFactName * m_theme.scale();
    const double room = m_width - name - kCellGap;
    double before = 6.0;
    for (const auto& [title, text] : facts) {
        const QStringList lines = linesOf(text, font, room);
        for (qsizetype index = 0; index < lines.size(); ++index) {
            DocumentPiece piece;
            piece.before = index == 0 ? before * m_theme.scale() : 0.0;
            piece.height = lineHeight(font);
            piece.paint = [=, line = lines[index], title = index == 0 ? title : QString(),
                           theme = m_theme](QPainter& painter, const QRectF& area) {
                drawLine(painter, {area.left(), area.top(), name, area.height()}, font, theme.text2,
                         title);
                drawLine(painter, area.adjusted(name + kCellGap, 0, 0, 0), font, theme.text, line);
            };
            m_pieces.push_back(std::move(piece));
        }
        before = 3.0;
    }
}

std::vector<double> Document::widthsOf(const std::vector<DocumentColumn>& columns) const
{
    double fixed = kCellGap * static_cast<double>(columns.size() - 1);
    double sharing = 0.0;
    for (const DocumentColumn& column : columns) {
        fixed += column.width * m_theme.scale();
        sharing += column.width > 0.0 ? 0.0 : 1.0;
    }
    std::vector<double> widths;
    for (const DocumentColumn& column : columns)
        widths.push_back(column.width > 0.0 ? column.width * m_theme.scale()
                                            : std::max((m_width - fixed) / sharing, 1.0));
    return widths;
}

DocumentPiece Document::headOf(const std::vector<DocumentColumn>& columns) const
{
    const QFont font = m_theme.font(TextRole::Caption);
    const std::vector<double> widths = widthsOf(columns);
    std::vector<QStringList> titles;
    qsizetype most = 1;
    for (std::size_t index = 0; index < columns.size(); ++index) {
        titles.push_back(linesOf(columns[index].title, font, widths[index]));
        most = std::max(most, titles.back().size());
    }
    DocumentPiece piece;
    piece.before = 10.0 * m_theme.scale();
    piece.height = static_cast<double>(most) * lineHeight(font) + 5.0;
    piece.keepsNext = true;
    piece.paint = [=, theme = m_theme](QPainter& painter, const QRectF& area) {
        for (std::size_t index = 0; index < columns.size(); ++index) {
            const QRectF column = columnArea(area, widths, index);
            double y = column.bottom() - 5.0 -
                       static_cast<double>(titles[index].size()) * lineHeight(font);
            for (const QString& line : titles[index]) {
                drawLine(painter, {column.left(), y, column.width(), lineHeight(font)}, font,
                         theme.text2, line,
                         isNumeric(columns[index]) ? Qt::AlignRight : Qt::AlignLeft);
                y += lineHeight(font);
            }
        }
        painter.fillRect(QRectF(area.left(), area.bottom() - 2.0, area.width(), 1.0), theme.line2);
    };
    return piece;
}

DocumentPiece Document::rowOf(const std::vector<DocumentColumn>& columns, const DocumentRow& row,
                              TextRole role) const
{
    const QFont font = m_theme.font(role);
    const std::vector<double> widths = widthsOf(columns);
    qsizetype lines = 1;
    for (std::size_t index = 0; index < columns.size() && index < row.size(); ++index)
        if (!isNumeric(columns[index]))
            lines = std::max(lines, linesOf(row[index].text, font, widths[index]).size());
    DocumentPiece piece;
    const double pad = role == TextRole::Caption ? 0.0 : kRowPad / 2.0 * m_theme.scale();
    piece.height = static_cast<double>(lines) * lineHeight(font) + 2.0 * pad;
    piece.paint = [=, theme = m_theme](QPainter& painter, const QRectF& area) {
        const QRectF inner = area.adjusted(0, pad, 0, -pad);
        for (std::size_t index = 0; index < columns.size() && index < row.size(); ++index)
            drawCell(painter, columnArea(inner, widths, index), columns[index], row[index], theme,
                     font);
    };
    return piece;
}

void Document::addTable(const std::vector<DocumentColumn>& columns,
                        const std::vector<DocumentRow>& rows)
{
    addRows(columns, rows, TextRole::Body);
}

void Document::addSmallTable(const std::vector<DocumentColumn>& columns,
                             const std::vector<DocumentRow>& rows)
{
    addRows(columns, rows, TextRole::Caption);
}

void Document::addRows(const std::vector<DocumentColumn>& columns,
                       const std::vector<DocumentRow>& rows, TextRole role)
{
    if (columns.empty() || rows.empty())
        return;
    const auto head = std::make_shared<const DocumentPiece>(headOf(columns));
    m_pieces.push_back(*head);
    for (const DocumentRow& row : rows) {
        m_pieces.push_back(rowOf(columns, row, role));
        m_pieces.back().head = head;
    }
}

void Document::addImage(QSizeF size, std::function<void(QPainter&, const QRectF& area)> paint)
{
    const double factor = std::min(1.0, m_width / size.width());
    DocumentPiece piece;
    piece.before = 12.0 * m_theme.scale();
    piece.height = size.height() * factor;
    piece.paint = [size, paint = std::move(paint)](QPainter& painter, const QRectF& area) {
        painter.save();
        painter.translate(area.topLeft());
        const double shrink =
            std::min({1.0, area.width() / size.width(), area.height() / size.height()});
        painter.scale(shrink, shrink);
        paint(painter, QRectF(QPointF(0.0, 0.0), size));
        painter.restore();
    };
    m_pieces.push_back(std::move(piece));
}

} // namespace headscope::ui
