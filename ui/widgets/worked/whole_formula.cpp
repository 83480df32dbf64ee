#include "ui/widgets/worked/whole_formula.h"

#include "ui/widgets/formula/formula_latex.h"
#include "ui/widgets/worked/formula_terms.h"

#include <QRegularExpression>

#include <algorithm>
#include <optional>
#include <utility>

namespace headscope::ui {

namespace {

using Tone = MathNode::Tone;

/// Binding strength of an expression's outermost operation.
enum class Binding { Sum, Product, Function, Atom };

struct Expression
{
    Math math;
    Binding binding = Binding::Atom;
};

Math sign(const char* characters, Tone tone)
{
    return math::row({math::space(0.22),
                      math::toned(math::text(QString::fromUtf8(characters)), tone),
                      math::space(0.22)});
}

/// Brackets belong to the formula, not to the operation: they are never lit.
Math fenced(Math inside, Tone tone)
{
    return math::tonedAlone(
        math::fenced(QStringLiteral("("), std::move(inside), QStringLiteral(")")),
        tone == Tone::Faint ? Tone::Faint : Tone::Plain);
}

/// Expression in brackets, unless it binds at least as strongly.
Math inside(const Expression& expression, Binding least, Tone tone)
{
    return expression.binding >= least ? expression.math : fenced(expression.math, tone);
}

/// "Queries Q" is Q, "Learning rate η" is η, "β1" is β with an index.
Math letterOf(const QString& title)
{
    static const QRegularExpression kLetter(
        QStringLiteral("(?:^|\\s)([\\p{Latin}\\p{Greek}])(\\d?)(?=$|\\s)"));
    const QRegularExpressionMatch found = kLetter.match(title);
    if (!found.hasMatch())
        return nullptr;
    const Math letter = math::variable(found.captured(1));
    return found.captured(2).isEmpty()
               ? letter
               : math::scripts(letter, nullptr, math::text(found.captured(2)));
}

Math symbolOf(const WorkedMatrix& matrix)
{
    if (!matrix.formula.empty())
        return mathOrText(QString::fromStdString(matrix.formula));
    const QString title = QString::fromStdString(matrix.title);
    if (const Math letter = letterOf(title))
        return letter;
    return math::text(title.section(QStringLiteral(" ("), 0, 0));
}

class FormulaWriter
{
public:
    explicit FormulaWriter(const WorkedDiagram& diagram)
        : m_diagram(diagram)
        , m_terms(*diagram.example)
    {
    }

    /// Lights the name of the result that the current stage leads to.
    void lightName()
    {
        if (m_diagram.step())
            m_current = m_terms.resultOf(m_diagram.stage());
    }

    std::vector<Math> formulas()
    {
        std::vector<Math> formulas;
        for (const auto& [matrix, cell] : m_terms.named())
            formulas.push_back(definition(cell));
        return formulas;
    }

private:
    /// Operations of these stages: faint before, lit during, plain after them.
    Tone toneOf(const FormulaTerm& term) const
    {
        const int now = m_diagram.step() ? m_diagram.stage() : -1;
        if (now < *term.stages.begin())
            return Tone::Faint;
        return term.stages.contains(now) ? Tone::Lit : Tone::Plain;
    }

    Math definition(CellAddress cell)
    {
        m_defined = cell.matrix;
        const WorkedMatrix& matrix = m_diagram.matrix(cell.matrix);
        const FormulaTerm term = m_terms.term(cell);
        const bool isCurrent = m_current == cell.matrix;
        const bool isReached = isCurrent || toneOf(term) != Tone::Faint;
        const Tone tone = isReached ? Tone::Plain : Tone::Faint;
        const Math name = math::toned(math::text(QString::fromStdString(matrix.title)),
                                      isCurrent ? Tone::Lit : tone);
        return math::row({name, sign("=", tone),
                          m_terms.isMixed(cell.matrix) ? row(cell, tone) : written(term).math});
    }

    Math row(CellAddress cell, Tone tone) const
    {
        std::vector<Math> parts;
        for (cell.column = 0; cell.column < m_diagram.matrix(cell.matrix).columns();
             ++cell.column) {
            if (cell.column > 0)
                parts.push_back(math::toned(math::text(QStringLiteral(", ")), tone));
            parts.push_back(written(m_terms.term(cell)).math);
        }
        return fenced(math::row(std::move(parts)), tone);
    }

    Expression operand(const Operand& operand, Tone tone) const
    {
        if (!operand.cell)
            return {math::toned(mathOrText(QString::fromStdString(operand.symbol)), tone)};
        const int index = operand.cell->matrix;
        const WorkedMatrix& matrix = m_diagram.matrix(index);
        if (matrix.isInput)
            return {math::toned(symbolOf(matrix), tone)};
        if (index != m_defined && m_terms.named().contains(index))
            return {math::toned(math::text(QString::fromStdString(matrix.title)), tone)};
        const FormulaTerm term = m_terms.term(*operand.cell);
        if (isCopyOfInput(term) && tone == Tone::Lit) // a factor of the current product
            return {math::toned(symbolOf(matrix), tone)};
        return written(term);
    }

    bool isCopyOfInput(const FormulaTerm& term) const
    {
        const auto isInput = [this](const Operand& part) {
            return !part.cell || m_diagram.matrix(part.cell->matrix).isInput;
        };
        return term.step->operation == Operation::Copy && std::ranges::all_of(term.parts, isInput);
    }

    Expression written(const FormulaTerm& term) const
    {
        const Tone tone = toneOf(term);
        if (term.isSoftmax)
            return called(QStringLiteral("softmax"), term, tone);
        switch (term.step->operation) {
        case Operation::Dot:
            return term.isProduct ? product(term, tone) : sumOfProducts(term, tone);
        case Operation::Sum:
            return term.isReduction ? summed(term, tone) : joined(term, "+", Binding::Sum, tone);
        case Operation::Mean:
            return mean(term, tone);
        case Operation::Subtract:
            return difference(term, tone);
        case Operation::Multiply:
            return multiplied(term, tone);
        case Operation::Divide:
            return {math::tonedAlone(math::fraction(operand(term.parts[0], tone).math,
                                                    operand(term.parts[1], tone).math),
                                     tone),
                    Binding::Function};
        case Operation::Copy:
            return copied(term, tone);
        case Operation::Hide:
            return {math::toned(math::text(QStringLiteral("−∞")), tone)};
        default:
            return function(term, tone);
        }
    }

    Expression function(const FormulaTerm& term, Tone tone) const
    {
        const Expression first = operand(term.parts[0], tone);
        const auto power = [&](const Math& base, const Math& exponent) {
            return Expression{math::scripts(base, exponent), Binding::Function};
        };
        switch (term.step->operation) {
        case Operation::Exponential:
            return power(math::toned(math::variable(QStringLiteral("e")), tone), first.math);
        case Operation::Square:
            return power(inside(first, Binding::Atom, tone),
                         math::toned(math::text(QStringLiteral("2")), tone));
        case Operation::Power:
            return power(inside(first, Binding::Atom, tone), operand(term.parts[1], tone).math);
        case Operation::SquareRoot:
            return {math::tonedAlone(math::root(first.math), tone)};
        case Operation::Maximum:
            return called(QStringLiteral("max"), term, tone);
        case Operation::Logarithm:
            return called(QStringLiteral("ln"), term, tone);
        case Operation::Sine:
            return called(QStringLiteral("sin"), term, tone);
        default:
            return called(QStringLiteral("cos"), term, tone);
        }
    }

    Expression called(const QString& name, const FormulaTerm& term, Tone tone) const
    {
        return {math::row({math::toned(math::text(name), tone),
                           fenced(operand(term.parts[0], tone).math, tone)}),
                Binding::Function};
    }

    /// True where the operand is written as one symbol, which carries the product's tone.
    bool isSymbol(const Operand& operand) const
    {
        const int index = operand.cell->matrix;
        return m_diagram.matrix(index).isInput ||
               (index != m_defined && m_terms.named().contains(index)) ||
               isCopyOfInput(m_terms.term(*operand.cell));
    }

    Expression product(const FormulaTerm& term, Tone tone) const
    {
        const Expression left = operand(term.parts[0], tone);
        Math right = inside(operand(term.parts[1], tone),
                            term.isTransposed ? Binding::Atom : Binding::Function, tone);
        if (term.isTransposed)
            right = math::scripts(right, math::toned(math::text(QStringLiteral("T")), tone));
        const bool areVectors =
            m_diagram.matrix(term.parts[0].cell->matrix).rows() == 1 && !term.isTransposed;
        const bool hasSymbol =
            term.isTransposed || isSymbol(term.parts[0]) || isSymbol(term.parts[1]);
        return {math::row({inside(left, Binding::Product, tone),
                           areVectors || !hasSymbol ? sign("·", tone) : math::space(0.25), right}),
                Binding::Product};
    }

    Expression sumOfProducts(const FormulaTerm& term, Tone tone) const
    {
        std::vector<Math> parts;
        for (std::size_t i = 0; i + 1 < term.parts.size(); i += 2) {
            if (i > 0)
                parts.push_back(sign("+", tone));
            parts.push_back(inside(operand(term.parts[i], tone), Binding::Product, tone));
            parts.push_back(sign("·", tone));
            parts.push_back(inside(operand(term.parts[i + 1], tone), Binding::Product, tone));
        }
        return {math::row(std::move(parts)), Binding::Sum};
    }

    Expression joined(const FormulaTerm& term, const char* between, Binding binding,
                      Tone tone) const
    {
        std::vector<Math> parts;
        for (const Operand& part : term.parts) {
            if (!parts.empty())
                parts.push_back(sign(between, tone));
            parts.push_back(inside(operand(part, tone), binding, tone));
        }
        return {math::row(std::move(parts)), binding};
    }

    Expression summed(const FormulaTerm& term, Tone tone) const
    {
        return {math::row({math::toned(math::text(QStringLiteral("Σ")), tone), math::space(0.15),
                           inside(operand(term.parts[0], tone), Binding::Product, tone)}),
                Binding::Product};
    }

    Expression mean(const FormulaTerm& term, Tone tone) const
    {
        const auto number = [](std::size_t value) { return math::text(QString::number(value)); };
        const Math part =
            math::toned(math::fraction(number(1), number(term.step->operands.size())), tone);
        return {math::row({part, math::space(0.15), summed(term, tone).math}), Binding::Product};
    }

    Expression negative(const Operand& part, Tone tone) const
    {
        return {math::row({math::toned(math::text(QStringLiteral("−")), tone),
                           inside(operand(part, tone), Binding::Product, tone)}),
                Binding::Sum};
    }

    Expression difference(const FormulaTerm& term, Tone tone) const
    {
        if (!term.parts[0].cell && term.parts[0].value == 0.0)
            return negative(term.parts[1], tone);
        return {math::row({operand(term.parts[0], tone).math, sign("−", tone),
                           inside(operand(term.parts[1], tone), Binding::Product, tone)}),
                Binding::Sum};
    }

    Expression multiplied(const FormulaTerm& term, Tone tone) const
    {
        if (!term.parts[0].cell && term.parts[0].value == -1.0)
            return negative(term.parts[1], tone);
        return joined(term, "·", Binding::Product, tone);
    }

    /// A copied input is a matrix of its own; anything else is a function named by its stage.
    Expression copied(const FormulaTerm& term, Tone tone) const
    {
        const WorkedMatrix& result = m_diagram.matrix(term.step->result.matrix);
        if (isCopyOfInput(term))
            return {math::toned(symbolOf(result), tone)};
        const auto stage = static_cast<std::size_t>(term.step->stage);
        return called(QString::fromStdString(m_diagram.example->stages[stage].title).toLower(),
                      term, tone);
    }

    const WorkedDiagram& m_diagram;
    FormulaTerms m_terms;
    std::optional<int> m_current; ///< Matrix whose name is lit.
    int m_defined = -1;           ///< Matrix whose formula is being written.
};

} // namespace

std::vector<Math> wholeFormula(const WorkedDiagram& diagram)
{
    if (diagram.isEmpty() || diagram.example->steps.empty())
        return {};
    FormulaWriter writer(diagram);
    std::vector<Math> formulas = writer.formulas();
    if (std::ranges::any_of(formulas, isLit))
        return formulas;
    writer.lightName(); // the formula shows another row than the current one
    return writer.formulas();
}

bool isLit(const Math& formula)
{
    return formula && (formula->tone == Tone::Lit || std::ranges::any_of(formula->parts, isLit));
}

} // namespace headscope::ui
