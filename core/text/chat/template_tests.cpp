#include "core/text/chat/template_tests.h"

#include "core/text/chat/template_operators.h"

#include <map>

namespace headscope {

namespace {

using Arguments = TemplateArguments;
using Value = TemplateValue;

template<bool (Value::*Is)() const>
bool is(const Value& value, const Arguments&)
{
    return (value.*Is)();
}

bool isDefined(const Value& value, const Arguments&)
{
    return !value.isUndefined();
}

bool isTrue(const Value& value, const Arguments&)
{
    return value.isBoolean() && value.truth();
}

bool isFalse(const Value& value, const Arguments&)
{
    return value.isBoolean() && !value.truth();
}

bool isIterable(const Value& value, const Arguments&)
{
    return value.isList() || value.isMapping() || value.isString() || value.isUndefined();
}

bool isSequence(const Value& value, const Arguments&)
{
    return value.isList() || value.isMapping() || value.isString();
}

bool isOdd(const Value& value, const Arguments&)
{
    return value.integer() % 2 != 0;
}

bool isEven(const Value& value, const Arguments&)
{
    return value.integer() % 2 == 0;
}

bool divides(const Value& value, const Arguments& arguments)
{
    return computeTemplate("%", value, arguments.required(0, "num")) == Value(std::int64_t{0});
}

template<char First, char Second = '\0'>
bool compares(const Value& value, const Arguments& arguments)
{
    constexpr char sign[] = {First, Second, '\0'};
    return compareTemplate(sign, value, arguments.required(0, "other"));
}

bool isIn(const Value& value, const Arguments& arguments)
{
    return compareTemplate("in", value, arguments.required(0, "seq"));
}

} // namespace

TemplateTest testOfTemplate(std::string_view name)
{
    static const std::map<std::string_view, TemplateTest> tests = {
        {"defined", isDefined},
        {"undefined", is<&Value::isUndefined>},
        {"none", is<&Value::isNone>},
        {"boolean", is<&Value::isBoolean>},
        {"true", isTrue},
        {"false", isFalse},
        {"integer", is<&Value::isInteger>},
        {"float", is<&Value::isFloat>},
        {"number", is<&Value::isNumber>},
        {"string", is<&Value::isString>},
        {"mapping", is<&Value::isMapping>},
        {"callable", is<&Value::isFunction>},
        {"iterable", isIterable},
        {"sequence", isSequence},
        {"odd", isOdd},
        {"even", isEven},
        {"divisibleby", divides},
        {"eq", compares<'=', '='>},
        {"equalto", compares<'=', '='>},
        {"ne", compares<'!', '='>},
        {"lt", compares<'<'>},
        {"lessthan", compares<'<'>},
        {"le", compares<'<', '='>},
        {"gt", compares<'>'>},
        {"greaterthan", compares<'>'>},
        {"ge", compares<'>', '='>},
        {"in", isIn},
    };
    const auto found = tests.find(name);
    return found == tests.end() ? nullptr : found->second;
}

} // namespace headscope
