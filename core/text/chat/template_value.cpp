#include "core/text/chat/template_value.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

[[noreturn]] void refuse(const TemplateValue& value, std::string_view wanted)
{
    throw Error(fmt::format("{} where {} is needed", value.kind(), wanted));
}

/// As Python's repr(): the shortest text that reads back the same, with a point or an exponent.
std::string floatText(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    std::string text = fmt::format("{}", value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string escaped(char c, char quote)
{
    if (c == '\\' || c == quote)
        return std::string("\\") + c;
    if (c == '\n')
        return "\\n";
    if (c == '\r')
        return "\\r";
    if (c == '\t')
        return "\\t";
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
        return fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    return {c};
}

TurnText quoted(const TurnText& text)
{
    const std::string& bytes = text.bytes();
    const bool hasSingle = bytes.find('\'') != std::string::npos;
    const char quote = hasSingle && bytes.find('"') == std::string::npos ? '"' : '\'';
    TurnText result(std::string(1, quote));
    for (const TurnRange& piece : text.pieces())
        for (std::size_t at = piece.bytes.begin; at < piece.bytes.end; ++at)
            result.append(escaped(bytes[at], quote), piece.turn);
    result.append({&quote, 1});
    return result;
}

TurnText listText(const TemplateList& list)
{
    TurnText text(list.isTuple ? "(" : "[");
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        text.append(i == 0 ? "" : ", ");
        text += list.items[i].turnRepr();
    }
    text.append(!list.isTuple ? "]" : list.items.size() == 1 ? ",)" : ")");
    return text;
}

TurnText membersText(const TemplateMembers& members)
{
    if (members.isNamespace)
        return std::string("<Namespace>"); // may contain itself
    TurnText text("{");
    for (const auto& [name, value] : members.members) {
        text.append(text.size() == 1 ? "" : ", ");
        text += quoted(TurnText(name));
        text.append(": ");
        text += value.turnRepr();
    }
    text.append("}");
    return text;
}

bool sameMembers(const TemplateMembers& a, const TemplateMembers& b)
{
    if (a.isNamespace || b.isNamespace)
        return &a == &b;
    return a.members.size() == b.members.size() &&
           std::ranges::all_of(a.members, [&b](const auto& member) {
               const TemplateValue* other = b.find(member.first);
               return other && *other == member.second;
           });
}

} // namespace

// ---------------------------------------------------------------------------------- its parts

const TemplateValue* TemplateMembers::find(std::string_view name) const
{
    const auto found = std::ranges::find(members, name, [](const auto& m) { return m.first; });
    return found == members.end() ? nullptr : &found->second;
}

void TemplateMembers::set(const std::string& name, TemplateValue value)
{
    const auto found = std::ranges::find(members, name, [](const auto& m) { return m.first; });
    if (found == members.end())
        members.emplace_back(name, std::move(value));
    else
        found->second = std::move(value);
}

const TemplateValue* TemplateArguments::find(std::size_t place, std::string_view name) const
{
    if (place < positional.size())
        return &positional[place];
    const auto found = std::ranges::find(named, name, [](const auto& m) { return m.first; });
    return found == named.end() ? nullptr : &found->second;
}

const TemplateValue& TemplateArguments::required(std::size_t place, std::string_view name) const
{
    if (const TemplateValue* value = find(place, name))
        return *value;
    throw Error(fmt::format("the argument {} is missing", name));
}

TemplateValue TemplateArguments::optional(std::size_t place, std::string_view name,
                                          TemplateValue other) const
{
    const TemplateValue* value = find(place, name);
    return value ? *value : std::move(other);
}

// ---------------------------------------------------------------------------------- the value

TemplateValue::TemplateValue(TemplateFunction value)
    : m_value(std::make_shared<TemplateFunction>(std::move(value)))
{
}

TemplateValue::TemplateValue(TemplateMembers value)
    : m_value(std::make_shared<TemplateMembers>(std::move(value)))
{
}

TemplateValue TemplateValue::list(std::vector<TemplateValue> items, bool isTuple)
{
    TemplateValue value;
    value.m_value = std::make_shared<TemplateList>(TemplateList{std::move(items), isTuple});
    return value;
}

TemplateValue TemplateValue::fromJson(const nlohmann::ordered_json& json, int turn)
{
    if (json.is_boolean())
        return json.get<bool>();
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    if (json.is_number_float())
        return json.get<double>();
    if (json.is_string())
        return TurnText(json.get<std::string>(), turn);
    if (json.is_array()) {
        std::vector<TemplateValue> items;
        for (const auto& item : json)
            items.push_back(fromJson(item, turn));
        return list(std::move(items));
    }
    if (json.is_object()) {
        TemplateMembers members;
        for (const auto& [name, value] : json.items())
            members.set(name, fromJson(value, turn));
        return members;
    }
    return {};
}

bool TemplateValue::truth() const
{
    if (isNumber())
        return number() != 0.0;
    if (isString())
        return !string().empty();
    if (isList())
        return !items().empty();
    if (isMapping())
        return !members().members.empty();
    return isFunction();
}

std::int64_t TemplateValue::integer() const
{
    if (const bool* value = std::get_if<bool>(&m_value))
        return *value ? 1 : 0;
    if (const std::int64_t* value = std::get_if<std::int64_t>(&m_value))
        return *value;
    refuse(*this, "a whole number");
}

double TemplateValue::number() const
{
    if (const double* value = std::get_if<double>(&m_value))
        return *value;
    if (!isNumber())
        refuse(*this, "a number");
    return static_cast<double>(integer());
}

const TurnText& TemplateValue::turnString() const
{
    if (!isString())
        refuse(*this, "a text");
    return std::get<TurnText>(m_value);
}

std::vector<TemplateValue>& TemplateValue::items() const
{
    if (!isList())
        refuse(*this, "a list");
    return std::get<std::shared_ptr<TemplateList>>(m_value)->items;
}

TemplateMembers& TemplateValue::members() const
{
    if (!isMapping())
        refuse(*this, "a mapping");
    return *std::get<std::shared_ptr<TemplateMembers>>(m_value);
}

const TemplateFunction& TemplateValue::function() const
{
    if (!isFunction())
        refuse(*this, "a function");
    return *std::get<std::shared_ptr<TemplateFunction>>(m_value);
}

std::vector<TemplateValue> TemplateValue::iterated() const
{
    if (isList())
        return items();
    std::vector<TemplateValue> result;
    if (isMapping())
        for (const auto& member : members().members)
            result.emplace_back(member.first);
    else if (isString())
        for (std::size_t at = 0; at < string().size();) {
            const std::size_t length = utf8CharacterAt(string(), at).length;
            result.emplace_back(turnString().part(at, length));
            at += length;
        }
    else if (!isUndefined())
        refuse(*this, "something to go over");
    return result;
}

TurnText TemplateValue::turnText() const
{
    if (isString())
        return turnString();
    return isUndefined() ? TurnText() : turnRepr();
}

TurnText TemplateValue::turnRepr() const
{
    if (isString())
        return quoted(turnString());
    if (isList())
        return listText(*std::get<std::shared_ptr<TemplateList>>(m_value));
    if (isMapping())
        return membersText(members());
    if (isNone())
        return std::string("None");
    if (isBoolean())
        return std::string(truth() ? "True" : "False");
    if (isInteger())
        return fmt::format("{}", integer());
    if (isFloat())
        return floatText(number());
    return std::string(isUndefined() ? "Undefined" : "<function>");
}

std::string TemplateValue::kind() const
{
    if (const auto* undefined = std::get_if<TemplateUndefined>(&m_value))
        return inQuotes(undefined->name) + ", which is undefined,";
    if (isNone())
        return "none";
    if (isNumber())
        return isBoolean() ? "a truth value" : "a number";
    if (isString())
        return "a text";
    return isList() ? "a list" : isMapping() ? "a mapping" : "a function";
}

bool operator==(const TemplateValue& a, const TemplateValue& b)
{
    if (a.isNumber() && b.isNumber())
        return a.isFloat() || b.isFloat() ? a.number() == b.number() : a.integer() == b.integer();
    if (a.isString() && b.isString())
        return a.string() == b.string();
    if (a.isList() && b.isList())
        return a.items() == b.items();
    if (a.isMapping() && b.isMapping())
        return sameMembers(a.members(), b.members());
    if (a.isFunction() && b.isFunction())
        return &a.function() == &b.function();
    return (a.isNone() && b.isNone()) || (a.isUndefined() && b.isUndefined());
}

bool operator<(const TemplateValue& a, const TemplateValue& b)
{
    if (a.isNumber() && b.isNumber())
        return a.isFloat() || b.isFloat() ? a.number() < b.number() : a.integer() < b.integer();
    if (a.isString() && b.isString())
        return a.string() < b.string(); // UTF-8 keeps the order of code points
    if (a.isList() && b.isList())
        return std::ranges::lexicographical_compare(
            a.items(), b.items(),
            [](const TemplateValue& x, const TemplateValue& y) { return x < y; });
    throw Error(fmt::format("{} and {} have no order", a.kind(), b.kind()));
}

} // namespace headscope
