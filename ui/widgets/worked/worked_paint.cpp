#include "ui/widgets/worked/worked_paint.h"

#include "ui/widgets/charts/bars/fraction_bar.h"
#include "ui/widgets/formula/formula.h"
#include "ui/widgets/formula/formula_latex.h"
#include "ui/widgets/style/colour_map.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kUnlit = 0.45; // opacity of a fill that is not highlighted
constexpr double kReadable = 4.5;

QColor mixed(const QColor& under, const QColor& over, double fraction)
{
    const auto part = [fraction](int a, int b) {
        return static_cast<int>(std::lround(a + (b - a) * fraction));
    };
    return {part(under.red(), over.red()), part(under.green(), over.green()),
            part(under.blue(), over.blue())};
}

bool isLitMatrix(const WorkedDiagram& diagram, int matrix)
{
    return std::find(diagram.pointed.begin(), diagram.pointed.end(), matrix) !=
           diagram.pointed.end();
}

/// Colours of a worked example's cells.
class CellColours
{
public:
    CellColours(const WorkedDiagram& diagram, const Theme& theme)
        : m_diagram(diagram)
        , m_theme(theme)
        , m_weights(ColourScale::weights(), theme)
        , m_isLit(diagram.step() != nullptr)
    {
    }

    bool isLit(CellAddress cell) const
    {
        return !m_isLit || m_diagram.isOperand(cell) || m_diagram.isResult(cell);
    }

    QColor fill(CellAddress cell, bool isSmall) const
    {
        if (m_diagram.isResult(cell) && !isSmall)
            return m_theme.soft;
        const QColor full = fullFill(cell);
        return isSmall || isLit(cell) ? full : mixed(m_theme.surface, full, kUnlit);
    }

    QColor text(CellAddress cell, const QColor& fill, bool isSmall) const
    {
        const bool isWeight = isWeightCell(cell) && !(m_diagram.isResult(cell) && !isSmall);
        const QColor wanted = isSmall ? m_theme.text2 : isLit(cell) ? m_theme.text : m_theme.text3;
        if (contrastRatio(wanted.rgb(), fill.rgb()) >= kReadable && !isWeight)
            return wanted;
        if (isWeight && !isSmall && !isLit(cell) &&
            contrastRatio(m_theme.text3.rgb(), fill.rgb()) >= kReadable)
            return m_theme.text3;
        return cellTextColour(fill.rgb());
    }

private:
    bool isWeightCell(CellAddress cell) const
    {
        return m_diagram.matrix(cell.matrix).role == CellRole::Weight && m_diagram.isFilled(cell) &&
               !m_diagram.isMasked(cell);
    }

    QColor fullFill(CellAddress cell) const
    {
        if (isWeightCell(cell))
            return QColor::fromRgb(m_weights.colour(static_cast<float>(m_diagram.value(cell))));
        return m_diagram.isMasked(cell) ? m_theme.masked : m_theme.window;
    }

    const WorkedDiagram& m_diagram;
    const Theme& m_theme;
    ColourLookup m_weights;
    bool m_isLit;
};

void paintHatch(QPainter& painter, const QRectF& rect, const Theme& theme)
{
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.line2, 1.0));
    for (const double fraction : {0.0, 0.5, 1.0}) {
        const double x = rect.left() - rect.height() / 2.0 + fraction * rect.width();
        painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()));
    }
    painter.restore();
}

void paintCell(QPainter& painter, const WorkedBlock& block, CellAddress cell,
               const WorkedDiagram& diagram, const CellColours& colours, const Theme& theme,
               bool isSmall)
{
    const QRectF rect = block.cell(cell.row, cell.column).adjusted(1.0, 1.0, -1.0, -1.0);
    const QColor fill = colours.fill(cell, isSmall);
    painter.fillRect(rect, fill);
    if (diagram.isMasked(cell))
        paintHatch(painter, rect, theme);
    const QString text = diagram.text(cell, block.decimals);
    if (text.isEmpty())
        return;
    const bool isBold = diagram.isResult(cell) && !isSmall;
    painter.setFont(stageFont(theme, block.pixels, isBold));
    painter.setPen(colours.text(cell, fill, isSmall));
    painter.drawText(rect, Qt::AlignCenter,
                     QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, rect.width()));
}

/// Colour of a label whose row or column is the only one highlighted; none otherwise.
std::optional<QColor> litLabel(const WorkedBlock& block, const std::vector<WorkedRing>& rings,
                               const QRectF& line, bool isRow, const Theme& theme)
{
    for (const WorkedRing& ring : rings) {
        if (ring.matrix != block.matrix)
            continue;
        const bool isThere = isRow ? std::abs(ring.cells.y() - line.y()) < 1.0 &&
                                         std::abs(ring.cells.height() - line.height()) < 1.0
                                   : std::abs(ring.cells.x() - line.x()) < 1.0 &&
                                         std::abs(ring.cells.width() - line.width()) < 1.0;
        if (isThere && (isRow ? block.rows : block.columns) > 1)
            return ring.isResult ? theme.accent : ring.colour;
    }
    return std::nullopt;
}

void paintLabels(QPainter& painter, const WorkedBlock& block, const WorkedMatrix& matrix,
                 const std::vector<WorkedRing>& rings, const Theme& theme, bool isSmall)
{
    const TextRole role = isSmall || block.pixels < 16.0 ? TextRole::Body : TextRole::Table;
    const auto draw = [&](const QRectF& rect, Qt::Alignment side, const std::string& label,
                          const std::optional<QColor>& lit) {
        painter.setFont(lit ? theme.bold(role) : theme.font(role));
        painter.setPen(lit ? *lit : theme.text2);
        painter.drawText(
            rect, side | Qt::AlignVCenter,
            QFontMetricsF(painter.font())
                .elidedText(QString::fromStdString(label), Qt::ElideRight, rect.width() + 1.0));
    };
    for (int row = 0; row < block.rows && block.rowLabels.width() > 0.0; ++row) {
        const QRectF line = block.cell(row, 0);
        const QRectF room(block.rowLabels.x() - 4.0, line.y(), block.rowLabels.width() + 4.0,
                          line.height());
        draw(room, Qt::AlignRight, matrix.rowLabels[static_cast<std::size_t>(row)],
             isSmall ? std::nullopt : litLabel(block, rings, line, true, theme));
    }
    for (int column = 0; column < block.columns && block.columnLabels.height() > 0.0; ++column) {
        const QRectF line = block.cell(0, column);
        const QRectF room(line.x() + 1.0, block.columnLabels.y(), line.width() - 2.0,
                          block.columnLabels.height());
        draw(room, Qt::AlignHCenter, matrix.columnLabels[static_cast<std::size_t>(column)],
             litLabel(block, rings, line, false, theme));
    }
}

QColor titleColour(CellRole role, const Theme& theme)
{
    switch (role) {
    case CellRole::Query:
        return theme.accent;
    case CellRole::Key:
        return theme.key;
    case CellRole::Value:
        return theme.value;
    default:
        return theme.text;
    }
}

void paintTitle(QPainter& painter, const WorkedBlock& block, const WorkedMatrix& matrix,
                const Theme& theme, bool isSmall)
{
    const QFont font = isSmall
                           ? theme.bold(TextRole::Body)
                           : stageFont(theme, std::clamp(block.pixels * 0.85, 13.0, 17.0), true);
    painter.setFont(font);
    painter.setPen(titleColour(matrix.role, theme));
    const QString title = QString::fromStdString(matrix.title);
    const QFontMetricsF metrics(font);
    painter.drawText(block.title, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(title, Qt::ElideRight, block.title.width()));
    if (!isSmall || matrix.formula.empty())
        return;
    Theme grey = theme;
    grey.text = theme.text3;
    const Math formula = mathOrText(QString::fromStdString(matrix.formula));
    const QSizeF size = formulaSize(formula, block.pixels, theme);
    const double x = block.title.x() + metrics.horizontalAdvance(title) + 14.0;
    if (x + size.width() <= block.title.right() + 1.0 && size.height() < block.title.height() + 4.0)
        paintFormula(painter, {x, block.title.center().y() - size.height() / 2.0}, formula,
                     block.pixels, grey);
}

void paintPointer(QPainter& painter, const WorkedBlock& block, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 2.0, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(block.outline(), 6.0, 6.0);
    painter.restore();
}

void paintBlock(QPainter& painter, const WorkedBlock& block, const WorkedDiagram& diagram,
                const CellColours& colours, const std::vector<WorkedRing>& rings,
                const Theme& theme, bool isSmall)
{
    const WorkedMatrix& matrix = diagram.matrix(block.matrix);
    paintTitle(painter, block, matrix, theme, isSmall);
    paintLabels(painter, block, matrix, rings, theme, isSmall);
    for (int row = 0; row < block.rows; ++row)
        for (int column = 0; column < block.columns; ++column)
            paintCell(painter, block, {block.matrix, row, column}, diagram, colours, theme,
                      isSmall);
    if (isLitMatrix(diagram, block.matrix))
        paintPointer(painter, block, theme);
}

void paintArrow(QPainter& painter, QPointF from, QPointF to, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.text3, 1.5));
    painter.drawLine(from, to);
    painter.drawLine(to, to + QPointF(-6.0, -5.0));
    painter.drawLine(to, to + QPointF(-6.0, 5.0));
    painter.restore();
}

void paintSmall(QPainter& painter, const WorkedLayout& layout, const WorkedDiagram& diagram,
                const CellColours& colours, const Theme& theme)
{
    const std::vector<WorkedBlock>& blocks = layout.small();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        paintBlock(painter, blocks[i], diagram, colours, {}, theme, true);
        if (i + 1 == blocks.size())
            break;
        const double left = std::max(blocks[i].cells.right(), blocks[i].title.right());
        const double middle = (left + blocks[i + 1].cells.x()) / 2.0;
        const double y = blocks[i].cells.center().y();
        paintArrow(painter, {middle - 16.0, y}, {middle + 16.0, y}, theme);
    }
    if (layout.hairline() > 0.0 && !blocks.empty())
        painter.fillRect(QRectF(layout.area().x(), layout.hairline(), layout.area().width(), 1.0),
                         theme.line);
}

void paintSigns(QPainter& painter, const WorkedLayout& layout, const WorkedDiagram& diagram,
                const Theme& theme)
{
    const auto stage = static_cast<std::size_t>(diagram.stage());
    const std::vector<std::string>& signs = diagram.example->stages[stage].signs;
    for (std::size_t i = 0; i < std::min(signs.size(), layout.signs().size()); ++i) {
        painter.setFont(stageFont(theme, 20.0));
        painter.setPen(theme.text2);
        painter.drawText(layout.signs()[i], Qt::AlignCenter, QString::fromStdString(signs[i]));
    }
}

void paintCursor(QPainter& painter, const QRectF& cell, const Theme& theme)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.text, 2.0));
    painter.drawRect(cell.adjusted(1.0, 1.0, -1.0, -1.0));
    painter.setPen(QPen(theme.surface, 2.0));
    painter.drawRect(cell.adjusted(3.0, 3.0, -3.0, -3.0));
}

} // namespace

void paintWorked(QPainter& painter, const WorkedLayout& layout, const WorkedDiagram& diagram,
                 const std::vector<WorkedRing>& rings, const Theme& theme)
{
    if (diagram.isEmpty())
        return;
    const CellColours colours(diagram, theme);
    paintSmall(painter, layout, diagram, colours, theme);
    for (const WorkedBlock& block : layout.large())
        paintBlock(painter, block, diagram, colours, rings, theme, false);
    paintSigns(painter, layout, diagram, theme);
    paintConnections(painter, layout, rings, theme);
    paintRings(painter, rings, theme);
    if (diagram.cursor && layout.block(diagram.cursor->matrix))
        paintCursor(painter, layout.cellRect(*diagram.cursor), theme);
    paintEquation(painter, layout.equation(), diagram, theme);
    if (!layout.fractionBar().isEmpty())
        paintFractionBar(painter, layout.fractionBar(), fractionBar(diagram), theme);
}

} // namespace headscope::ui
