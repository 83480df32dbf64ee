#include "core/lessons/worked/exact_evaluation.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

using Exact = std::optional<ExactNumber>;

Exact sum(const Exact& a, const Exact& b)
{
    return a && b ? *a + *b : std::nullopt;
}

/// 0 times anything is 0, even if the other number has no exact form.
Exact product(const ExactOperand& a, const ExactOperand& b)
{
    if ((a.value == 0.0 && std::isfinite(b.value)) || (b.value == 0.0 && std::isfinite(a.value)))
        return ExactNumber(0);
    return a.exact && b.exact ? *a.exact * *b.exact : std::nullopt;
}

Exact sumOf(const std::vector<ExactOperand>& operands)
{
    Exact total = ExactNumber(0);
    for (const ExactOperand& operand : operands)
        total = sum(total, operand.exact);
    return total;
}

Exact dotOf(const std::vector<ExactOperand>& pairs)
{
    Exact total = ExactNumber(0);
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
        total = sum(total, product(pairs[i], pairs[i + 1]));
    return total;
}

Exact productOf(const std::vector<ExactOperand>& operands)
{
    ExactOperand total{1.0, ExactNumber(1)};
    for (const ExactOperand& operand : operands) {
        total.exact = product(total, operand);
        total.value *= operand.value;
    }
    return total.exact;
}

Exact quotientOf(const Exact& a, const Exact& b)
{
    return a && b ? *a / *b : std::nullopt;
}

/// Exact power for small integer and half-integer exponents.
Exact powerOf(const ExactOperand& base, double exponent)
{
    constexpr double kMost = 8.0;
    const double halves = 2.0 * exponent;
    if (!base.exact || halves != std::round(halves) || std::abs(exponent) > kMost)
        return std::nullopt;
    const bool isWhole = exponent == std::round(exponent);
    const Exact factor = isWhole ? base.exact : squareRoot(*base.exact);
    const int times = static_cast<int>(std::abs(isWhole ? exponent : halves));
    Exact power = ExactNumber(1);
    for (int i = 0; i < times; ++i)
        power = power && factor ? *power * *factor : std::nullopt;
    return exponent < 0.0 ? quotientOf(ExactNumber(1), power) : power;
}

Exact exponentialOf(const ExactOperand& operand)
{
    if (std::isinf(operand.value) && operand.value < 0.0)
        return ExactNumber(0);
    return operand.exact ? exponential(*operand.exact) : std::nullopt;
}

Exact constantAt(double at, const ExactOperand& operand, std::int64_t value)
{
    return operand.value == at ? Exact(ExactNumber(value)) : std::nullopt;
}

} // namespace

std::optional<ExactNumber> evaluateExactly(Operation operation,
                                           const std::vector<ExactOperand>& operands)
{
    if (operation == Operation::Hide || operands.empty())
        return std::nullopt;
    const ExactOperand& first = operands.front();
    const Exact second = operands.back().exact;
    switch (operation) {
    case Operation::Dot:
        return dotOf(operands);
    case Operation::Sum:
        return sumOf(operands);
    case Operation::Mean:
        return quotientOf(sumOf(operands), ExactNumber(static_cast<std::int64_t>(operands.size())));
    case Operation::Subtract:
        return first.exact && second ? *first.exact - *second : std::nullopt;
    case Operation::Multiply:
        return productOf(operands);
    case Operation::Divide:
        return quotientOf(first.exact, second);
    case Operation::Maximum:
        return std::ranges::max_element(operands, {}, &ExactOperand::value)->exact;
    case Operation::Exponential:
        return exponentialOf(first);
    case Operation::Logarithm:
        return constantAt(1.0, first, 0);
    case Operation::SquareRoot:
        return first.exact ? squareRoot(*first.exact) : std::nullopt;
    case Operation::Square:
        return product(first, first);
    case Operation::Power:
        return powerOf(first, operands.back().value);
    case Operation::Sine:
        return constantAt(0.0, first, 0);
    case Operation::Cosine:
        return constantAt(0.0, first, 1);
    case Operation::Copy:
        return first.exact;
    case Operation::Hide:
        break;
    }
    return std::nullopt;
}

} // namespace headscope
