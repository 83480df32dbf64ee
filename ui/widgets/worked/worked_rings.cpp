#include "ui/widgets/worked/worked_rings.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kRing = 3.0;
constexpr double kLine = 1.5;
constexpr double kGutter = 8.0;   // gutter of a line beside the cells
constexpr double kBusGap = 3.0;   // between lines below the cells
constexpr double kFirstBus = 6.0; // below the cells

/// Adds one ring for operands that fill a rectangle, else one each.
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

/// Path from the ring down to the line below the cells.
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

} // namespace

std::vector<WorkedRing> workedRings(const WorkedLayout& layout, const WorkedDiagram& diagram,
                                    const Theme& theme)
{
    std::vector<WorkedRing> rings;
    const WorkedStep* step = diagram.step();
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
                 roleColour(roleOf(diagram.matrix(matrix).role), theme));
    if (layout.block(step->result.matrix))
        rings.push_back({step->result.matrix, layout.cellRect(step->result), theme.text, true});
    return rings;
}

std::vector<WorkedRing> ringsBetween(const std::vector<WorkedRing>& from,
                                     const std::vector<WorkedRing>& to, double fraction)
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
        const auto at = [fraction](double x, double y) { return x + (y - x) * fraction; };
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

} // namespace headscope::ui
