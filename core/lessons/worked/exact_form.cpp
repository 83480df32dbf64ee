#include "core/lessons/worked/exact_form.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace headscope {

namespace {

constexpr std::int64_t kLargest = 1'000'000'000'000;
constexpr std::int64_t kLargestRadicand = 10'000'000'000; ///< Limit for 10^5 trial divisors.
constexpr double kLargestExponent = 300.0;                ///< Its square still fits a double.
constexpr std::size_t kMostTerms = 8;

std::int64_t product(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result))
        throw NoExactForm();
    return result;
}

std::int64_t sum(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (__builtin_add_overflow(a, b, &result))
        throw NoExactForm();
    return result;
}

template<class Key, class Value>
void addTerm(std::map<Key, Value>& terms, const Key& key, const Value& value);

bool isZero(const Fraction& fraction)
{
    return fraction.over == 0;
}

bool isZero(const Surd& surd)
{
    return surd.empty();
}

Fraction plus(const Fraction& a, const Fraction& b)
{
    return a + b;
}

template<class Key, class Value>
void addTerm(std::map<Key, Value>& terms, const Key& key, const Value& value)
{
    Value total = plus(terms[key], value);
    if (isZero(total))
        terms.erase(key);
    else
        terms[key] = std::move(total);
    if (terms.size() > kMostTerms)
        throw NoExactForm();
}

Surd difference(const Surd& a, const Surd& b)
{
    return plus(a, times(b, surd(-1)));
}

/// The term coefficient * e^exponent.
Sum term(const Surd& exponent, const Surd& coefficient)
{
    if (std::abs(valueOf(exponent)) > kLargestExponent)
        throw NoExactForm();
    return {{exponent, coefficient}};
}

/// Conjugate that removes one root from the denominator of 1 / a: a + b -> a - b.
Surd conjugate(const Surd& a)
{
    Surd other = a;
    other.rbegin()->second = other.rbegin()->second * Fraction(-1);
    return other;
}

/// Makes the denominator an integer if it has a single power of e.
void clearLower(Sum& upper, Sum& lower)
{
    if (lower.size() != 1)
        return;
    const auto [exponent, coefficient] = *lower.begin();
    Sum cleared;
    for (const auto& [power, number] : upper) {
        const std::optional<Surd> divided = quotient(number, coefficient);
        if (!divided)
            return;
        cleared.merge(term(difference(power, exponent), *divided));
    }
    upper = std::move(cleared);
    lower = term({}, surd(1));
}

/// Factor that turns all coefficients into integers without a common divisor.
Fraction contentOf(const Sum& upper, const Sum& lower)
{
    std::int64_t divisor = 0;
    std::int64_t multiple = 1;
    for (const Sum* part : {&upper, &lower})
        for (const auto& [power, coefficient] : *part)
            for (const auto& [radicand, number] : coefficient) {
                divisor = std::gcd(divisor, number.over);
                multiple = product(multiple / std::gcd(multiple, number.under), number.under);
            }
    const bool negative = lower.begin()->second.begin()->second.over < 0;
    return {negative ? -multiple : multiple, divisor};
}

} // namespace

Fraction::Fraction(std::int64_t upper, std::int64_t lower)
{
    if (lower == 0)
        throw NoExactForm();
    const std::int64_t divisor = std::gcd(upper, lower) * (lower < 0 ? -1 : 1);
    over = upper / divisor;
    under = lower / divisor;
    if (over > kLargest || over < -kLargest || under > kLargest)
        throw NoExactForm();
}

Fraction operator+(const Fraction& a, const Fraction& b)
{
    const std::int64_t shared = std::gcd(a.under, b.under);
    return {sum(product(a.over, b.under / shared), product(b.over, a.under / shared)),
            product(a.under, b.under / shared)};
}

Fraction operator*(const Fraction& a, const Fraction& b)
{
    return {product(a.over, b.over), product(a.under, b.under)};
}

Fraction operator/(const Fraction& a, const Fraction& b)
{
    return {product(a.over, b.under), product(a.under, b.over)};
}

Surd plus(Surd a, const Surd& b)
{
    for (const auto& [radicand, number] : b)
        addTerm(a, radicand, number);
    return a;
}

Surd times(const Surd& a, const Surd& b)
{
    Surd result;
    for (const auto& [first, x] : a)
        for (const auto& [second, y] : b) {
            const std::int64_t shared = std::gcd(first, second);
            const std::int64_t radicand = product(first / shared, second / shared);
            if (radicand > kLargestRadicand)
                throw NoExactForm();
            addTerm(result, radicand, x * y * Fraction(shared));
        }
    return result;
}

Surd surd(const Fraction& number)
{
    return number.over == 0 ? Surd() : Surd{{1, number}};
}

Surd rootOf(std::int64_t number)
{
    if (number < 0 || number > kLargestRadicand)
        throw NoExactForm();
    std::int64_t outside = 1;
    for (std::int64_t factor = 2; factor * factor <= number; ++factor)
        while (number % (factor * factor) == 0) {
            number /= factor * factor;
            outside *= factor;
        }
    return number == 0 ? Surd() : Surd{{number, Fraction(outside)}};
}

std::optional<Surd> quotient(const Surd& a, const Surd& b)
{
    if (b.empty() || b.size() > 2)
        return std::nullopt;
    if (b.size() == 2)
        return quotient(times(a, conjugate(b)), times(b, conjugate(b)));
    const auto& [radicand, number] = *b.begin();
    return times(a, Surd{{radicand, Fraction(1) / (number * Fraction(radicand))}});
}

double valueOf(const Surd& a)
{
    double value = 0.0;
    for (const auto& [radicand, number] : a)
        value += static_cast<double>(number.over) / static_cast<double>(number.under) *
                 std::sqrt(static_cast<double>(radicand));
    return value;
}

Sum plus(Sum a, const Sum& b)
{
    for (const auto& [exponent, coefficient] : b)
        addTerm(a, exponent, coefficient);
    return a;
}

Sum times(const Sum& a, const Sum& b)
{
    Sum result;
    for (const auto& [first, x] : a)
        for (const auto& [second, y] : b)
            result = plus(std::move(result), term(plus(first, second), times(x, y)));
    return result;
}

double valueOf(const Sum& a)
{
    double value = 0.0;
    for (const auto& [exponent, coefficient] : a)
        value += valueOf(coefficient) * std::exp(valueOf(exponent));
    return value;
}

std::optional<Surd> proportion(const Sum& a, const Sum& b)
{
    if (a.empty() || a.size() != b.size() || a.begin()->first != b.begin()->first)
        return std::nullopt;
    std::optional<Surd> factor = quotient(b.begin()->second, a.begin()->second);
    if (factor && times(a, {{Surd(), *factor}}) != b)
        factor.reset();
    return factor;
}

ExactNumber::Form reduced(Sum upper, Sum lower)
{
    if (lower.empty())
        throw NoExactForm();
    if (upper.empty())
        return {{}, term({}, surd(1))};
    if (const auto factor = proportion(lower, upper)) {
        upper = term({}, *factor);
        lower = term({}, surd(1));
    }
    clearLower(upper, lower);
    const Sum content = term({}, surd(contentOf(upper, lower)));
    return {times(upper, content), times(lower, content)};
}

} // namespace headscope
