#include "ui/widgets/worked/worked_diagram.h"

#include "ui/widgets/formula/formula_text.h"
#include "ui/widgets/tr.h"
#include "ui/widgets/worked/worked_formula.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kLargestPlain = 1e6;
constexpr int kShortDecimals = 4;
constexpr int kLongestExact = 9; // maximum characters in a cell

QString raised(int power)
{
    static const QString kDigits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = power < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(power)))
        text += kDigits.at(digit.digitValue());
    return text;
}

QString withPower(double value)
{
    const int power = static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double mantissa = value / std::pow(10.0, power);
    return number(mantissa, 1) + QStringLiteral("·10") + raised(power);
}

/// Formats a number as typed, without trailing zeros.
QString shortNumber(double value, int decimals)
{
    QString text = number(value, decimals);
    if (!text.contains(QLatin1Char('.')))
        return text;
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('.')))
        text.chop(1);
    return text;
}

bool isWhole(double value)
{
    return std::isinf(value) || value == std::round(value);
}

/// True if four decimals show the exact value.
bool isBrief(double value)
{
    constexpr double kUnits = 1e4;
    return isWhole(value) || std::abs(value * kUnits - std::round(value * kUnits)) < 1e-6;
}

bool contains(const std::vector<int>& all, int one)
{
    return std::find(all.begin(), all.end(), one) != all.end();
}

} // namespace

bool isShort(const WorkedMatrix& matrix)
{
    return std::all_of(matrix.values.begin(), matrix.values.end(),
                       matrix.isInput ? isBrief : isWhole);
}

QString workedNumber(double value, int decimals, bool isShort)
{
    if (!std::isfinite(value))
        return number(value, 0);
    const int digits = isShort ? std::max(decimals, kShortDecimals) : decimals;
    const double smallest = 0.5 * std::pow(10.0, -digits);
    const bool tiny = value != 0.0 && std::abs(value) < smallest;
    if (tiny || std::abs(value) >= kLargestPlain)
        return withPower(value);
    return isShort ? shortNumber(value, digits) : number(value, digits);
}

const WorkedStep* WorkedDiagram::step() const
{
    if (isAsking && nextStep())
        return nextStep();
    return isEmpty() || done == 0 ? nullptr : &example->steps[done - 1];
}

const WorkedStep* WorkedDiagram::nextStep() const
{
    return isEmpty() || done >= example->steps.size() ? nullptr : &example->steps[done];
}

int WorkedDiagram::stage() const
{
    if (const WorkedStep* shown = step())
        return shown->stage;
    return 0;
}

const WorkedMatrix& WorkedDiagram::matrix(int index) const
{
    return example->matrices[static_cast<std::size_t>(index)];
}

bool WorkedDiagram::isFilled(CellAddress cell) const
{
    return example->isFilled(cell, done);
}

bool WorkedDiagram::isMasked(CellAddress cell) const
{
    const WorkedMatrix& of = matrix(cell.matrix);
    return !of.masked.empty() && of.masked[of.at(cell.row, cell.column)] && isFilled(cell);
}

bool WorkedDiagram::isOperand(CellAddress cell) const
{
    const WorkedStep* shown = step();
    return shown && std::any_of(shown->operands.begin(), shown->operands.end(),
                                [cell](const Operand& operand) { return operand.cell == cell; });
}

bool WorkedDiagram::isResult(CellAddress cell) const
{
    const WorkedStep* shown = step();
    return shown && shown->result == cell;
}

bool WorkedDiagram::isNext(CellAddress cell) const
{
    const WorkedStep* next = nextStep();
    return next && next->result == cell;
}

double WorkedDiagram::value(CellAddress cell) const
{
    const WorkedMatrix& of = matrix(cell.matrix);
    return of.values[of.at(cell.row, cell.column)];
}

const std::optional<ExactNumber>& WorkedDiagram::exact(CellAddress cell) const
{
    static const std::optional<ExactNumber> kNone;
    const WorkedMatrix& of = matrix(cell.matrix);
    const std::size_t place = of.at(cell.row, cell.column);
    return place < of.exact.size() ? of.exact[place] : kNone;
}

QString WorkedDiagram::text(CellAddress cell, int decimals) const
{
    if (!isFilled(cell))
        return isNext(cell) ? QStringLiteral("?") : QString();
    if (isExact && exact(cell)) {
        const QString form = QString::fromStdString(exact(cell)->text());
        if (form.size() <= kLongestExact)
            return form;
    }
    return workedNumber(value(cell), decimals, isShort(matrix(cell.matrix)));
}

std::vector<int> WorkedDiagram::largeMatrices() const
{
    if (isEmpty() || example->stages.empty())
        return {};
    return example->stages[static_cast<std::size_t>(stage())].large;
}

std::vector<int> WorkedDiagram::finishedMatrices() const
{
    std::vector<int> finished;
    for (int earlier = 0; !isEmpty() && earlier < stage(); ++earlier) {
        const auto& large = example->stages[static_cast<std::size_t>(earlier)].large;
        if (!large.empty() && !contains(finished, large.back()))
            finished.push_back(large.back());
    }
    return finished;
}

// ----------------------------------------------------------------------------------------- words

Role roleOf(CellRole role)
{
    switch (role) {
    case CellRole::Query:
        return Role::Query;
    case CellRole::Key:
        return Role::Key;
    case CellRole::Value:
        return Role::Value;
    case CellRole::Weight:
    case CellRole::Plain:
    case CellRole::Result:
        break;
    }
    return Role::Accent;
}

QString cellName(const WorkedMatrix& matrix, int row, int column)
{
    QStringList parts;
    for (const std::string* label : {&matrix.rowLabels[static_cast<std::size_t>(row)],
                                     &matrix.columnLabels[static_cast<std::size_t>(column)]})
        if (!label->empty())
            parts << QString::fromStdString(*label);
    return parts.join(QStringLiteral(", "));
}

QString describeCell(const WorkedDiagram& diagram, CellAddress cell)
{
    const WorkedMatrix& matrix = diagram.matrix(cell.matrix);
    const QString name = cellName(matrix, cell.row, cell.column);
    QString words = QString::fromStdString(matrix.title);
    if (!name.isEmpty())
        words += QStringLiteral(", ") + name;
    if (!diagram.isFilled(cell))
        return diagram.isNext(cell) ? tr("%1: the next number").arg(words)
                                    : tr("%1: not computed yet").arg(words);
    if (diagram.isMasked(cell))
        return tr("%1: %2, hidden by the mask").arg(words, diagram.text(cell, kShortDecimals));
    words += QStringLiteral(": ") + workedNumber(diagram.value(cell), 6, true);
    if (diagram.exact(cell)) {
        const QString form = QString::fromStdString(diagram.exact(cell)->text());
        if (form != workedNumber(diagram.value(cell), 6, true))
            words += tr(", exactly %1").arg(form);
    }
    if (matrix.isInput && diagram.isEditable)
        words += tr(". Press Enter or a digit to change it");
    return words;
}

QString describeStep(const WorkedDiagram& diagram)
{
    const WorkedStep* step = diagram.step();
    if (!step)
        return tr("Nothing is computed yet. Press Space to compute the first number.");
    const WorkedMatrix& matrix = diagram.matrix(step->result.matrix);
    QString words = QString::fromStdString(matrix.title);
    const QString name = cellName(matrix, step->result.row, step->result.column);
    if (!name.isEmpty())
        words += QStringLiteral(", ") + name;
    words += QStringLiteral(": ") + spokenText(liveFormula(diagram).left);
    const bool asked = !diagram.isFilled(step->result);
    words += tr(" equals %1").arg(asked ? tr("what?") : diagram.text(step->result, kShortDecimals));
    if (!step->reason.empty() && !asked)
        words += QStringLiteral(". ") + QString::fromStdString(step->reason);
    return words;
}

} // namespace headscope::ui
