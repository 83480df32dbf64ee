#include "core/text/chat/template_methods.h"

#include "core/base/error.h"
#include "core/text/chat/template_scope.h"
#include "core/text/utf8.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <map>

namespace headscope {

namespace {

using Arguments = TemplateArguments;
using Value = TemplateValue;
using Method = Value (*)(const Value& object, const Arguments& arguments);

std::string utf8(const icu::UnicodeString& text)
{
    std::string result;
    text.toUTF8String(result);
    return result;
}

/// Characters of a text in order.
std::vector<std::string> charactersOf(const std::string& text)
{
    std::vector<std::string> characters;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8CharacterAt(text, at).length;
        characters.push_back(text.substr(at, length));
        at += length;
    }
    return characters;
}

bool isSpace(const std::string& character)
{
    const Utf8Character decoded = utf8CharacterAt(character, 0);
    return decoded.valid && (u_isUWhiteSpace(static_cast<UChar32>(decoded.codePoint)) != 0 ||
                             (decoded.codePoint >= 0x1C && decoded.codePoint <= 0x1F));
}

const std::string* textArgument(const Arguments& arguments, std::size_t place,
                                std::string_view name)
{
    const Value* value = arguments.find(place, name);
    return value && !value->isNone() ? &value->string() : nullptr;
}

template<bool Left, bool Right>
Value strip(const Value& object, const Arguments& arguments)
{
    return strippedText(object.turnString(), Left, Right, textArgument(arguments, 0, "chars"));
}

Value splitAtSpaces(const TurnText& text, std::int64_t most)
{
    std::vector<Value> parts;
    const std::string& bytes = text.bytes();
    std::size_t begin = 0; // of the part
    std::size_t at = 0;
    while (at < bytes.size()) {
        const std::size_t length = utf8CharacterAt(bytes, at).length;
        if (isSpace(bytes.substr(at, length))) {
            if (begin < at)
                parts.emplace_back(text.part(begin, at - begin));
            begin = at + length;
        } else if (begin == at && most >= 0 && static_cast<std::int64_t>(parts.size()) == most) {
            parts.emplace_back(text.part(at)); // with the spaces at its end, as in Python
            return Value::list(std::move(parts));
        }
        at += length;
    }
    if (begin < bytes.size())
        parts.emplace_back(text.part(begin));
    return Value::list(std::move(parts));
}

Value split(const Value& object, const Arguments& arguments)
{
    const std::string* separator = textArgument(arguments, 0, "sep");
    const std::int64_t most = arguments.optional(1, "maxsplit", std::int64_t{-1}).integer();
    const TurnText& whole = object.turnString();
    if (!separator)
        return splitAtSpaces(whole, most);
    if (separator->empty())
        throw Error("a text cannot be split at nothing");
    const std::string& text = whole.bytes();
    std::vector<Value> parts;
    std::size_t at = 0;
    for (std::size_t found = text.find(*separator);
         found != std::string::npos && (most < 0 || static_cast<std::int64_t>(parts.size()) < most);
         found = text.find(*separator, at)) {
        parts.emplace_back(whole.part(at, found - at));
        at = found + separator->size();
    }
    parts.emplace_back(whole.part(at));
    checkTemplateItems(parts.size());
    return Value::list(std::move(parts));
}

Value splitFromRight(const Value& object, const Arguments& arguments)
{
    const std::string* separator = textArgument(arguments, 0, "sep");
    const std::int64_t most = arguments.optional(1, "maxsplit", std::int64_t{-1}).integer();
    if (!separator || separator->empty() || most < 0)
        return split(object, arguments);
    TurnText text = object.turnString();
    std::vector<Value> parts;
    for (std::int64_t made = 0; made < most; ++made) {
        const std::size_t found = text.bytes().rfind(*separator);
        if (found == std::string::npos)
            break;
        parts.emplace_back(text.part(found + separator->size()));
        text.truncate(found);
    }
    parts.emplace_back(std::move(text));
    std::ranges::reverse(parts);
    return Value::list(std::move(parts));
}

Value splitLines(const Value& object, const Arguments&)
{
    std::vector<Value> lines;
    const std::string& text = object.string();
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of("\n\r", at), text.size());
        lines.emplace_back(object.turnString().part(at, end - at));
        at = end + (text.compare(end, 2, "\r\n") == 0 ? 2 : 1);
    }
    return Value::list(std::move(lines));
}

/// One text, or a tuple of texts of which one must do.
template<bool AtEnd>
Value touches(const Value& object, const Arguments& arguments)
{
    const Value& wanted = arguments.required(0, AtEnd ? "suffix" : "prefix");
    const std::vector<Value> all = wanted.isList() ? wanted.items() : std::vector{wanted};
    return std::ranges::any_of(all, [&object](const Value& part) {
        return AtEnd ? object.string().ends_with(part.string())
                     : object.string().starts_with(part.string());
    });
}

Value replace(const Value& object, const Arguments& arguments)
{
    return replacedText(object.turnString(), arguments.required(0, "old").string(),
                        arguments.required(1, "new").turnString(),
                        arguments.optional(2, "count", std::int64_t{-1}).integer());
}

Value join(const Value& object, const Arguments& arguments)
{
    TurnText text;
    bool first = true;
    for (const Value& part : arguments.required(0, "iterable").iterated()) {
        text += std::exchange(first, false) ? TurnText() : object.turnString();
        text += part.turnString();
        checkTemplateBytes(text.size());
    }
    return text;
}

/// Index in characters, or -1.
Value find(const Value& object, const Arguments& arguments)
{
    const std::size_t found = object.string().find(arguments.required(0, "sub").string());
    if (found == std::string::npos)
        return std::int64_t{-1};
    return static_cast<std::int64_t>(charactersOf(object.string().substr(0, found)).size());
}

Value count(const Value& object, const Arguments& arguments)
{
    const std::string& part = arguments.required(0, "sub").string();
    if (part.empty())
        return static_cast<std::int64_t>(charactersOf(object.string()).size()) + 1;
    std::int64_t times = 0;
    for (std::size_t at = object.string().find(part); at != std::string::npos;
         at = object.string().find(part, at + part.size()))
        ++times;
    return times;
}

template<std::string (*Change)(const std::string&)>
Value changed(const Value& object, const Arguments&)
{
    return changedText(object.turnString(), Change);
}

template<int (*Is)(UChar32)>
Value isAll(const Value& object, const Arguments&)
{
    const std::vector<std::string> characters = charactersOf(object.string());
    return !characters.empty() && std::ranges::all_of(characters, [](const std::string& character) {
        return Is(static_cast<UChar32>(utf8CharacterAt(character, 0).codePoint)) != 0;
    });
}

int isDigit(UChar32 character)
{
    return u_isdigit(character);
}

int isLetter(UChar32 character)
{
    return u_isalpha(character);
}

Value removePrefix(const Value& object, const Arguments& arguments)
{
    const std::string& prefix = arguments.required(0, "prefix").string();
    const TurnText& text = object.turnString();
    return text.bytes().starts_with(prefix) ? text.part(prefix.size()) : text;
}

Value removeSuffix(const Value& object, const Arguments& arguments)
{
    const TurnText& text = object.turnString();
    const std::string& suffix = arguments.required(0, "suffix").string();
    return text.bytes().ends_with(suffix) ? text.part(0, text.size() - suffix.size()) : text;
}

Value get(const Value& object, const Arguments& arguments)
{
    const Value& name = arguments.required(0, "key");
    const Value* member = name.isString() ? object.members().find(name.string()) : nullptr;
    return member ? *member : arguments.optional(1, "default", {});
}

Value itemsOf(const Value& object, const Arguments&)
{
    std::vector<Value> pairs;
    for (const auto& [name, value] : object.members().members)
        pairs.push_back(Value::list({name, value}, true));
    return Value::list(std::move(pairs));
}

Value keysOf(const Value& object, const Arguments&)
{
    return Value::list(object.iterated());
}

Value valuesOf(const Value& object, const Arguments&)
{
    std::vector<Value> values;
    for (const auto& member : object.members().members)
        values.push_back(member.second);
    return Value::list(std::move(values));
}

const std::map<std::string_view, Method>& textMethods()
{
    static const std::map<std::string_view, Method> methods = {
        {"strip", strip<true, true>},
        {"lstrip", strip<true, false>},
        {"rstrip", strip<false, true>},
        {"split", split},
        {"rsplit", splitFromRight},
        {"splitlines", splitLines},
        {"startswith", touches<false>},
        {"endswith", touches<true>},
        {"replace", replace},
        {"join", join},
        {"find", find},
        {"count", count},
        {"upper", changed<upperText>},
        {"lower", changed<lowerText>},
        {"capitalize", changed<capitalizedText>},
        {"title", changed<titledText>},
        {"isdigit", isAll<isDigit>},
        {"isalpha", isAll<isLetter>},
        {"removeprefix", removePrefix},
        {"removesuffix", removeSuffix},
    };
    return methods;
}

const std::map<std::string_view, Method>& mappingMethods()
{
    static const std::map<std::string_view, Method> methods = {
        {"get", get}, {"items", itemsOf}, {"keys", keysOf}, {"values", valuesOf}};
    return methods;
}

} // namespace

std::optional<Value> methodOfTemplate(const Value& object, std::string_view name)
{
    const bool isMapping = object.isMapping() && !object.members().isNamespace;
    if (!isMapping && !object.isString())
        return std::nullopt;
    const auto& methods = isMapping ? mappingMethods() : textMethods();
    const auto found = methods.find(name);
    if (found == methods.end())
        return std::nullopt;
    return Value(TemplateFunction([object, method = found->second](const Arguments& arguments) {
        return method(object, arguments);
    }));
}

TurnText strippedText(const TurnText& text, bool left, bool right, const std::string* characters)
{
    const std::vector<std::string> all = charactersOf(text.bytes());
    const std::vector<std::string> wanted =
        characters ? charactersOf(*characters) : std::vector<std::string>();
    const auto goes = [&](const std::string& character) {
        return characters ? std::ranges::count(wanted, character) > 0 : isSpace(character);
    };
    std::size_t begin = 0;
    std::size_t end = text.size();
    auto first = all.begin();
    auto last = all.end();
    for (; left && first != last && goes(*first); ++first)
        begin += first->size();
    for (; right && first != last && goes(*(last - 1)); --last)
        end -= (last - 1)->size();
    return text.part(begin, end - begin);
}

TurnText replacedText(const TurnText& text, const std::string& from, const TurnText& to,
                      std::int64_t count)
{
    TurnText result;
    std::size_t at = 0;
    if (from.empty()) { // between all characters
        for (const std::string& character : charactersOf(text.bytes())) {
            if (count-- != 0)
                result += to;
            result += text.part(at, character.size());
            at += character.size();
            checkTemplateBytes(result.size());
        }
        return count != 0 ? result + to : result;
    }
    for (std::size_t found = text.bytes().find(from); found != std::string::npos && count-- != 0;
         found = text.bytes().find(from, at)) {
        result += text.part(at, found - at);
        result += to;
        at = found + from.size();
        checkTemplateBytes(result.size());
    }
    return result + text.part(at);
}

std::string upperText(const std::string& text)
{
    return utf8(icu::UnicodeString::fromUTF8(text).toUpper(icu::Locale::getRoot()));
}

std::string lowerText(const std::string& text)
{
    return utf8(icu::UnicodeString::fromUTF8(text).toLower(icu::Locale::getRoot()));
}

std::string capitalizedText(const std::string& text)
{
    const std::vector<std::string> characters = charactersOf(text);
    if (characters.empty())
        return {};
    return upperText(characters.front()) + lowerText(text.substr(characters.front().size()));
}

std::string titledText(const std::string& text)
{
    std::string result;
    bool inWord = false;
    for (const std::string& character : charactersOf(text)) {
        result += inWord ? lowerText(character) : upperText(character);
        inWord = u_isalpha(static_cast<UChar32>(utf8CharacterAt(character, 0).codePoint)) != 0;
    }
    return result;
}

} // namespace headscope
