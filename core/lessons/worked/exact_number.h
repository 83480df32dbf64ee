#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace headscope {

/// A number as a person writes it: fractions, square roots, powers of e, and quotients of sums of
/// those, such as 1 / (1 + e^(sqrt(2)/2) + e^0). Arithmetic gives nothing where the result has no
/// such form or would be longer than anybody reads.
class ExactNumber
{
public:
    ExactNumber(std::int64_t integer = 0); // NOLINT: 2 is a number; at most 10^12 in size

    /// The decimal that a person typed: 0.25 is 1/4. Nothing for a value with more than six
    /// decimals or beyond a million.
    static std::optional<ExactNumber> fromDecimal(double value);

    friend std::optional<ExactNumber> operator+(const ExactNumber& a, const ExactNumber& b);
    friend std::optional<ExactNumber> operator-(const ExactNumber& a, const ExactNumber& b);
    friend std::optional<ExactNumber> operator*(const ExactNumber& a, const ExactNumber& b);
    friend std::optional<ExactNumber> operator/(const ExactNumber& a, const ExactNumber& b);
    friend std::optional<ExactNumber> squareRoot(const ExactNumber& a);  ///< of a rational number
    friend std::optional<ExactNumber> exponential(const ExactNumber& a); ///< of a sum of roots

    double value() const;
    std::string latex() const; ///< "\frac{\sqrt{2}}{2}"
    std::string text() const;  ///< "√2/2"

    struct Form;

private:
    explicit ExactNumber(std::shared_ptr<const Form> form);
    static std::optional<ExactNumber> from(std::optional<Form> form);
    std::shared_ptr<const Form> m_form;
};

} // namespace headscope
