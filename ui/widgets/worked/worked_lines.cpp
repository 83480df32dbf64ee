#include "ui/widgets/worked/worked_lines.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kRing = 3.0;
constexpr double kLine = 1.5;
constexpr double kGutter = 8.0;   // of a line beside the cells
constexpr double kBusGap = 3.0;   // between lines below the cells
constexpr double kFirstBus = 6.0; // below the cells
constexpr double kGeneral = 17.0;

QString tr(const char* text)
{
    return QCoreApplication::translate("WorkedExample", text);
}

/// Operands of one matrix: one ring where they fill a rectangle, else one each.
void addRings(std::vector<WorkedRing>& rings, const WorkedLayout& layout, int matrix,
              const std::vector<CellAddress>& cells, const QColor& colour)
{
    QRectF all;
    double covered = 0.0;
    std::vector<CellAddress> seen;
    for (const CellAddress& cell : cells) {
        if (std::find(seen.begin(), seen.end(), cell) != seen.end())
            continue;
        seen.push_back(cell);
        const QRectF rect = layout.cellRect(cell);
        all = all.united(rect);
        covered += rect.width() * rect.height();
    }
    if (std::abs(all.width() * all.height() - covered) < 1.0) {
        rings.push_back({matrix, all, colour, false});
        return;
    }
    for (const CellAddress& cell : seen)
        rings.push_back({matrix, layout.cellRect(cell), colour, false});
}

bool isAtBottom(const WorkedBlock& block, const QRectF& cells)
{
    return std::abs(cells.bottom() - block.cells.bottom()) < 1.0;
}

/// From the ring down to the line below the cells.
QPainterPath wayOut(const WorkedBlock& block, const QRectF& cells, double bus, double scale)
{
    QPainterPath path;
    if (isAtBottom(block, cells)) {
        path.moveTo(cells.center().x(), cells.bottom() + kRing);
        path.lineTo(cells.center().x(), bus);
        return path;
    }
    const double gutter = block.cells.right() + kGutter * scale;
    path.moveTo(cells.right() + kRing - 1.0, cells.bottom());
    path.lineTo(gutter, cells.bottom());
    path.lineTo(gutter, bus);
    return path;
}

void lead(QPainterPath& path, const WorkedBlock& block, const QRectF& cells, double offset,
          double scale)
{
    const double bus = path.currentPosition().y();
    const bool isBelow = block.cells.top() > bus;
    if (!isBelow && isAtBottom(block, cells)) {
        const double x = cells.center().x() + offset;
        path.lineTo(x, bus);
        path.lineTo(x, cells.bottom() + kRing);
        return;
    }
    const double left = block.rowLabels.width() > 0.0 ? block.rowLabels.x() : block.cells.x();
    const double gutter = left - kGutter * scale + offset;
    path.lineTo(gutter, bus);
    path.lineTo(gutter, cells.bottom());
    path.lineTo(cells.left() - kRing + 1.0, cells.bottom());
}

void paintResult(QPainter& painter, QPointF baseline, const WorkedEquation& equation,
                 const Theme& theme)
{
    const double scale = theme.scale();
    painter.setFont(theme.formulaFont(equation.pixels, false));
    painter.setPen(theme.text);
    const double sign = equation.lines.empty() ? 0.0 : 0.5 * equation.pixels * scale;
    if (!equation.lines.empty())
        painter.drawText(baseline + QPointF(sign, 0.0), QStringLiteral("="));
    const double after =
        equation.lines.empty()
            ? 0.0
            : 2.0 * sign + QFontMetricsF(painter.font()).horizontalAdvance(QLatin1Char('='));
    QFont bold = theme.formulaFont(equation.pixels, false);
    bold.setBold(true);
    const QFontMetricsF metrics(bold);
    const double width = metrics.horizontalAdvance(equation.formula.result);
    const double height = 1.15 * equation.pixels * scale;
    const QRectF box(baseline.x() + after, baseline.y() - 0.92 * equation.pixels * scale,
                     width + 18.0, height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.soft);
    painter.drawRoundedRect(box, 4.0, 4.0);
    painter.restore();
    painter.setFont(bold);
    painter.setPen(theme.text);
    painter.drawText(QPointF(box.x() + 9.0, baseline.y()), equation.formula.result);
}

void paintLines(QPainter& painter, const WorkedEquation& equation, const Theme& theme)
{
    const std::size_t count = std::max<std::size_t>(equation.lines.size(), 1);
    const double step = equation.area.height() / static_cast<double>(count);
    QPointF end(equation.area.x(), equation.area.center().y() + 0.3 * equation.pixels);
    for (std::size_t i = 0; i < equation.lines.size(); ++i) {
        const QSizeF size = formulaSize(equation.lines[i], equation.pixels, theme);
        const double top =
            equation.area.y() + step * static_cast<double>(i) + (step - size.height()) / 2.0;
        const double baseline = paintFormula(painter, {equation.area.x(), top}, equation.lines[i],
                                             equation.pixels, theme);
        end = {equation.area.x() + size.width(), baseline};
    }
    paintResult(painter, end, equation, theme);
}

double paintText(QPainter& painter, double x, const QRectF& line, const QString& text,
                 const Theme& theme)
{
    painter.setFont(theme.font(TextRole::Table));
    painter.setPen(theme.text3);
    painter.drawText(QRectF(x, line.y(), line.right() - x, line.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, text);
    return x + QFontMetricsF(painter.font()).horizontalAdvance(text);
}

/// "exactly √2/2 = 0.707107", or the value with more digits.
void paintExact(QPainter& painter, double x, const QRectF& line, const LiveFormula& formula,
                const Theme& theme)
{
    if (formula.decimals.isEmpty())
        return;
    if (!formula.exact) {
        if (formula.decimals != formula.result && !formula.isWhole)
            paintText(painter, x, line, tr("exact value %1").arg(formula.decimals), theme);
        return;
    }
    Theme grey = theme;
    grey.text = theme.text2;
    const double words = paintText(painter, x, line, tr("exactly"), theme) + 8.0;
    double pixels = WorkedEquation::kExactPixels;
    QSizeF size = formulaSize(formula.exact, pixels, theme);
    while (pixels > 12.0 &&
           (size.height() > line.height() + 2.0 || words + size.width() + 110.0 > line.right()))
        size = formulaSize(formula.exact, --pixels, theme);
    if (words + size.width() + 90.0 * theme.scale() > line.right()) {
        paintText(painter, words, line, QStringLiteral("≈ ") + formula.decimals, theme);
        return;
    }
    paintFormula(painter, {words, line.center().y() - size.height() / 2.0}, formula.exact, pixels,
                 grey);
    paintText(painter, words + size.width() + 8.0, line, QStringLiteral("≈ ") + formula.decimals,
              theme);
}

} // namespace

std::vector<WorkedRing> workedRings(const WorkedLayout& layout, const WorkedPicture& picture,
                                    const Theme& theme)
{
    std::vector<WorkedRing> rings;
    const WorkedStep* step = picture.step();
    if (!step)
        return rings;
    std::vector<std::pair<int, std::vector<CellAddress>>> byMatrix;
    for (const Operand& operand : step->operands) {
        if (!operand.cell || !layout.block(operand.cell->matrix))
            continue;
        const auto place = std::find_if(byMatrix.begin(), byMatrix.end(), [&](const auto& each) {
            return each.first == operand.cell->matrix;
        });
        if (place != byMatrix.end())
            place->second.push_back(*operand.cell);
        else
            byMatrix.push_back({operand.cell->matrix, {*operand.cell}});
    }
    for (const auto& [matrix, cells] : byMatrix)
        addRings(rings, layout, matrix, cells,
                 roleColour(roleOf(picture.matrix(matrix).role), theme));
    if (layout.block(step->result.matrix))
        rings.push_back({step->result.matrix, layout.cellRect(step->result), theme.text, true});
    return rings;
}

std::vector<WorkedRing> ringsBetween(const std::vector<WorkedRing>& from,
                                     const std::vector<WorkedRing>& to, double share)
{
    std::vector<WorkedRing> between = to;
    for (std::size_t i = 0; i < between.size(); ++i) {
        const auto before = std::find_if(from.begin(), from.end(), [&](const WorkedRing& ring) {
            return ring.matrix == to[i].matrix && ring.isResult == to[i].isResult;
        });
        if (before == from.end())
            continue;
        const QRectF& a = before->cells;
        const QRectF& b = to[i].cells;
        const auto at = [share](double x, double y) { return x + (y - x) * share; };
        between[i].cells = QRectF(QPointF(at(a.left(), b.left()), at(a.top(), b.top())),
                                  QPointF(at(a.right(), b.right()), at(a.bottom(), b.bottom())));
    }
    return between;
}

void paintRings(QPainter& painter, const std::vector<WorkedRing>& rings, const Theme& theme)
{
    painter.setBrush(Qt::NoBrush);
    for (const WorkedRing& ring : rings) {
        painter.setPen(QPen(ring.isResult ? theme.text : ring.colour, kRing, Qt::SolidLine,
                            Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(ring.cells.adjusted(-0.5, -0.5, 0.5, 0.5));
    }
}

void paintConnections(QPainter& painter, const WorkedLayout& layout,
                      const std::vector<WorkedRing>& rings, const Theme& theme)
{
    if (rings.empty() || !rings.back().isResult)
        return;
    const WorkedRing& result = rings.back();
    const WorkedBlock* to = layout.block(result.matrix);
    const double scale = theme.scale();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const double count = static_cast<double>(rings.size() - 1);
    for (std::size_t i = 0; i + 1 < rings.size(); ++i) {
        const WorkedBlock* from = layout.block(rings[i].matrix);
        if (!from || !to || from->bus < layout.large().front().cells.top())
            continue;
        const double lane = static_cast<double>(std::min<std::size_t>(i, 3));
        const double bus = from->bus + (kFirstBus + kBusGap * lane) * scale;
        QPainterPath path = wayOut(*from, rings[i].cells, bus, scale);
        lead(path, *to, result.cells, (lane - (std::min(count, 4.0) - 1.0) / 2.0) * kBusGap * scale,
             scale);
        painter.setPen(QPen(rings[i].colour, kLine, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        painter.drawPath(path);
    }
    painter.restore();
}

void paintEquation(QPainter& painter, const WorkedEquation& equation, const WorkedPicture& picture,
                   const Theme& theme)
{
    const WorkedStep* step = picture.step();
    if (!step) {
        painter.setFont(theme.font(TextRole::Lesson));
        painter.setPen(theme.text2);
        painter.drawText(equation.area, Qt::AlignLeft | Qt::AlignVCenter,
                         tr("Space works out the first number."));
        return;
    }
    paintLines(painter, equation, theme);
    const QRectF& line = equation.general;
    double x = line.x();
    if (equation.formula.general) {
        Theme grey = theme;
        grey.text = theme.text2;
        const QSizeF size = formulaSize(equation.formula.general, kGeneral, theme);
        paintFormula(painter, {x, line.center().y() - size.height() / 2.0},
                     equation.formula.general, kGeneral, grey);
        x += size.width() + 20.0 * theme.scale();
    }
    if (step->reason.empty() || !picture.isFilled(step->result))
        return paintExact(painter, x, line, equation.formula, theme);
    painter.setFont(theme.font(TextRole::Body));
    painter.setPen(theme.text2);
    painter.drawText(QRectF(x, line.y(), line.right() - x, line.height()),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap,
                     QString::fromStdString(step->reason));
}

} // namespace headscope::ui
