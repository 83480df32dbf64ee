#include "core/text/chat/template_filters.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/chat/template_json.h"
#include "core/text/chat/template_methods.h"
#include "core/text/chat/template_operators.h"
#include "core/text/chat/template_scope.h"
#include "core/text/chat/template_tests.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace headscope {

namespace {

using Arguments = TemplateArguments;
using Value = TemplateValue;
using Scope = TemplateScope;

Value trim(Scope&, const Value& value, const Arguments& arguments)
{
    const Value* characters = arguments.find(0, "chars");
    return strippedText(value.turnText(), true, true,
                        characters && characters->isString() ? &characters->string() : nullptr);
}

Value toJson(Scope&, const Value& value, const Arguments& arguments)
{
    const Value* indent = arguments.find(0, "indent");
    const bool isIndented = indent && !indent->isNone();
    const Value separators = arguments.optional(1, "separators", {});
    const bool hasSeparators = separators.isList() && separators.items().size() == 2;
    return jsonOfTemplate(
        value,
        isIndented ? static_cast<int>(std::clamp<std::int64_t>(indent->integer(), 0, 64)) : -1,
        hasSeparators ? separators.items()[0].string()
        : isIndented  ? ","
                      : ", ",
        hasSeparators ? separators.items()[1].string() : ": ",
        arguments.optional(2, "sort_keys", false).truth());
}

Value length(Scope&, const Value& value, const Arguments&)
{
    return static_cast<std::int64_t>(value.iterated().size());
}

/// The next part of a path such as "function.name"; digits are an index.
Value partOf(std::string_view path)
{
    std::int64_t index = 0;
    const auto read = std::from_chars(path.data(), path.data() + path.size(), index);
    return read.ec == std::errc() && read.ptr == path.data() + path.size()
               ? Value(index)
               : Value(std::string(path));
}

/// `value`, or what the path `attribute` leads to, where one is asked for.
Value memberOf(const Value& value, const Value* attribute)
{
    if (!attribute || attribute->isNone())
        return value;
    Value member = value;
    std::string_view path = attribute->isString() ? attribute->string() : std::string_view();
    const Value index = attribute->isString() ? Value() : *attribute;
    for (bool isLast = false; !isLast;) {
        const std::size_t end = std::min(path.find('.'), path.size());
        const Value part = index.isNone() ? partOf(path.substr(0, end)) : index;
        member = itemOfTemplate(member, part).value_or(Value::undefined(part.text()));
        isLast = end == path.size();
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return member;
}

Value join(Scope&, const Value& value, const Arguments& arguments)
{
    const TurnText separator = arguments.optional(0, "d", "").turnText();
    const Value* attribute = arguments.find(1, "attribute");
    TurnText text;
    bool first = true;
    for (const Value& item : value.iterated()) {
        text += std::exchange(first, false) ? TurnText() : separator;
        text += memberOf(item, attribute).turnText();
        checkTemplateBytes(text.size());
    }
    return text;
}

Value replace(Scope&, const Value& value, const Arguments& arguments)
{
    return replacedText(value.turnText(), arguments.required(0, "old").text(),
                        arguments.required(1, "new").turnText(),
                        arguments.optional(2, "count", std::int64_t{-1}).isNone()
                            ? -1
                            : arguments.optional(2, "count", std::int64_t{-1}).integer());
}

Value otherwise(Scope&, const Value& value, const Arguments& arguments)
{
    const bool alsoFalse = arguments.optional(1, "boolean", false).truth();
    return value.isUndefined() || (alsoFalse && !value.truth())
               ? arguments.optional(0, "default_value", "")
               : value;
}

Value first(Scope&, const Value& value, const Arguments&)
{
    const std::vector<Value> items = value.iterated();
    return items.empty() ? Value::undefined("first item") : items.front();
}

Value last(Scope&, const Value& value, const Arguments&)
{
    const std::vector<Value> items = value.iterated();
    return items.empty() ? Value::undefined("last item") : items.back();
}

Value list(Scope&, const Value& value, const Arguments&)
{
    return Value::list(value.iterated());
}

Value items(Scope&, const Value& value, const Arguments&)
{
    std::vector<Value> pairs;
    if (!value.isUndefined())
        for (const auto& [name, member] : value.members().members)
            pairs.push_back(Value::list({name, member}, true));
    return Value::list(std::move(pairs));
}

Value reversed(Scope&, const Value& value, const Arguments&)
{
    return value.isString() ? sliceTemplate(value, {}, {}, -1)
                            : sliceTemplate(Value::list(value.iterated()), {}, {}, -1);
}

Value text(Scope&, const Value& value, const Arguments&)
{
    return value.turnText();
}

Value whole(Scope&, const Value& value, const Arguments& arguments)
{
    if (value.isFloat() && std::abs(value.number()) < 9e18)
        return static_cast<std::int64_t>(value.number());
    if (value.isNumber() && !value.isFloat())
        return value.integer();
    std::int64_t number = 0;
    const std::string digits = strippedText(value.text(), true, true).bytes();
    const auto end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number);
    return read.ec == std::errc() && read.ptr == end
               ? Value(number)
               : arguments.optional(0, "default", std::int64_t{0});
}

Value decimal(Scope&, const Value& value, const Arguments& arguments)
{
    if (value.isNumber())
        return value.number();
    double number = 0.0;
    const std::string digits = strippedText(value.text(), true, true).bytes();
    const auto end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number);
    return read.ec == std::errc() && read.ptr == end ? Value(number)
                                                     : arguments.optional(0, "default", 0.0);
}

Value absolute(Scope&, const Value& value, const Arguments&)
{
    return value.isFloat() ? Value(std::abs(value.number())) : Value(std::abs(value.integer()));
}

/// Puts blanks before every line but the first.
Value indent(Scope&, const Value& value, const Arguments& arguments)
{
    const Value width = arguments.optional(0, "width", std::int64_t{4});
    const std::string blanks =
        width.isString()
            ? width.string()
            : std::string(
                  static_cast<std::size_t>(std::clamp<std::int64_t>(width.integer(), 0, 999)), ' ');
    const bool alsoFirst = arguments.optional(1, "first", false).truth();
    const bool alsoBlank = arguments.optional(2, "blank", false).truth();
    const TurnText text = value.turnText();
    const std::string& source = text.bytes();
    TurnText result(alsoFirst ? blanks : std::string());
    for (std::size_t at = 0; at < source.size();) {
        const std::size_t end = std::min(source.find('\n', at), source.size() - 1) + 1;
        result += text.part(at, end - at);
        const bool endsLine = source[end - 1] == '\n';
        if (endsLine && (alsoBlank || (end < source.size() && source[end] != '\n')))
            result.append(blanks);
        checkTemplateBytes(result.size());
        at = end;
    }
    return result;
}

template<std::string (*Change)(const std::string&)>
Value changed(Scope&, const Value& value, const Arguments&)
{
    return changedText(value.turnText(), Change);
}

Arguments rest(const Arguments& arguments, std::size_t from)
{
    Arguments result;
    if (from < arguments.positional.size())
        result.positional.assign(arguments.positional.begin() + static_cast<std::ptrdiff_t>(from),
                                 arguments.positional.end());
    return result;
}

/// True where a test holds, or, without a test, where the value is true.
bool holds(const Value& value, const Arguments& arguments, std::size_t place)
{
    if (place >= arguments.positional.size())
        return value.truth();
    const std::string& name = arguments.positional[place].string();
    const TemplateTest test = testOfTemplate(name);
    if (!test)
        throw Error("no test " + inQuotes(name));
    return test(value, rest(arguments, place + 1));
}

template<bool Wanted, bool OfMember>
Value select(Scope&, const Value& value, const Arguments& arguments)
{
    std::vector<Value> kept;
    for (const Value& item : value.iterated()) {
        const Value tested = OfMember ? memberOf(item, &arguments.required(0, "attribute")) : item;
        if (holds(tested, arguments, OfMember ? 1 : 0) == Wanted)
            kept.push_back(item);
    }
    return Value::list(std::move(kept));
}

Value map(Scope& scope, const Value& value, const Arguments& arguments)
{
    std::vector<Value> mapped;
    const bool ofMember = arguments.positional.empty();
    const TemplateFilter filter =
        ofMember ? nullptr : filterOfTemplate(arguments.positional.front().string());
    if (!ofMember && !filter)
        throw Error("no filter " + inQuotes(arguments.positional.front().string()));
    for (const Value& item : value.iterated()) {
        const Value member =
            ofMember ? memberOf(item, &arguments.required(1, "attribute")) : Value();
        const Value* other = arguments.find(2, "default");
        mapped.push_back(ofMember ? (member.isUndefined() && other ? *other : member)
                                  : filter(scope, item, rest(arguments, 1)));
    }
    return Value::list(std::move(mapped));
}

Value sorted(Scope&, const Value& value, const Arguments& arguments)
{
    std::vector<Value> all = value.iterated();
    const Value* attribute = arguments.find(2, "attribute");
    const bool folds = !arguments.optional(1, "case_sensitive", false).truth();
    const auto key = [&](const Value& item) {
        const Value member = memberOf(item, attribute);
        return folds && member.isString() ? Value(lowerText(member.string())) : member;
    };
    std::ranges::stable_sort(all, [&](const Value& a, const Value& b) { return key(a) < key(b); });
    if (arguments.optional(0, "reverse", false).truth())
        std::ranges::reverse(all);
    return Value::list(std::move(all));
}

Value sortedItems(Scope& scope, const Value& value, const Arguments&)
{
    std::vector<Value> pairs = items(scope, value, {}).items();
    std::ranges::stable_sort(pairs, [](const Value& a, const Value& b) {
        return lowerText(a.items().front().string()) < lowerText(b.items().front().string());
    });
    return Value::list(std::move(pairs));
}

Value unique(Scope&, const Value& value, const Arguments&)
{
    std::vector<Value> kept;
    for (const Value& item : value.iterated())
        if (std::ranges::find(kept, item) == kept.end())
            kept.push_back(item);
    return Value::list(std::move(kept));
}

template<bool Largest>
Value extreme(Scope&, const Value& value, const Arguments&)
{
    const std::vector<Value> all = value.iterated();
    if (all.empty())
        return Value::undefined("an item of nothing");
    const auto less = [](const Value& a, const Value& b) { return a < b; };
    return Largest ? *std::ranges::max_element(all, less) : *std::ranges::min_element(all, less);
}

Value sum(Scope&, const Value& value, const Arguments& arguments)
{
    Value total = arguments.optional(1, "start", std::int64_t{0});
    for (const Value& item : value.iterated())
        total = computeTemplate("+", total, memberOf(item, arguments.find(0, "attribute")));
    return total;
}

} // namespace

TemplateFilter filterOfTemplate(std::string_view name)
{
    static const std::map<std::string_view, TemplateFilter> filters = {
        {"trim", trim},
        {"tojson", toJson},
        {"length", length},
        {"count", length},
        {"join", join},
        {"replace", replace},
        {"default", otherwise},
        {"d", otherwise},
        {"first", first},
        {"last", last},
        {"list", list},
        {"items", items},
        {"reverse", reversed},
        {"string", text},
        {"safe", text},
        {"int", whole},
        {"float", decimal},
        {"abs", absolute},
        {"indent", indent},
        {"upper", changed<upperText>},
        {"lower", changed<lowerText>},
        {"capitalize", changed<capitalizedText>},
        {"title", changed<titledText>},
        {"select", select<true, false>},
        {"reject", select<false, false>},
        {"selectattr", select<true, true>},
        {"rejectattr", select<false, true>},
        {"map", map},
        {"sort", sorted},
        {"dictsort", sortedItems},
        {"unique", unique},
        {"max", extreme<true>},
        {"min", extreme<false>},
        {"sum", sum},
    };
    const auto found = filters.find(name);
    return found == filters.end() ? nullptr : found->second;
}

} // namespace headscope
