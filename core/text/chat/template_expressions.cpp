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

/// An expression that is one function of its scope.
template<class Function>
class Evaluated final : public TemplateExpression
{
public:
    explicit Evaluated(Function function) : m_function(std::move(function)) {}

    Value evaluate(Scope& scope) const override
    {
        scope.rendering().step();
        const TemplateLevel level(scope.rendering());
        return m_function(scope);
    }

private:
    Function m_function;
};

template<class Function>
ExpressionPtr expression(Function function)
{
    return std::make_unique<const Evaluated<Function>>(std::move(function));
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

std::optional<std::int64_t> index(const ExpressionPtr& expression, Scope& scope)
{
    if (!expression)
        return std::nullopt;
    const Value value = expression->evaluate(scope);
    return value.isNone() ? std::nullopt : std::optional(value.integer());
}

} // namespace

TemplateArguments ArgumentExpressions::evaluate(Scope& scope) const
{
    TemplateArguments arguments;
    for (const ExpressionPtr& value : positional)
        arguments.positional.push_back(value->evaluate(scope));
    for (const auto& [name, value] : named)
        arguments.named.emplace_back(name, value->evaluate(scope));
    return arguments;
}

ExpressionPtr literalExpression(Value value)
{
    return expression([value = std::move(value)](Scope&) { return value; });
}

ExpressionPtr nameExpression(std::string name)
{
    return expression([name = std::move(name)](Scope& scope) {
        const Value* value = scope.find(name);
        return value ? *value : Value::undefined(name);
    });
}

ExpressionPtr listExpression(std::vector<ExpressionPtr> items, bool isTuple)
{
    return expression([items = std::move(items), isTuple](Scope& scope) {
        std::vector<Value> values;
        for (const ExpressionPtr& item : items)
            values.push_back(item->evaluate(scope));
        return Value::list(std::move(values), isTuple);
    });
}

ExpressionPtr mappingExpression(std::vector<std::pair<ExpressionPtr, ExpressionPtr>> members)
{
    return expression([members = std::move(members)](Scope& scope) {
        TemplateMembers values;
        for (const auto& [name, value] : members)
            values.set(name->evaluate(scope).string(), value->evaluate(scope));
        return Value(std::move(values));
    });
}

ExpressionPtr memberExpression(ExpressionPtr object, std::string name)
{
    return expression([object = std::move(object), name = std::move(name)](Scope& scope) {
        return memberOf(object->evaluate(scope), name);
    });
}

ExpressionPtr itemExpression(ExpressionPtr object, ExpressionPtr key)
{
    return expression([object = std::move(object), key = std::move(key)](Scope& scope) {
        return itemOf(object->evaluate(scope), key->evaluate(scope));
    });
}

ExpressionPtr sliceExpression(ExpressionPtr object, ExpressionPtr begin, ExpressionPtr end,
                              ExpressionPtr step)
{
    return expression([object = std::move(object), begin = std::move(begin), end = std::move(end),
                       step = std::move(step)](Scope& scope) {
        const Value value = object->evaluate(scope);
        return sliceTemplate(value, index(begin, scope), index(end, scope),
                             index(step, scope).value_or(1));
    });
}

ExpressionPtr callExpression(ExpressionPtr function, ArgumentExpressions arguments)
{
    return expression(
        [function = std::move(function), arguments = std::move(arguments)](Scope& scope) {
            const Value callee = function->evaluate(scope);
            return callee.function()(arguments.evaluate(scope));
        });
}

ExpressionPtr filterExpression(ExpressionPtr value, const std::string& name,
                               ArgumentExpressions arguments)
{
    const TemplateFilter filter = filterOfTemplate(name);
    if (!filter)
        throw Error("no filter " + inQuotes(name));
    return expression(
        [value = std::move(value), filter, arguments = std::move(arguments)](Scope& scope) {
            const Value of = value->evaluate(scope);
            return filter(scope, of, arguments.evaluate(scope));
        });
}

ExpressionPtr testExpression(ExpressionPtr value, const std::string& name,
                             ArgumentExpressions arguments)
{
    const TemplateTest test = testOfTemplate(name);
    if (!test)
        throw Error("no test " + inQuotes(name));
    return expression(
        [value = std::move(value), test, arguments = std::move(arguments)](Scope& scope) {
            const Value of = value->evaluate(scope);
            return Value(test(of, arguments.evaluate(scope)));
        });
}

ExpressionPtr notExpression(ExpressionPtr value)
{
    return expression([value = std::move(value)](Scope& scope) {
        return Value(!value->evaluate(scope).truth());
    });
}

ExpressionPtr signExpression(ExpressionPtr value, bool isNegative)
{
    return expression([value = std::move(value), isNegative](Scope& scope) {
        const Value of = value->evaluate(scope);
        return computeTemplate(isNegative ? "-" : "+", Value(std::int64_t{0}), of);
    });
}

ExpressionPtr arithmeticExpression(const std::string& sign, ExpressionPtr left, ExpressionPtr right)
{
    return expression([sign, left = std::move(left), right = std::move(right)](Scope& scope) {
        const Value first = left->evaluate(scope);
        return computeTemplate(sign, first, right->evaluate(scope));
    });
}

ExpressionPtr logicExpression(bool isAnd, ExpressionPtr left, ExpressionPtr right)
{
    return expression([isAnd, left = std::move(left), right = std::move(right)](Scope& scope) {
        Value first = left->evaluate(scope);
        return first.truth() == isAnd ? right->evaluate(scope) : first;
    });
}

ExpressionPtr comparisonExpression(ExpressionPtr first,
                                   std::vector<std::pair<std::string, ExpressionPtr>> comparisons)
{
    return expression(
        [first = std::move(first), comparisons = std::move(comparisons)](Scope& scope) {
            Value left = first->evaluate(scope);
            for (const auto& [sign, right] : comparisons) {
                Value value = right->evaluate(scope);
                if (!compareTemplate(sign, left, value))
                    return Value(false);
                left = std::move(value);
            }
            return Value(true);
        });
}

ExpressionPtr choiceExpression(ExpressionPtr condition, ExpressionPtr then, ExpressionPtr otherwise)
{
    return expression([condition = std::move(condition), then = std::move(then),
                       otherwise = std::move(otherwise)](Scope& scope) {
        if (condition->evaluate(scope).truth())
            return then->evaluate(scope);
        return otherwise ? otherwise->evaluate(scope) : Value::undefined("the missing else");
    });
}

} // namespace headscope
