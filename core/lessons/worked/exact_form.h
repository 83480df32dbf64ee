#pragma once

#include "core/lessons/worked/exact_number.h"

#include <compare>

namespace headscope {

/// Thrown inside exact arithmetic: the result has no form that anybody would read.
struct NoExactForm
{
};

/// A fraction in lowest terms, the lower number positive. Throws NoExactForm beyond 10^12.
struct Fraction
{
    Fraction(std::int64_t upper = 0, std::int64_t lower = 1); // NOLINT: 2 is a fraction

    std::int64_t over = 0;
    std::int64_t under = 1;

    friend auto operator<=>(const Fraction&, const Fraction&) = default;
};

Fraction operator+(const Fraction& a, const Fraction& b);
Fraction operator*(const Fraction& a, const Fraction& b);
Fraction operator/(const Fraction& a, const Fraction& b);

/// Sum of coefficient * sqrt(radicand), by square-free radicand; no coefficient is 0.
using Surd = std::map<std::int64_t, Fraction>;

Surd plus(Surd a, const Surd& b);
Surd times(const Surd& a, const Surd& b);
Surd surd(const Fraction& number);
Surd rootOf(std::int64_t number);                           ///< 12 -> 2 sqrt(3)
std::optional<Surd> quotient(const Surd& a, const Surd& b); ///< nothing for b of three roots or 0
double valueOf(const Surd& a);

/// Sum of coefficient * e^exponent, by exponent.
using Sum = std::map<Surd, Surd>;

Sum plus(Sum a, const Sum& b);
Sum times(const Sum& a, const Sum& b);
double valueOf(const Sum& a);

/// The surd that makes b of a, or nothing.
std::optional<Surd> proportion(const Sum& a, const Sum& b);

/// Every coefficient is an integer, all of them together without a common divisor. The lower sum is
/// never 0; it is an integer where it can be.
struct ExactNumber::Form
{
    Sum upper;
    Sum lower;
};

/// upper / lower in that form. Throws NoExactForm.
ExactNumber::Form reduced(Sum upper, Sum lower);

} // namespace headscope
