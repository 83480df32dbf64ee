#include "core/text/chat/template_tokens.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace headscope {

namespace {

using Kind = TemplateToken::Kind;

constexpr std::string_view kSpace = " \t\n\v\f\r";
constexpr std::array<std::string_view, 6> kLongSigns = {"**", "//", "==", "!=", "<=", ">="};
constexpr std::string_view kSigns = "+-/*%~[](){}<>=.:|,";

bool isNameCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string utf8Of(unsigned codePoint)
{
    if (codePoint < 0x80)
        return {static_cast<char>(codePoint)};
    const auto tail = [codePoint](int shift) {
        return static_cast<char>(0x80U | (codePoint >> shift & 0x3FU));
    };
    if (codePoint < 0x800)
        return {static_cast<char>(0xC0U | codePoint >> 6), tail(0)};
    if (codePoint < 0x10000)
        return {static_cast<char>(0xE0U | codePoint >> 12), tail(6), tail(0)};
    return {static_cast<char>(0xF0U | codePoint >> 18), tail(12), tail(6), tail(0)};
}

std::string withUnixLines(std::string_view source)
{
    std::string text;
    for (std::size_t at = 0; at < source.size(); ++at) {
        const bool isReturn = source[at] == '\r';
        text += isReturn ? '\n' : source[at];
        if (isReturn && at + 1 < source.size() && source[at + 1] == '\n')
            ++at;
    }
    if (!text.empty() && text.back() == '\n') // Jinja leaves out one newline at the end
        text.pop_back();
    return text;
}

class Lexer
{
public:
    Lexer(std::string_view source, const std::string& name)
        : m_source(withUnixLines(source))
        , m_name(name)
    {
    }

    std::vector<TemplateToken> run()
    {
        while (m_at < m_source.size())
            readPart();
        add(Kind::End, {});
        return std::move(m_tokens);
    }

private:
    void add(Kind kind, std::string text) { m_tokens.push_back({kind, std::move(text), m_line}); }

    [[noreturn]] void refuse(const std::string& problem) const
    {
        refuseTemplate(problem, m_name, m_line);
    }

    bool follows(std::string_view text) const
    {
        return std::string_view(m_source).substr(m_at).starts_with(text);
    }

    void advance(std::size_t count)
    {
        m_line += static_cast<int>(
            std::ranges::count(std::string_view(m_source).substr(m_at, count), '\n'));
        m_at += count;
    }

    /// Text up to the next "{{", "{%" or "{#", and that.
    void readPart()
    {
        std::size_t begin = m_at;
        do {
            begin = m_source.find('{', begin);
        } while (begin != std::string::npos && begin + 1 < m_source.size() &&
                 std::string_view("{%#").find(m_source[begin + 1]) == std::string_view::npos &&
                 ++begin);
        if (begin == std::string::npos || begin + 1 >= m_source.size()) {
            addText(m_source.size(), ' ', false);
            return;
        }
        const char kind = m_source[begin + 1];
        const char control = begin + 2 < m_source.size() ? m_source[begin + 2] : ' ';
        addText(begin, control, kind != '{');
        advance(2 + (control == '-' || control == '+' ? 1 : 0));
        if (kind == '#')
            skipComment();
        else if (kind == '%' && readRaw())
            return;
        else
            readTag(kind == '{');
    }

    /// Text before `end`, less what the tag behind it takes.
    void addText(std::size_t end, char control, bool isBlock)
    {
        std::string_view text = std::string_view(m_source).substr(m_at, end - m_at);
        const bool beginsLine = m_at == 0 || m_source[m_at - 1] == '\n';
        if (control == '-') {
            const std::size_t last = text.find_last_not_of(kSpace);
            text = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
        } else if (isBlock && control != '+') {
            const std::size_t line = text.rfind('\n');
            const std::size_t first = line == std::string_view::npos ? 0 : line + 1;
            if ((first > 0 || beginsLine) &&
                text.find_first_not_of(kSpace, first) == std::string_view::npos)
                text = text.substr(0, first);
        }
        if (!text.empty())
            add(Kind::Text, std::string(text));
        advance(end - m_at);
    }

    /// Behind a closing delimiter of `length` characters, with or without "-".
    void close(std::size_t length, bool isBlock)
    {
        const char control = m_source[m_at];
        advance(length);
        if (control == '-') {
            const std::size_t next = m_source.find_first_not_of(kSpace, m_at);
            advance((next == std::string::npos ? m_source.size() : next) - m_at);
        } else if (isBlock && control != '+' && follows("\n")) {
            advance(1);
        }
    }

    void skipComment()
    {
        const std::size_t end = m_source.find("#}", m_at);
        if (end == std::string::npos)
            refuse("a comment without its end");
        const bool hasControl =
            end > m_at && (m_source[end - 1] == '-' || m_source[end - 1] == '+');
        advance(end - m_at - (hasControl ? 1 : 0));
        close(hasControl ? 3 : 2, true);
    }

    /// The name of a tag that is nothing else than it ("raw", "endraw"), at `at`: its length up to
    /// behind the closing delimiter, or 0.
    std::size_t plainTag(std::size_t at, std::string_view name, std::size_t& closing) const
    {
        std::size_t place = m_source.find_first_not_of(kSpace, at);
        if (place == std::string::npos || m_source.compare(place, name.size(), name) != 0)
            return 0;
        place = m_source.find_first_not_of(kSpace, place + name.size());
        if (place == std::string::npos)
            return 0;
        closing = place;
        const bool hasControl = m_source[place] == '-' || m_source[place] == '+';
        return m_source.compare(place + (hasControl ? 1 : 0), 2, "%}") == 0
                   ? 2U + (hasControl ? 1U : 0U)
                   : 0;
    }

    /// "{% raw %}": everything up to "{% endraw %}" is text.
    bool readRaw()
    {
        std::size_t closing = 0;
        const std::size_t length = plainTag(m_at, "raw", closing);
        if (length == 0)
            return false;
        advance(closing - m_at);
        close(length, true);
        for (std::size_t begin = m_source.find("{%", m_at); begin != std::string::npos;
             begin = m_source.find("{%", begin + 2)) {
            const char control = begin + 2 < m_source.size() ? m_source[begin + 2] : ' ';
            const std::size_t name = begin + 2 + (control == '-' || control == '+' ? 1 : 0);
            if (const std::size_t end = plainTag(name, "endraw", closing)) {
                addText(begin, control, true);
                advance(closing - m_at);
                close(end, true);
                return true;
            }
        }
        refuse("{% raw %} without {% endraw %}");
    }

    void readTag(bool isOutput)
    {
        add(isOutput ? Kind::OutputBegin : Kind::TagBegin, {});
        const std::string_view end = isOutput ? "}}" : "%}";
        int open = 0; // brackets
        for (;;) {
            const std::size_t next = m_source.find_first_not_of(kSpace, m_at);
            if (next == std::string::npos)
                refuse(isOutput ? "{{ without }}" : "{% without %}");
            advance(next - m_at);
            const bool hasControl = m_source[m_at] == '-' || m_source[m_at] == '+';
            if (open == 0 && m_source.compare(m_at + (hasControl ? 1 : 0), 2, end) == 0) {
                add(isOutput ? Kind::OutputEnd : Kind::TagEnd, {});
                close(hasControl ? 3 : 2, !isOutput);
                return;
            }
            readToken(open);
        }
    }

    void readToken(int& open)
    {
        const char c = m_source[m_at];
        if (c == '"' || c == '\'')
            readString(c);
        else if (std::isdigit(static_cast<unsigned char>(c)) != 0)
            readNumber();
        else if (isNameCharacter(c))
            addWhile(Kind::Name, isNameCharacter);
        else
            readSign(open);
    }

    void addWhile(Kind kind, bool (*belongs)(char))
    {
        std::size_t end = m_at;
        while (end < m_source.size() && belongs(m_source[end]))
            ++end;
        add(kind, m_source.substr(m_at, end - m_at));
        advance(end - m_at);
    }

    void readSign(int& open)
    {
        for (const std::string_view sign : kLongSigns)
            if (follows(sign)) {
                add(Kind::Sign, std::string(sign));
                return advance(2);
            }
        const char c = m_source[m_at];
        if (kSigns.find(c) == std::string_view::npos)
            refuse("an unexpected " + inQuotes(std::string_view(m_source).substr(m_at, 1)));
        open += std::string_view("([{").find(c) != std::string_view::npos   ? 1
                : std::string_view(")]}").find(c) != std::string_view::npos ? -1
                                                                            : 0;
        add(Kind::Sign, std::string(1, c));
        advance(1);
    }

    void readNumber()
    {
        const auto digits = [this](std::size_t at) {
            while (at < m_source.size() &&
                   (std::isdigit(static_cast<unsigned char>(m_source[at])) != 0 ||
                    m_source[at] == '_'))
                ++at;
            return at;
        };
        std::size_t end = digits(m_at);
        bool isFloat = false;
        if (end + 1 < m_source.size() && m_source[end] == '.' &&
            std::isdigit(static_cast<unsigned char>(m_source[end + 1])) != 0) {
            isFloat = true;
            end = digits(end + 1);
        }
        if (end + 1 < m_source.size() && (m_source[end] == 'e' || m_source[end] == 'E')) {
            const std::size_t sign = m_source[end + 1] == '-' || m_source[end + 1] == '+' ? 1 : 0;
            if (const std::size_t last = digits(end + 1 + sign); last > end + 1 + sign) {
                isFloat = true;
                end = last;
            }
        }
        std::string text = m_source.substr(m_at, end - m_at);
        std::erase(text, '_');
        add(isFloat ? Kind::Float : Kind::Integer, std::move(text));
        advance(end - m_at);
    }

    void readString(char quote)
    {
        std::string value;
        std::size_t at = m_at + 1;
        while (at < m_source.size() && m_source[at] != quote)
            at = m_source[at] == '\\' ? readEscape(at + 1, value) : (value += m_source[at], at + 1);
        if (at >= m_source.size())
            refuse("a text without its closing quote");
        add(Kind::String, std::move(value));
        advance(at + 1 - m_at);
    }

    /// Python's escapes; `at` is behind the backslash. Returns where the text goes on.
    std::size_t readEscape(std::size_t at, std::string& value) const
    {
        static constexpr std::string_view kNames = "ntrabfv\\'\"";
        static constexpr std::string_view kValues = "\n\t\r\a\b\f\v\\'\"";
        if (at >= m_source.size())
            return at;
        const char c = m_source[at];
        if (const std::size_t index = kNames.find(c); index != std::string_view::npos) {
            value += kValues[index];
            return at + 1;
        }
        const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        if (digits > 0)
            return readCode(at + 1, digits, value);
        if (c != '\n') // a backslash before the end of a line joins it with the next
            value += std::string("\\") + c;
        return at + 1;
    }

    std::size_t readCode(std::size_t at, std::size_t digits, std::string& value) const
    {
        const std::string code = m_source.substr(std::min(at, m_source.size()), digits);
        const bool isHex = code.size() == digits && std::ranges::all_of(code, [](char c) {
                               return std::isxdigit(static_cast<unsigned char>(c)) != 0;
                           });
        const unsigned long number = isHex ? std::stoul(code, nullptr, 16) : 0x110000;
        if (number > 0x10FFFF || (number >= 0xD800 && number < 0xE000))
            refuse("an escape that is no character");
        value += utf8Of(static_cast<unsigned>(number));
        return at + digits;
    }

    std::string m_source;
    const std::string& m_name;
    std::size_t m_at = 0;
    int m_line = 1;
    std::vector<TemplateToken> m_tokens;
};

} // namespace

std::vector<TemplateToken> tokenizeTemplate(std::string_view source, const std::string& name)
{
    return Lexer(source, name).run();
}

void refuseTemplate(const std::string& problem, const std::string& name, int line)
{
    throw Error(problem, fmt::format("{}, line {}", name, line),
                "Ask for the model's template in the form of Jinja that transformers renders");
}

} // namespace headscope
