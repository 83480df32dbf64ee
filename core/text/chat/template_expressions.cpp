#include "core/text/chat/template_expressions.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/chat/template_filters.h"
#include "core/text/chat/template_methods.h"
#include "core/text/chat/template_operators.h"
#include "core/text/chat/template_scope.h"
#include "core/text/chat/template_tests.h"

#include <optional>

namespace headscope {

namespace {

using Value = TemplateValue;
using Scope = TemplateScope;

/// Counts the evaluation and its level.
template<class Function>
TemplateExpression expression(Function function)
{
    return [function = std::move(function)](Scope& scope) -> Value {
        scope.rendering().step();
        const TemplateLevel level(scope.rendering());
        return function(scope);
    };
}

/// Nothing has members where nothing is: the fault is named where it happens.
void requireDefined(const Value& object)
{
    if (object.isUndefined())
        throw Error(object.kind() + " has no members");
}

Value memberOf(const Value& object, const std::string& name)
{
    requireDefined(object);
    if (const std::optional<Value> method = methodOfTemplate(object, name))
        return *method;
    return itemOfTemplate(object, name).value_or(Value::undefined(name));
}

Value itemOf(const Value& object, const Value& key)
{
    requireDefined(object);
    if (std::optional<Value> item = itemOfTemplate(object, key))
        return *item;
    if (key.isString())
        if (std::optional<Value> method = methodOfTemplate(object, key.string()))
            return *method;
    return Value::undefined(key.text());
}

std::optional<std::int64_t> index(const TemplateExpression& expression, Scope& scope)
{
    if (!expression)
        return std::nullopt;
    const Value value = expression(scope);
    return value.isNone() ? std::nullopt : std::optional(value.integer());
}

} // namespace

TemplateArguments ArgumentExpressions::evaluate(Scope& scope) const
{
    TemplateArguments arguments;
    for (const TemplateExpression& value : positional)
        arguments.positional.push_back(value(scope));
    for (const auto& [name, value] : named)
        arguments.named.emplace_back(name, value(scope));
    return arguments;
}

TemplateExpression literalExpression(Value value)
{
    return expression([value = std::move(value)](Scope&) { return value; });
}

TemplateExpression nameExpression(std::string name)
{
    return expression([name = std::move(name)](Scope& scope) {
        const Value* value = scope.find(name);
        return value ? *value : Value::undefined(name);
    });
}

TemplateExpression listExpression(std::vector<TemplateExpression> items, bool isTuple)
{
    return expression([items = std::move(items), isTuple](Scope& scope) {
        std::vector<Value> values;
        for (const TemplateExpression& item : items)
            values.push_back(item(scope));
        return Value::list(std::move(values), isTuple);
    });
}

TemplateExpression
mappingExpression(std::vector<std::pair<TemplateExpression, TemplateExpression>> members)
{
    return expression([members = std::move(members)](Scope& scope) {
        TemplateMembers values;
        for (const auto& [name, value] : members)
            values.set(name(scope).string(), value(scope));
        return Value(std::move(values));
    });
}

TemplateExpression memberExpression(TemplateExpression object, std::string name)
{
    return expression([object = std::move(object), name = std::move(name)](Scope& scope) {
        return memberOf(object(scope), name);
    });
}

TemplateExpression itemExpression(TemplateExpression object, TemplateExpression key)
{
    return expression([object = std::move(object), key = std::move(key)](Scope& scope) {
        return itemOf(object(scope), key(scope));
    });
}

TemplateExpression sliceExpression(TemplateExpression object, TemplateExpression begin,
                                   TemplateExpression end, TemplateExpression step)
{
    return expression([object = std::move(object), begin = std::move(begin), end = std::move(end),
                       step = std::move(step)](Scope& scope) {
        const Value value = object(scope);
        return sliceTemplate(value, index(begin, scope), index(end, scope),
                             index(step, scope).value_or(1));
    });
}

TemplateExpression callExpression(TemplateExpression function, ArgumentExpressions arguments)
{
    return expression(
        [function = std::move(function), arguments = std::move(arguments)](Scope& scope) {
            const Value callee = function(scope);
            return callee.function()(arguments.evaluate(scope));
        });
}

TemplateExpression filterExpression(TemplateExpression value, const std::string& name,
                                    ArgumentExpressions arguments)
{
    const TemplateFilter filter = filterOfTemplate(name);
    if (!filter)
        throw Error("no filter " + inQuotes(name));
    return expression(
        [value = std::move(value), filter, arguments = std::move(arguments)](Scope& scope) {
            const Value of = value(scope);
            return filter(scope, of, arguments.evaluate(scope));
        });
}

TemplateExpression testExpression(TemplateExpression value, const std::string& name,
                                  ArgumentExpressions arguments)
{
    const TemplateTest test = testOfTemplate(name);
    if (!test)
        throw Error("no test " + inQuotes(name));
    return expression(
        [value = std::move(value), test, arguments = std::move(arguments)](Scope& scope) {
            const Value of = value(scope);
            return Value(test(of, arguments.evaluate(scope)));
        });
}

TemplateExpression notExpression(TemplateExpression value)
{
    return expression(
        [value = std::move(value)](Scope& scope) { return Value(!value(scope).truth()); });
}

TemplateExpression signExpression(TemplateExpression value, bool isNegative)
{
    return expression([value = std::move(value), isNegative](Scope& scope) {
        const Value of = value(scope);
        return computeTemplate(isNegative ? "-" : "+", Value(std::int64_t{0}), of);
    });
}

TemplateExpression arithmeticExpression(const std::string& sign, TemplateExpression left,
                                        TemplateExpression right)
{
    return expression([sign, left = std::move(left), right = std::move(right)](Scope& scope) {
        const Value first = left(scope);
        return computeTemplate(sign, first, right(scope));
    });
}

TemplateExpression logicExpression(bool isAnd, TemplateExpression left, TemplateExpression right)
{
    return expression([isAnd, left = std::move(left), right = std::move(right)](Scope& scope) {
        Value first = left(scope);
        return first.truth() == isAnd ? right(scope) : first;
    });
}

TemplateExpression
comparisonExpression(TemplateExpression first,
                     std::vector<std::pair<std::string, TemplateExpression>> comparisons)
{
    return expression(
        [first = std::move(first), comparisons = std::move(comparisons)](Scope& scope) {
            Value left = first(scope);
            for (const auto& [sign, right] : comparisons) {
                Value value = right(scope);
                if (!compareTemplate(sign, left, value))
                    return Value(false);
                left = std::move(value);
            }
            return Value(true);
        });
}

TemplateExpression choiceExpression(TemplateExpression condition, TemplateExpression then,
                                    TemplateExpression otherwise)
{
    return expression([condition = std::move(condition), then = std::move(then),
                       otherwise = std::move(otherwise)](Scope& scope) {
        if (condition(scope).truth())
            return then(scope);
        return otherwise ? otherwise(scope) : Value::undefined("the missing else");
    });
}

} // namespace headscope
