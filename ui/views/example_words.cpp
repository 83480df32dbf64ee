#include "ui/views/example_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace headscope::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("WorkedExample", text);
}

QString titleOf(const WorkedPicture& picture, int matrix)
{
    return QString::fromStdString(picture.matrix(matrix).title);
}

/// "sat in Weights", "dim 0 of Values V", "cat, dim 1 of Queries Q", "√d".
QString cellsIn(const WorkedPicture& picture, const std::vector<CellAddress>& cells)
{
    const CellAddress& first = cells.front();
    const WorkedMatrix& matrix = picture.matrix(first.matrix);
    const bool isRow = std::all_of(cells.begin(), cells.end(),
                                   [&](const CellAddress& cell) { return cell.row == first.row; });
    const bool isColumn = std::all_of(cells.begin(), cells.end(), [&](const CellAddress& cell) {
        return cell.column == first.column;
    });
    const QString row =
        QString::fromStdString(matrix.rowLabels[static_cast<std::size_t>(first.row)]);
    const QString column =
        QString::fromStdString(matrix.columnLabels[static_cast<std::size_t>(first.column)]);
    QString name = isRow && isColumn ? cellName(matrix, first.row, first.column)
                   : isRow           ? row
                   : isColumn        ? column
                                     : QString();
    const QString title = titleOf(picture, first.matrix);
    return name.isEmpty() ? title : tr("%1 of %2").arg(name, title);
}

/// The operands at every `stride`-th place from `first`; a constant's name stands for itself.
QString operandsIn(const WorkedPicture& picture, const WorkedStep& step, std::size_t first,
                   std::size_t stride)
{
    std::vector<CellAddress> cells;
    for (std::size_t i = first; i < step.operands.size(); i += stride) {
        if (!step.operands[i].cell)
            return workedNumber(step.operands[i].value, 4, true);
        cells.push_back(*step.operands[i].cell);
    }
    return cells.empty() ? QString() : cellsIn(picture, cells);
}

QString withTwo(const WorkedPicture& picture, const WorkedStep& step)
{
    const QString first = operandsIn(picture, step, 0, 2);
    const QString second = operandsIn(picture, step, 1, 2);
    switch (step.operation) {
    case Operation::Dot:
        return tr("The numbers of %1 meet those of %2. Each pair is multiplied, and the products "
                  "are added.")
            .arg(first, second);
    case Operation::Subtract:
        return tr("From %1, %2 is taken away.").arg(first, second);
    case Operation::Multiply:
        return tr("%1 is multiplied by %2.").arg(first, second);
    case Operation::Divide:
        return tr("%1 is divided by %2.").arg(first, second);
    default:
        return tr("%1 is raised to the power of %2.").arg(first, second);
    }
}

QString withAll(const WorkedPicture& picture, const WorkedStep& step)
{
    const QString all = operandsIn(picture, step, 0, 1);
    switch (step.operation) {
    case Operation::Sum:
        return tr("The numbers of %1 are added.").arg(all);
    case Operation::Mean:
        return tr("The numbers of %1 are added and divided by how many they are.").arg(all);
    case Operation::Maximum:
        return tr("The largest number of %1 is found.").arg(all);
    case Operation::Exponential:
        return tr("e is raised to the power of %1.").arg(all);
    case Operation::Logarithm:
        return tr("The natural logarithm of %1 is taken.").arg(all);
    case Operation::SquareRoot:
        return tr("The square root of %1 is taken.").arg(all);
    case Operation::Square:
        return tr("%1 is multiplied by itself.").arg(all);
    case Operation::Sine:
        return tr("The sine of %1 is taken.").arg(all);
    case Operation::Cosine:
        return tr("The cosine of %1 is taken.").arg(all);
    default:
        return tr("%1 moves on as it is.").arg(all);
    }
}

struct Reason
{
    const char* matrix; ///< name of what the stage ends with
    const char* words;
};

constexpr Reason kReasons[] = {
    {"scores", QT_TRANSLATE_NOOP("WorkedExample",
                                 "A score says how well a key answers a query: the better the two "
                                 "agree, the larger it is.")},
    {"scaled",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "Long vectors make large scores. Divided by the root of their length, the "
                       "scores stay in a range where the softmax can still choose.")},
    {"masked", QT_TRANSLATE_NOOP("WorkedExample",
                                 "A hidden key must get no weight. Its score becomes −∞, because "
                                 "e to the power of −∞ is 0.")},
    {"shifted", QT_TRANSLATE_NOOP("WorkedExample",
                                  "Taking the largest score away changes no weight. It keeps the "
                                  "exponentials from growing too large for a computer.")},
    {"exponentials",
     QT_TRANSLATE_NOOP("WorkedExample",
                       "The exponential makes every number positive, and turns a small lead in "
                       "score into a large lead in weight.")},
    {"weights", QT_TRANSLATE_NOOP("WorkedExample",
                                  "Divided by their sum, the numbers of a row add up to 1. They "
                                  "are shares of attention.")},
    {"output", QT_TRANSLATE_NOOP("WorkedExample",
                                 "The output is a blend of the values. Each value counts as much "
                                 "as its token is attended to.")},
};

} // namespace

QString whatWords(const WorkedPicture& picture)
{
    const WorkedStep* step = picture.isEmpty() ? nullptr : picture.step();
    if (!step)
        return tr("These are the numbers to begin with. Go on, and they become others, one at a "
                  "time.");
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
        words = withTwo(picture, *step);
        break;
    default:
        words = withAll(picture, *step);
    }
    if (!step->reason.empty())
        words += QLatin1Char(' ') + QString::fromStdString(step->reason);
    if (!words.isEmpty())
        words[0] = words.at(0).toUpper();
    return words;
}

QString whyWords(const WorkedPicture& picture)
{
    const std::vector<int> large = picture.largeMatrices();
    if (large.empty())
        return {};
    const std::string& name = picture.matrix(large.back()).name;
    for (const Reason& reason : kReasons)
        if (name == reason.matrix)
            return tr(reason.words);
    return {};
}

} // namespace headscope::ui
