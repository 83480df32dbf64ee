#include "core/base/message_catalogue.h"

#include "core/base/error.h"
#include "core/base/json_text.h"

#include <algorithm>
#include <cctype>

namespace headscope {

namespace {

constexpr int kDeepest = 4;               ///< Of arguments within arguments.
constexpr std::size_t kFewestLetters = 2; ///< Literals of a template; fewer would fit anything.

std::size_t lettersOf(std::string_view format)
{
    std::size_t letters = 0;
    bool isPlaceholder = false;
    for (const char sign : format) {
        isPlaceholder = sign == '{' || (isPlaceholder && sign != '}');
        letters += !isPlaceholder && std::isalpha(static_cast<unsigned char>(sign)) != 0 ? 1 : 0;
    }
    return letters;
}

} // namespace

void MessageCatalogue::add(std::string_view text, const std::string& where)
{
    const nlohmann::json json = parseJson(text, where);
    if (!json.is_object())
        throw FormatError("a catalogue of messages is no object", where);
    for (const auto& [english, value] : json.items()) {
        if (!value.is_string())
            throw FormatError("the translation of " + inQuotes(english) + " is no text", where);
        const auto translation = value.get<std::string>();
        const auto [known, isNew] = m_keys.emplace(english, translation);
        if (!isNew && known->second != translation)
            throw FormatError(inQuotes(english) + " has two translations", where);
        if (!isNew)
            continue;
        MessageTemplate format(english, translation, where);
        if (!format.hasArguments())
            m_texts.emplace(format.english(), format.filled({}));
        else if (lettersOf(english) < kFewestLetters)
            throw FormatError(inQuotes(english) + " would fit any text", where);
        else
            m_templates.push_back(std::move(format));
    }
    std::ranges::stable_sort(m_templates, std::greater<>(), &MessageTemplate::literalSize);
}

std::string MessageCatalogue::translated(std::string_view english) const
{
    return translated(english, 0);
}

std::string MessageCatalogue::translated(std::string_view english, int depth) const
{
    if (const auto found = m_texts.find(english); found != m_texts.end())
        return found->second;
    for (const MessageTemplate& format : m_templates) {
        if (depth == kDeepest || format.literalSize() > english.size())
            continue;
        const auto arguments = format.arguments(english);
        if (!arguments)
            continue;
        std::vector<std::string> texts;
        for (const MessageTemplate::Argument& argument : *arguments)
            texts.push_back(argument.isQuoted ? argument.text
                                              : translated(argument.text, depth + 1));
        return format.filled(texts);
    }
    return std::string(english);
}

} // namespace headscope
