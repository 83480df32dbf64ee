#include "core/lessons/worked/exact_number.h"

#include "core/lessons/worked/exact_text.h"

#include <cmath>
#include <utility>

namespace headscope {

namespace {

constexpr std::size_t kMostCharacters = 72; ///< Longest readable form.

bool isShort(const std::string& text)
{
    std::size_t characters = 0;
    for (const char c : text)
        characters += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    return characters <= kMostCharacters;
}

/// Value without powers of e, or nothing.
std::optional<Surd> asSurd(const ExactNumber::Form& form)
{
    if (form.upper.empty())
        return Surd();
    const bool plain = form.upper.size() == 1 && form.upper.begin()->first.empty() &&
                       form.lower.size() == 1 && form.lower.begin()->first.empty();
    return plain ? quotient(form.upper.begin()->second, form.lower.begin()->second) : std::nullopt;
}

/// Result of `form` if it exists and is short enough.
template<class Make>
std::optional<ExactNumber::Form> attempted(const Make& make)
{
    try {
        std::optional<ExactNumber::Form> form = make();
        if (form && !isShort(textOf(*form)))
            form.reset();
        return form;
    } catch (const NoExactForm&) {
        return std::nullopt;
    }
}

ExactNumber::Form whole(const Surd& number)
{
    return number.empty() ? ExactNumber::Form{{}, {{Surd(), surd(1)}}}
                          : reduced({{Surd(), number}}, {{Surd(), surd(1)}});
}

/// Sum a / b + c / d, over the longer of b and d if one is a multiple of the other.
ExactNumber::Form added(const ExactNumber::Form& a, const ExactNumber::Form& b)
{
    if (const auto factor = proportion(a.lower, b.lower))
        return reduced(plus(times(a.upper, {{Surd(), *factor}}), b.upper), b.lower);
    return reduced(plus(times(a.upper, b.lower), times(b.upper, a.lower)), times(a.lower, b.lower));
}

ExactNumber::Form negative(const ExactNumber::Form& form)
{
    return {times(form.upper, {{Surd(), surd(-1)}}), form.lower};
}

} // namespace

ExactNumber::ExactNumber(std::int64_t integer)
    : m_form(std::make_shared<const Form>(whole(surd(Fraction(integer)))))
{
}

ExactNumber::ExactNumber(std::shared_ptr<const Form> form) : m_form(std::move(form)) {}

std::optional<ExactNumber> ExactNumber::from(std::optional<Form> form)
{
    if (!form)
        return std::nullopt;
    return ExactNumber(std::make_shared<const Form>(std::move(*form)));
}

std::optional<ExactNumber> ExactNumber::fromDecimal(double value)
{
    constexpr double kDecimals = 1e6;
    if (!std::isfinite(value) || std::abs(value) > 1e6)
        return std::nullopt;
    const double scaled = std::round(value * kDecimals);
    if (scaled / kDecimals != value) // both exact: the quotient is the typed decimal
        return std::nullopt;
    return from(attempted([&]() -> std::optional<Form> {
        return whole(surd({static_cast<std::int64_t>(scaled), 1'000'000}));
    }));
}

std::optional<ExactNumber> operator+(const ExactNumber& a, const ExactNumber& b)
{
    return ExactNumber::from(attempted(
        [&]() -> std::optional<ExactNumber::Form> { return added(*a.m_form, *b.m_form); }));
}

std::optional<ExactNumber> operator-(const ExactNumber& a, const ExactNumber& b)
{
    return ExactNumber::from(attempted([&]() -> std::optional<ExactNumber::Form> {
        return added(*a.m_form, negative(*b.m_form));
    }));
}

std::optional<ExactNumber> operator*(const ExactNumber& a, const ExactNumber& b)
{
    return ExactNumber::from(attempted([&]() -> std::optional<ExactNumber::Form> {
        return reduced(times(a.m_form->upper, b.m_form->upper),
                       times(a.m_form->lower, b.m_form->lower));
    }));
}

std::optional<ExactNumber> operator/(const ExactNumber& a, const ExactNumber& b)
{
    return ExactNumber::from(attempted([&]() -> std::optional<ExactNumber::Form> {
        return reduced(times(a.m_form->upper, b.m_form->lower),
                       times(a.m_form->lower, b.m_form->upper));
    }));
}

std::optional<ExactNumber> squareRoot(const ExactNumber& a)
{
    return ExactNumber::from(attempted([&]() -> std::optional<ExactNumber::Form> {
        const std::optional<Surd> number = asSurd(*a.m_form);
        if (!number || number->size() > 1 || (!number->empty() && number->begin()->first != 1))
            return std::nullopt;
        const Fraction fraction = number->empty() ? Fraction() : number->begin()->second;
        const auto root = quotient(rootOf(fraction.over), rootOf(fraction.under));
        return root ? std::optional(whole(*root)) : std::nullopt;
    }));
}

std::optional<ExactNumber> exponential(const ExactNumber& a)
{
    return ExactNumber::from(attempted([&]() -> std::optional<ExactNumber::Form> {
        const std::optional<Surd> exponent = asSurd(*a.m_form);
        if (!exponent)
            return std::nullopt;
        return reduced(times({{*exponent, surd(1)}}, {{Surd(), surd(1)}}), {{Surd(), surd(1)}});
    }));
}

double ExactNumber::value() const
{
    return valueOf(m_form->upper) / valueOf(m_form->lower);
}

std::string ExactNumber::latex() const
{
    return latexOf(*m_form);
}

std::string ExactNumber::text() const
{
    return textOf(*m_form);
}

} // namespace headscope
