#include "ui/widgets/worked/worked_answer.h"

#include "ui/widgets/tr.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headscope::ui {

namespace {

/// Reads factors such as "2", "√2", "2√3" and "sqrt(2)".
std::optional<double> readFactor(QString text)
{
    static const QRegularExpression kRoot(
        QStringLiteral("^([+-]?[0-9.]*)(?:√|sqrt)\\(?([0-9.]+)\\)?$"));
    bool isNumber = false;
    if (const auto root = kRoot.match(text); root.hasMatch()) {
        const QString before = root.captured(1);
        const bool isSign =
            before.isEmpty() || before == QLatin1String("+") || before == QLatin1String("-");
        const double factor =
            isSign ? (before == QLatin1String("-") ? -1.0 : 1.0) : before.toDouble(&isNumber);
        const double inside = root.captured(2).toDouble(&isNumber);
        return isNumber ? std::optional(factor * std::sqrt(inside)) : std::nullopt;
    }
    const double value = text.toDouble(&isNumber);
    return isNumber && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Half a unit of the last digit that must be right.
double tolerance(double value)
{
    const double size = std::abs(value);
    if (size == 0.0 || size >= 0.1)
        return std::max(0.005, 5e-4 * size) * (1.0 + 1e-9);
    return 0.5 * std::pow(10.0, std::floor(std::log10(size)) - 1.0) * (1.0 + 1e-9);
}

bool isNear(double typed, double value)
{
    if (std::isinf(typed) || std::isinf(value))
        return typed == value;
    return std::abs(typed - value) <= tolerance(value);
}

/// Recognises common mistakes, if they differ enough from the right answer.
class Mistakes
{
public:
    Mistakes(const WorkedExample& example, const WorkedStep& step, double typed)
        : m_example(example)
        , m_step(step)
        , m_typed(typed)
    {
        for (const Operand& operand : step.operands)
            m_values.push_back(operand.value);
    }

    QString name() const
    {
        for (const auto find :
             {&Mistakes::sign, &Mistakes::operation, &Mistakes::other, &Mistakes::decimalPoint}) {
            const QString words = (this->*find)();
            if (!words.isEmpty())
                return words;
        }
        return size();
    }

private:
    bool is(double value) const
    {
        return std::isfinite(value) && isNear(m_typed, value) && !isNear(m_step.value, value);
    }

    QString sign() const
    {
        return m_step.value != 0.0 && is(-m_step.value)
                   ? tr("The size is right, but the sign is not.")
                   : QString();
    }

    QString operation() const
    {
        switch (m_step.operation) {
        case Operation::Dot:
            return ofDot();
        case Operation::Sum:
        case Operation::Mean:
            return ofSum();
        case Operation::Divide:
            return ofDivision();
        case Operation::Maximum:
            return is(*std::min_element(m_values.begin(), m_values.end()))
                       ? tr("That is the smallest number. Find the largest.")
                       : QString();
        case Operation::Hide:
            return tr("This cell is masked, so its score is −∞: type -inf.");
        default:
            return m_values.size() == 2 ? ofTwo() : ofOne();
        }
    }

    QString ofDot() const
    {
        double added = 0.0;
        for (std::size_t i = 0; i + 1 < m_values.size(); i += 2) {
            const double product = m_values[i] * m_values[i + 1];
            if (product != 0.0 && is(m_step.value - product))
                return tr("One product is missing: %1 · %2.")
                    .arg(workedNumber(m_values[i], 4, true),
                         workedNumber(m_values[i + 1], 4, true));
            added += m_values[i] + m_values[i + 1];
        }
        return is(added) ? tr("You added the pairs. Multiply each pair first, then add.")
                         : QString();
    }

    QString ofSum() const
    {
        const double sum = std::accumulate(m_values.begin(), m_values.end(), 0.0);
        const double count = static_cast<double>(m_values.size());
        const bool isMean = m_step.operation == Operation::Mean;
        if (isMean && is(sum))
            return tr("That is the sum. Divide it by %1.").arg(m_values.size());
        if (!isMean && is(sum / count))
            return tr("That is the mean. Find the sum.");
        for (const double value : m_values)
            if (value != 0.0 && !isMean && is(sum - value))
                return tr("One number is missing: %1.").arg(workedNumber(value, 4, true));
        return {};
    }

    QString ofDivision() const
    {
        const double by = m_values[1];
        if (is(m_values[0]))
            return tr("You forgot to divide by %1.").arg(workedNumber(by, 4, true));
        if (is(m_values[0] * by))
            return tr("You multiplied. Divide by %1.").arg(workedNumber(by, 4, true));
        if (is(m_values[0] / (by * by)))
            return tr("You divided by %1, the square. Divide by its square root, %2.")
                .arg(workedNumber(by * by, 4, true), workedNumber(by, 4, true));
        if (m_values[0] != 0.0 && is(by / m_values[0]))
            return tr("You swapped dividend and divisor.");
        return {};
    }

    QString ofTwo() const
    {
        const double a = m_values[0];
        const double b = m_values[1];
        if (m_step.operation == Operation::Subtract && is(a + b))
            return tr("You added. Subtract %1.").arg(workedNumber(b, 4, true));
        if (m_step.operation == Operation::Multiply && is(a + b))
            return tr("You added. Multiply the two.");
        if (is(a))
            return tr("That is the first number unchanged. Apply the operation.");
        return is(b) ? tr("That is the second number unchanged. Apply the operation.") : QString();
    }

    QString ofOne() const
    {
        if (m_values.size() != 1)
            return {};
        const double a = m_values[0];
        if (is(a))
            return tr("That is the number unchanged. Apply the operation.");
        if (m_step.operation == Operation::Exponential && is(std::exp(-a)))
            return tr("The sign of the exponent is wrong.");
        if (m_step.operation == Operation::Exponential && (is(std::exp2(a)) || is(std::pow(10, a))))
            return tr("The base is e, which is about 2.7183.");
        if (m_step.operation == Operation::Square && is(2.0 * a))
            return tr("You doubled it. Multiply it by itself.");
        if (m_step.operation == Operation::SquareRoot && (is(a / 2.0) || is(a * a)))
            return tr("The square root is the number that gives %1 when multiplied by itself.")
                .arg(workedNumber(a, 4, true));
        if (m_step.operation == Operation::Logarithm && is(std::log10(a)))
            return tr("Use the natural logarithm, ln, not base 10.");
        return {};
    }

    /// Value of another cell of the same matrix, adjacent or anywhere.
    QString other() const
    {
        const WorkedMatrix& matrix =
            m_example.matrices[static_cast<std::size_t>(m_step.result.matrix)];
        for (int row = 0; row < matrix.rows(); ++row)
            for (int column = 0; column < matrix.columns(); ++column)
                if (const double value = matrix.values[matrix.at(row, column)];
                    value != 0.0 && is(value))
                    return tr("That is the number of another cell: %1.")
                        .arg(cellName(matrix, row, column));
        return {};
    }

    QString decimalPoint() const
    {
        const bool isOff =
            m_step.value != 0.0 && (is(m_step.value * 10.0) || is(m_step.value / 10.0));
        return isOff ? tr("The decimal point is one place off.") : QString();
    }

    QString size() const
    {
        if (std::isinf(m_step.value) || std::isinf(m_typed))
            return std::isinf(m_typed) ? tr("Not yet: the number is finite.") : QString();
        if ((m_typed < 0.0) != (m_step.value < 0.0) && m_step.value != 0.0)
            return m_step.value < 0.0 ? tr("Not yet: the number is below 0.")
                                      : tr("Not yet: the number is above 0.");
        return m_typed < m_step.value ? tr("Not yet: the number is larger.")
                                      : tr("Not yet: the number is smaller.");
    }

    const WorkedExample& m_example;
    const WorkedStep& m_step;
    double m_typed;
    std::vector<double> m_values;
};

} // namespace

std::optional<double> readAnswer(const QString& typed)
{
    QString text = typed;
    text.remove(QRegularExpression(QStringLiteral("[\\s\\x{202F}]")));
    text.replace(QChar(0x2212), QLatin1Char('-'));
    if (!text.contains(QLatin1Char('.')) && text.count(QLatin1Char(',')) == 1)
        text.replace(QLatin1Char(','), QLatin1Char('.'));
    static const QRegularExpression kInfinity(QStringLiteral("^([+-]?)(?:∞|inf|infinity)$"),
                                              QRegularExpression::CaseInsensitiveOption);
    if (const auto infinite = kInfinity.match(text); infinite.hasMatch())
        return (infinite.captured(1) == QLatin1String("-") ? -1.0 : 1.0) *
               std::numeric_limits<double>::infinity();
    const QStringList parts = text.split(QLatin1Char('/'));
    const std::optional<double> over = readFactor(parts.front());
    if (!over || parts.size() == 1)
        return over;
    const std::optional<double> under = readFactor(parts.at(1));
    if (parts.size() > 2 || !under || *under == 0.0)
        return std::nullopt;
    return *over / *under;
}

WorkedAnswer checkAnswer(const WorkedExample& example, std::size_t step, const QString& typed)
{
    using Verdict = WorkedAnswer::Verdict;
    const WorkedStep& asked = example.steps.at(step);
    const std::optional<double> answer = readAnswer(typed);
    if (!answer)
        return {Verdict::Unreadable, typed.trimmed().isEmpty()
                                         ? tr("Type a number first, such as 0.37 or 1/2.")
                                         : tr("Not a number. Type one such as 0.37, 1/2 or √2/2.")};
    const QString exact = workedNumber(asked.value, 6, true);
    if (isNear(*answer, asked.value))
        return {Verdict::Right, tr("Right: %1.").arg(exact)};
    if (std::isfinite(asked.value) && std::isfinite(*answer) &&
        std::abs(*answer - asked.value) <= 2.2 * tolerance(asked.value))
        return {Verdict::Close, tr("Very close. Check the rounding: two digits must be right.")};
    return {Verdict::Wrong, Mistakes(example, asked, *answer).name()};
}

QString questionOf(const WorkedExample& example, std::size_t step)
{
    const CellAddress cell = example.steps.at(step).result;
    const WorkedMatrix& matrix = example.matrices[static_cast<std::size_t>(cell.matrix)];
    const QString title = QString::fromStdString(matrix.title);
    const QString name = cellName(matrix, cell.row, cell.column);
    return name.isEmpty() ? tr("Which number belongs in %1?").arg(title)
                          : tr("Which number belongs in %1: %2?").arg(title, name);
}

QString hintOf(const WorkedStep& step)
{
    switch (step.operation) {
    case Operation::Dot:
        return tr("Multiply the numbers in pairs and add the products.");
    case Operation::Sum:
        return tr("Add the numbers.");
    case Operation::Mean:
        return tr("Add the numbers and divide by their count.");
    case Operation::Subtract:
        return tr("Subtract the second number from the first.");
    case Operation::Multiply:
        return tr("Multiply the numbers.");
    case Operation::Divide:
        return tr("Divide the first number by the second.");
    case Operation::Maximum:
        return tr("Find the largest number.");
    case Operation::Exponential:
        return tr("Raise e, about 2.7183, to the power of the number.");
    case Operation::Logarithm:
        return tr("Take the natural logarithm.");
    case Operation::SquareRoot:
        return tr("Take the square root.");
    case Operation::Square:
        return tr("Multiply the number by itself.");
    case Operation::Power:
        return tr("Raise the first number to the power of the second.");
    case Operation::Sine:
        return tr("Take the sine; the angle is in radians.");
    case Operation::Cosine:
        return tr("Take the cosine; the angle is in radians.");
    case Operation::Hide:
        return tr("This cell is masked. What does a masked score become? Type -inf for −∞.");
    case Operation::Copy:
        return tr("The number is copied unchanged.");
    }
    return {};
}

} // namespace headscope::ui
