#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace headscope {

/// Exact number: fractions, square roots, powers of e, and quotients of sums of those, such as
/// 1 / (1 + e^(sqrt(2)/2) + e^0). Arithmetic returns nothing if the result has no such form or is
/// too long to read.
class ExactNumber
{
public:
    ExactNumber(std::int64_t integer = 0); // NOLINT: implicit from int; at most 10^12 in size

    /// Exact value of a typed decimal: 0.25 is 1/4. Nothing for a value with more than six
    /// decimals or beyond a million.
    static std::optional<ExactNumber> fromDecimal(double value);

    friend std::optional<ExactNumber> operator+(const ExactNumber& a, const ExactNumber& b);
    friend std::optional<ExactNumber> operator-(const ExactNumber& a, const ExactNumber& b);
    friend std::optional<ExactNumber> operator*(const ExactNumber& a, const ExactNumber& b);
    friend std::optional<ExactNumber> operator/(const ExactNumber& a, const ExactNumber& b);
    friend std::optional<ExactNumber> squareRoot(const ExactNumber& a);  ///< Rational numbers only.
    friend std::optional<ExactNumber> exponential(const ExactNumber& a); ///< Sums of roots only.

    double value() const;
    std::string latex() const; ///< LaTeX: "\frac{\sqrt{2}}{2}".
    std::string text() const;  ///< Plain text: "√2/2".

    struct Form;

private:
    explicit ExactNumber(std::shared_ptr<const Form> form);
    static std::optional<ExactNumber> from(std::optional<Form> form);
    std::shared_ptr<const Form> m_form;
};

} // namespace headscope
