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
    return strippedText(object.string(), Left, Right, textArgument(arguments, 0, "chars"));
}

Value splitAtSpaces(const std::string& text, std::int64_t most)
{
    std::vector<Value> parts;
    const std::vector<std::string> characters = charactersOf(text);
    std::string part;
    std::size_t at = 0;
    for (; at < characters.size(); ++at) {
        if (!isSpace(characters[at])) {
            if (part.empty() && most >= 0 && static_cast<std::int64_t>(parts.size()) == most)
                break;
            part += characters[at];
        } else if (!part.empty()) {
            parts.emplace_back(std::exchange(part, {}));
        }
    }
    for (; at < characters.size(); ++at) // with the spaces after it, as in Python
        part += characters[at];
    if (!part.empty())
        parts.emplace_back(std::move(part));
    return Value::list(std::move(parts));
}

Value split(const Value& object, const Arguments& arguments)
{
    const std::string* separator = textArgument(arguments, 0, "sep");
    const std::int64_t most = arguments.optional(1, "maxsplit", std::int64_t{-1}).integer();
    const std::string& text = object.string();
    if (!separator)
        return splitAtSpaces(text, most);
    if (separator->empty())
        throw Error("a text cannot be split at nothing");
    std::vector<Value> parts;
    std::size_t at = 0;
    for (std::size_t found = text.find(*separator);
         found != std::string::npos && (most < 0 || static_cast<std::int64_t>(parts.size()) < most);
         found = text.find(*separator, at)) {
        parts.emplace_back(text.substr(at, found - at));
        at = found + separator->size();
    }
    parts.emplace_back(text.substr(at));
    checkTemplateItems(parts.size());
    return Value::list(std::move(parts));
}

Value splitFromRight(const Value& object, const Arguments& arguments)
{
    const std::string* separator = textArgument(arguments, 0, "sep");
    const std::int64_t most = arguments.optional(1, "maxsplit", std::int64_t{-1}).integer();
    if (!separator || separator->empty() || most < 0)
        return split(object, arguments);
    std::string text = object.string();
    std::vector<Value> parts;
    for (std::int64_t made = 0; made < most; ++made) {
        const std::size_t found = text.rfind(*separator);
        if (found == std::string::npos)
            break;
        parts.emplace_back(text.substr(found + separator->size()));
        text.resize(found);
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
        lines.emplace_back(text.substr(at, end - at));
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
    return replacedText(object.string(), arguments.required(0, "old").string(),
                        arguments.required(1, "new").string(),
                        arguments.optional(2, "count", std::int64_t{-1}).integer());
}

Value join(const Value& object, const Arguments& arguments)
{
    std::string text;
    bool first = true;
    for (const Value& part : arguments.required(0, "iterable").iterated()) {
        text += (std::exchange(first, false) ? std::string() : object.string()) + part.string();
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
    return Change(object.string());
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
    return object.string().starts_with(prefix) ? object.string().substr(prefix.size())
                                               : object.string();
}

Value removeSuffix(const Value& object, const Arguments& arguments)
{
    const std::string& text = object.string();
    const std::string& suffix = arguments.required(0, "suffix").string();
    return text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : text;
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

std::string strippedText(const std::string& text, bool left, bool right,
                         const std::string* characters)
{
    const std::vector<std::string> all = charactersOf(text);
    const std::vector<std::string> wanted =
        characters ? charactersOf(*characters) : std::vector<std::string>();
    const auto goes = [&](const std::string& character) {
        return characters ? std::ranges::count(wanted, character) > 0 : isSpace(character);
    };
    auto begin = all.begin();
    auto end = all.end();
    while (left && begin != end && goes(*begin))
        ++begin;
    while (right && begin != end && goes(*(end - 1)))
        --end;
    std::string result;
    for (; begin != end; ++begin)
        result += *begin;
    return result;
}

std::string replacedText(const std::string& text, const std::string& from, const std::string& to,
                         std::int64_t count)
{
    std::string result;
    std::size_t at = 0;
    if (from.empty()) { // between all characters
        for (const std::string& character : charactersOf(text)) {
            result += count-- != 0 ? to + character : character;
            checkTemplateBytes(result.size());
        }
        return count != 0 ? result + to : result;
    }
    for (std::size_t found = text.find(from); found != std::string::npos && count-- != 0;
         found = text.find(from, at)) {
        result += text.substr(at, found - at) + to;
        at = found + from.size();
        checkTemplateBytes(result.size());
    }
    return result + text.substr(at);
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
