#pragma once

#include "core/lessons/worked/exact_number.h"

#include <compare>

namespace headscope {

/// Thrown by exact arithmetic when the result has no readable form.
struct NoExactForm
{
};

/// Fraction in lowest terms with a positive denominator. Throws NoExactForm beyond 10^12.
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
Surd rootOf(std::int64_t number);                           ///< E.g. 12 -> 2 sqrt(3).
std::optional<Surd> quotient(const Surd& a, const Surd& b); ///< Nothing for b of three roots or 0.
double valueOf(const Surd& a);

/// Sum of coefficient * e^exponent, by exponent.
using Sum = std::map<Surd, Surd>;

Sum plus(Sum a, const Sum& b);
Sum times(const Sum& a, const Sum& b);
double valueOf(const Sum& a);

/// Surd s with a * s = b, or nothing.
std::optional<Surd> proportion(const Sum& a, const Sum& b);

/// Quotient of two sums with integer coefficients without a common divisor. The denominator is
/// never 0, and an integer if possible.
struct ExactNumber::Form
{
    Sum upper;
    Sum lower;
};

/// Normal form of upper / lower. Throws NoExactForm.
ExactNumber::Form reduced(Sum upper, Sum lower);

} // namespace headscope
