#include "ui/pages/example/example_text.h"

#include "ui/widgets/tr.h"

#include <algorithm>

namespace headscope::ui {

namespace {

/// Operand text: "row “sat” of Weights", "column “dim 1” of Values V", "“cat, dim 1” of Queries Q",
/// "Loss".
QString cellsIn(const WorkedDiagram& diagram, const std::vector<CellAddress>& cells)
{
    const CellAddress& first = cells.front();
    const WorkedMatrix& matrix = diagram.matrix(first.matrix);
    const bool isRow = std::all_of(cells.begin(), cells.end(),
                                   [&](const CellAddress& cell) { return cell.row == first.row; });
    const bool isColumn = std::all_of(cells.begin(), cells.end(), [&](const CellAddress& cell) {
        return cell.column == first.column;
    });
    const QString row =
        QString::fromStdString(matrix.rowLabels[static_cast<std::size_t>(first.row)]);
    const QString column =
        QString::fromStdString(matrix.columnLabels[static_cast<std::size_t>(first.column)]);
    const QString both = cellName(matrix, first.row, first.column);
    const QString title = QString::fromStdString(matrix.title);
    if (isRow && isColumn)
        return both.isEmpty() ? title : tr("“%1” of %2").arg(both, title);
    if (isRow && !row.isEmpty())
        return tr("row “%1” of %2").arg(row, title);
    if (isColumn && !column.isEmpty())
        return tr("column “%1” of %2").arg(column, title);
    return title;
}

/// Operands at every `stride`-th index from `first`, matrix by matrix; constants as numbers.
QString operandsIn(const WorkedDiagram& diagram, const WorkedStep& step, std::size_t first,
                   std::size_t stride)
{
    QStringList parts;
    std::vector<CellAddress> cells;
    const auto close = [&] {
        if (!cells.empty())
            parts << cellsIn(diagram, cells);
        cells.clear();
    };
    for (std::size_t i = first; i < step.operands.size(); i += stride) {
        const Operand& operand = step.operands[i];
        if (!operand.cell || (!cells.empty() && cells.front().matrix != operand.cell->matrix))
            close();
        if (operand.cell)
            cells.push_back(*operand.cell);
        else
            parts << workedNumber(operand.value, 4, true);
    }
    close();
    return parts.join(tr(" and "));
}

QString withTwo(const WorkedDiagram& diagram, const WorkedStep& step)
{
    const QString first = operandsIn(diagram, step, 0, 2);
    const QString second = operandsIn(diagram, step, 1, 2);
    switch (step.operation) {
    case Operation::Dot:
        return tr("Dot product: each number of %1 is multiplied by the matching number of %2, "
                  "and the products are added.")
            .arg(first, second);
    case Operation::Subtract:
        return tr("%2 is subtracted from %1.").arg(first, second);
    case Operation::Multiply:
        return tr("%1 is multiplied by %2.").arg(first, second);
    case Operation::Divide:
        return tr("%1 is divided by %2.").arg(first, second);
    default:
        return tr("%1 is raised to the power of %2.").arg(first, second);
    }
}

QString withAll(const WorkedDiagram& diagram, const WorkedStep& step)
{
    const QString all = operandsIn(diagram, step, 0, 1);
    switch (step.operation) {
    case Operation::Sum:
        return tr("The numbers of %1 are added.").arg(all);
    case Operation::Mean:
        return tr("The mean of %1 is computed: their sum divided by their count.").arg(all);
    case Operation::Maximum:
        return tr("The maximum of %1 is taken.").arg(all);
    case Operation::Exponential:
        return tr("The number e is raised to the power of %1.").arg(all);
    case Operation::Logarithm:
        return tr("The natural logarithm of %1 is taken.").arg(all);
    case Operation::SquareRoot:
        return tr("The square root of %1 is taken.").arg(all);
    case Operation::Square:
        return tr("%1 is squared.").arg(all);
    case Operation::Sine:
        return tr("The sine of %1 is taken.").arg(all);
    case Operation::Cosine:
        return tr("The cosine of %1 is taken.").arg(all);
    default:
        return tr("%1 is copied unchanged.").arg(all);
    }
}

} // namespace

QString whatText(const WorkedDiagram& diagram)
{
    const WorkedStep* step = diagram.isEmpty() ? nullptr : diagram.step();
    if (!step)
        return tr("These are the inputs. Each step computes one number from them.");
    QString words;
    switch (step->operation) {
    case Operation::Hide:
        words = tr("The mask hides this cell.");
        break;
    case Operation::Dot:
    case Operation::Subtract:
    case Operation::Multiply:
    case Operation::Divide:
    case Operation::Power:
        words = withTwo(diagram, *step);
        break;
    default:
        words = withAll(diagram, *step);
    }
    if (!step->reason.empty() && diagram.isFilled(step->result))
        words += QLatin1Char(' ') + QString::fromStdString(step->reason);
    if (!words.isEmpty())
        words[0] = words.at(0).toUpper();
    return words;
}

} // namespace headscope::ui
