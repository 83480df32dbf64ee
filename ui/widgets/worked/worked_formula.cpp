#include "ui/widgets/worked/worked_formula.h"

#include "ui/widgets/formula/formula_latex.h"

namespace headscope::ui {

namespace {

constexpr int kDecimals = 4;
constexpr int kExactDecimals = 6;

bool isWrittenShort(const WorkedDiagram& diagram, const Operand& operand)
{
    return !operand.cell || isShort(diagram.matrix(operand.cell->matrix));
}

/// Operands as numbers, as their cells show them.
class Numbers
{
public:
    Numbers(const WorkedDiagram& diagram, const WorkedStep& step) : m_diagram(diagram), m_step(step)
    {
    }

    std::size_t count() const { return m_step.operands.size(); }

    Math at(std::size_t index) const
    {
        const Operand& operand = m_step.operands[index];
        if (m_diagram.isExact && exactOf(operand))
            return coloured(QString::fromStdString(exactOf(operand)->text()), operand);
        return coloured(text(operand), operand);
    }

    /// Operand with brackets if it is negative or longer than a number.
    Math inside(std::size_t index) const
    {
        const Operand& operand = m_step.operands[index];
        const bool isForm = m_diagram.isExact && exactOf(operand) &&
                            exactOf(operand)->text().find_first_of("+- ") != std::string::npos;
        if (operand.value >= 0.0 && !isForm)
            return at(index);
        return math::row(
            {math::text(QStringLiteral("(")), at(index), math::text(QStringLiteral(")"))});
    }

private:
    const std::optional<ExactNumber>& exactOf(const Operand& operand) const
    {
        return operand.cell ? m_diagram.exact(*operand.cell) : operand.exact;
    }

    QString text(const Operand& operand) const
    {
        return workedNumber(operand.value, kDecimals, isWrittenShort(m_diagram, operand));
    }

    Math coloured(const QString& characters, const Operand& operand) const
    {
        const Role role =
            operand.cell ? roleOf(m_diagram.matrix(operand.cell->matrix).role) : Role::Plain;
        return math::text(characters, role);
    }

    const WorkedDiagram& m_diagram;
    const WorkedStep& m_step;
};

Math sign(const char* characters)
{
    return math::row(
        {math::space(0.35), math::text(QString::fromUtf8(characters)), math::space(0.35)});
}

Math thinSign(const char* characters)
{
    return math::row(
        {math::space(0.18), math::text(QString::fromUtf8(characters)), math::space(0.18)});
}

/// Terms of a + b + c, breakable after each sign.
std::vector<Math> joined(const Numbers& numbers, const char* between)
{
    std::vector<Math> terms;
    for (std::size_t i = 0; i < numbers.count(); ++i) {
        const Math one = i == 0 ? numbers.at(i) : numbers.inside(i);
        terms.push_back(i + 1 < numbers.count() ? math::row({one, sign(between)}) : one);
    }
    return terms;
}

std::vector<Math> dot(const Numbers& numbers)
{
    std::vector<Math> terms;
    for (std::size_t i = 0; i + 1 < numbers.count(); i += 2) {
        std::vector<Math> product{i == 0 ? numbers.at(i) : numbers.inside(i), thinSign("·"),
                                  numbers.inside(i + 1)};
        if (i + 3 < numbers.count())
            product.push_back(sign("+"));
        terms.push_back(math::row(std::move(product)));
    }
    return terms;
}

Math called(const char* name, const std::vector<Math>& inside)
{
    std::vector<Math> parts{math::text(QString::fromUtf8(name)), math::space(0.12),
                            math::text(QStringLiteral("("))};
    parts.insert(parts.end(), inside.begin(), inside.end());
    parts.push_back(math::text(QStringLiteral(")")));
    return math::row(std::move(parts));
}

std::vector<Math> termsOf(const WorkedStep& step, const Numbers& numbers)
{
    switch (step.operation) {
    case Operation::Dot:
        return dot(numbers);
    case Operation::Sum:
        return joined(numbers, "+");
    case Operation::Mean:
        return {math::fraction(math::row(joined(numbers, "+")),
                               math::text(QString::number(numbers.count())))};
    case Operation::Subtract:
        return joined(numbers, "−");
    case Operation::Multiply:
        return joined(numbers, "·");
    case Operation::Divide:
        return {math::fraction(numbers.at(0), numbers.at(1))};
    case Operation::Maximum:
        return {called("max", joined(numbers, ","))};
    case Operation::Exponential:
        return {math::scripts(math::variable(QStringLiteral("e")), numbers.at(0))};
    case Operation::Logarithm:
        return {called("ln", {numbers.at(0)})};
    case Operation::SquareRoot:
        return {math::root(numbers.at(0))};
    case Operation::Square:
        return {math::scripts(numbers.inside(0), math::text(QStringLiteral("2")))};
    case Operation::Power:
        return {math::scripts(numbers.inside(0), numbers.at(1))};
    case Operation::Sine:
        return {called("sin", {numbers.at(0)})};
    case Operation::Cosine:
        return {called("cos", {numbers.at(0)})};
    case Operation::Hide:
    case Operation::Copy:
        break;
    }
    return numbers.count() > 0 ? std::vector<Math>{numbers.at(0)} : std::vector<Math>{};
}

} // namespace

LiveFormula liveFormula(const WorkedDiagram& diagram)
{
    const WorkedStep* step = diagram.step();
    if (!step)
        return {};
    LiveFormula live;
    const bool isKnown = diagram.isFilled(step->result);
    live.terms = termsOf(*step, Numbers(diagram, *step));
    live.left = math::row(live.terms);
    live.result = isKnown ? diagram.text(step->result, kDecimals) : QStringLiteral("?");
    if (!step->formula.empty())
        live.general = mathOrText(QString::fromStdString(step->formula));
    if (!isKnown)
        return live;
    live.decimals = workedNumber(step->value, kExactDecimals, false);
    live.isWhole = workedNumber(step->value, kExactDecimals, true) ==
                   workedNumber(step->value, kDecimals, true);
    live.exact = exactForm(*step);
    return live;
}

Math exactForm(const WorkedStep& step)
{
    if (!step.exact ||
        QString::fromStdString(step.exact->text()) == workedNumber(step.value, kDecimals, true))
        return nullptr;
    return mathOrText(QString::fromStdString(step.exact->latex()));
}

} // namespace headscope::ui
