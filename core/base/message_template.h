#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Format string of an English text and its translation: recognises the texts that fmt makes of the
/// one, and writes the other with the same arguments.
class MessageTemplate
{
public:
    /// Argument of a text, as it was written there.
    struct Argument
    {
        std::string text;
        bool isQuoted = false; ///< In quotation marks: a text of the user, a token or a name.
    };

    /// Placeholders: {}, {0}, {:.2f}, {0:.2f}, with fmt's rules. Throws FormatError with `where` for
    /// braces that do not match and for a translation whose arguments are not those of the English.
    MessageTemplate(std::string_view english, std::string_view translation,
                    const std::string& where);

    /// Letters and signs outside placeholders; the more of them, the surer a match.
    std::size_t literalSize() const { return m_literalSize; }

    bool hasArguments() const { return !m_english.placeholders.empty(); }

    /// The English text of a template without arguments.
    const std::string& english() const { return m_english.literals.front(); }

    /// Arguments that make `text` of the English format string, in their order there.
    std::optional<std::vector<Argument>> arguments(std::string_view text) const;

    /// Translation with these arguments.
    std::string filled(const std::vector<std::string>& arguments) const;

private:
    struct Placeholder
    {
        std::size_t argument = 0;
        bool isNumber = false; ///< Has a precision or the type of a number.
    };

    struct Format
    {
        std::vector<std::string> literals; ///< One more than placeholders; may be empty.
        std::vector<Placeholder> placeholders;
    };

    static Format parsed(std::string_view text, const std::string& where);
    bool matches(std::string_view text, std::size_t index,
                 std::vector<std::string_view>& found) const;

    Format m_english;
    Format m_translation;
    std::size_t m_literalSize = 0;
};

} // namespace headscope
