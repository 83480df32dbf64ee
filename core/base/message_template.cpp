#include "core/base/message_template.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace headscope {

namespace {

constexpr std::size_t kMostArguments = 64;

[[noreturn]] void refuse(const std::string& problem, std::string_view text,
                         const std::string& where)
{
    throw FormatError(problem + " in " + inQuotes(text), where, std::nullopt,
                      "Use the placeholders of the English text");
}

std::size_t numberOf(std::string_view digits, std::string_view text, const std::string& where)
{
    std::size_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc() || rest != end || number > kMostArguments)
        refuse("a placeholder has no number", text, where);
    return number;
}

bool isNumberFormat(std::string_view specification)
{
    return !specification.empty() &&
           (specification.find('.') != std::string_view::npos ||
            std::string_view("defgx").find(specification.back()) != std::string_view::npos);
}

bool isNumber(std::string_view text)
{
    constexpr std::string_view kSigns = "+-.0123456789eEinfaxbcd";
    return !text.empty() && text.find_first_not_of(kSigns) == std::string_view::npos;
}

bool endsWithQuote(std::string_view literal)
{
    return literal.ends_with('"') || literal.ends_with("\u201C");
}

} // namespace

MessageTemplate::Format MessageTemplate::parsed(std::string_view text, const std::string& where)
{
    Format format;
    format.literals.emplace_back();
    std::size_t numbered = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char sign = text[at];
        const bool isDouble = at + 1 < text.size() && text[at + 1] == sign;
        if (sign != '{' && sign != '}') {
            format.literals.back() += sign;
        } else if (isDouble) {
            format.literals.back() += sign;
            ++at;
        } else {
            const std::size_t end = text.find('}', at);
            if (sign == '}' || end == std::string_view::npos)
                refuse("the braces do not match", text, where);
            const std::string_view inside = text.substr(at + 1, end - at - 1);
            const std::size_t colon = std::min(inside.find(':'), inside.size());
            const std::size_t next = format.placeholders.size();
            const std::size_t argument =
                colon > 0 ? numberOf(inside.substr(0, colon), text, where) : next;
            format.placeholders.push_back({argument, isNumberFormat(inside.substr(colon))});
            format.literals.emplace_back();
            numbered += colon > 0 ? 1 : 0;
            at = end;
        }
    }
    if (numbered > 0 && numbered < format.placeholders.size())
        refuse("some placeholders have a number and others none", text, where);
    return format;
}

MessageTemplate::MessageTemplate(std::string_view english, std::string_view translation,
                                 const std::string& where)
    : m_english(parsed(english, where))
    , m_translation(parsed(translation, where))
{
    std::set<std::size_t> wanted;
    std::set<std::size_t> used;
    for (const Placeholder& placeholder : m_english.placeholders)
        wanted.insert(placeholder.argument);
    for (const Placeholder& placeholder : m_translation.placeholders)
        used.insert(placeholder.argument);
    if (wanted != used)
        refuse("the translation has other arguments", english, where);
    for (const std::string& literal : m_english.literals)
        m_literalSize += literal.size();
}

/// Tries every place at which the literal after placeholder `index` may begin.
bool MessageTemplate::matches(std::string_view text, std::size_t index,
                              std::vector<std::string_view>& found) const
{
    if (index == m_english.placeholders.size())
        return text.empty();
    const auto& [argument, wantsNumber] = m_english.placeholders[index];
    const std::string& next = m_english.literals[index + 1];
    const bool isLast = index + 1 == m_english.placeholders.size();
    if (isLast && (text.size() < next.size() || !text.ends_with(next)))
        return false;
    for (std::size_t at = isLast ? text.size() - next.size() : text.find(next); at <= text.size();
         at = text.find(next, at + 1)) {
        const std::string_view value = text.substr(0, at);
        const std::string_view before = found[argument];
        if (wantsNumber && !isNumber(value))
            continue;
        if (before.data() != nullptr && before != value)
            continue;
        found[argument] = value;
        if (matches(text.substr(at + next.size()), index + 1, found))
            return true;
        found[argument] = before;
    }
    return false;
}

std::optional<std::vector<MessageTemplate::Argument>>
MessageTemplate::arguments(std::string_view text) const
{
    const std::string& first = m_english.literals.front();
    if (!text.starts_with(first))
        return std::nullopt;
    std::size_t count = 0;
    for (const Placeholder& placeholder : m_english.placeholders)
        count = std::max(count, placeholder.argument + 1);
    std::vector<std::string_view> found(count);
    if (!matches(text.substr(first.size()), 0, found))
        return std::nullopt;
    std::vector<Argument> arguments(count);
    for (std::size_t i = 0; i < m_english.placeholders.size(); ++i) {
        const auto& [argument, isNumber] = m_english.placeholders[i];
        arguments[argument].text = found[argument];
        arguments[argument].isQuoted |= isNumber || endsWithQuote(m_english.literals[i]);
    }
    return arguments;
}

std::string MessageTemplate::filled(const std::vector<std::string>& arguments) const
{
    std::string text = m_translation.literals.front();
    for (std::size_t i = 0; i < m_translation.placeholders.size(); ++i)
        text += arguments[m_translation.placeholders[i].argument] + m_translation.literals[i + 1];
    return text;
}

} // namespace headscope
