#include "core/lessons/worked/exact_text.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace headscope {

namespace {

/// One summand with a separate sign.
struct Written
{
    bool negative = false;
    std::string text;
};

/// Writes forms for a formula painter or as running text.
class Script
{
public:
    explicit Script(bool latex) : m_latex(latex) {}

    std::string write(const ExactNumber::Form& form) const;

private:
    std::string root(std::int64_t radicand) const;
    Written rootTerm(std::int64_t radicand, const Fraction& number) const;
    Written powerTerm(const Surd& exponent, const Surd& coefficient) const;
    std::string power(const Surd& exponent) const;
    std::vector<Written> terms(const Sum& sum) const;
    std::string joined(const std::vector<Written>& terms) const;

    std::string minus() const { return m_latex ? "-" : "−"; }

    bool m_latex;
};

bool isOne(const Sum& sum)
{
    return sum == Sum{{Surd(), surd(1)}};
}

std::string Script::root(std::int64_t radicand) const
{
    if (radicand == 1)
        return {};
    return m_latex ? fmt::format("\\sqrt{{{}}}", radicand) : fmt::format("√{}", radicand);
}

Written Script::rootTerm(std::int64_t radicand, const Fraction& number) const
{
    const std::int64_t size = std::abs(number.over);
    const std::string digits = size == 1 && radicand != 1 ? "" : fmt::format("{}", size);
    return {number.over < 0, digits + root(radicand)};
}

std::string Script::power(const Surd& exponent) const
{
    if (exponent == surd(1))
        return "e";
    const std::string written = write(reduced({{Surd(), exponent}}, {{Surd(), surd(1)}}));
    if (m_latex)
        return "e^{" + written + "}";
    const bool digits = written.find_first_not_of("0123456789") == std::string::npos;
    return digits ? "e^" + written : "e^(" + written + ")";
}

Written Script::powerTerm(const Surd& exponent, const Surd& coefficient) const
{
    const auto& [radicand, number] = *coefficient.begin();
    if (coefficient.size() > 1)
        return {false, "(" + joined(terms({{Surd(), coefficient}})) + ")" + (m_latex ? " " : "·") +
                           power(exponent)};
    if (radicand == 1 && std::abs(number.over) == 1)
        return {number.over < 0, power(exponent)};
    const Written factor = rootTerm(radicand, number);
    const std::string between = m_latex ? " " : radicand == 1 ? "" : "·";
    return {factor.negative, factor.text + between + power(exponent)};
}

/// Terms sorted by descending power.
std::vector<Written> Script::terms(const Sum& sum) const
{
    std::vector<std::pair<Surd, Surd>> ordered(sum.begin(), sum.end());
    std::ranges::stable_sort(
        ordered, [](const auto& a, const auto& b) { return valueOf(a.first) > valueOf(b.first); });
    std::vector<Written> written;
    for (const auto& [exponent, coefficient] : ordered) {
        if (!exponent.empty())
            written.push_back(powerTerm(exponent, coefficient));
        else
            for (const auto& [radicand, number] : coefficient)
                written.push_back(rootTerm(radicand, number));
    }
    return written;
}

std::string Script::joined(const std::vector<Written>& terms) const
{
    if (terms.empty())
        return "0";
    std::string text;
    for (const Written& term : terms) {
        if (text.empty())
            text = (term.negative ? minus() : "") + term.text;
        else
            text += " " + (term.negative ? minus() : std::string("+")) + " " + term.text;
    }
    return text;
}

std::string Script::write(const ExactNumber::Form& form) const
{
    std::vector<Written> upper = terms(form.upper);
    if (isOne(form.lower))
        return joined(upper);
    std::string sign;
    if (upper.size() == 1 && upper.front().negative) {
        sign = minus();
        upper.front().negative = false;
    }
    const std::vector<Written> lower = terms(form.lower);
    if (m_latex)
        return fmt::format("{}\\frac{{{}}}{{{}}}", sign, joined(upper), joined(lower));
    const auto grouped = [this](const std::vector<Written>& part) {
        return part.size() > 1 ? "(" + joined(part) + ")" : joined(part);
    };
    return sign + grouped(upper) + "/" + grouped(lower);
}

} // namespace

std::string latexOf(const ExactNumber::Form& form)
{
    return Script(true).write(form);
}

std::string textOf(const ExactNumber::Form& form)
{
    return Script(false).write(form);
}

} // namespace headscope
