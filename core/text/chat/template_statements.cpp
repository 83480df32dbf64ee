#include "core/text/chat/template_statements.h"

#include "core/base/error.h"
#include "core/text/chat/template_scope.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

using Value = TemplateValue;
using Scope = TemplateScope;

/// Counts the run and its level.
template<class Function>
TemplateStatement statement(int line, Function function)
{
    return [line, function = std::move(function)](Scope& scope) {
        scope.rendering().step();
        if (line > 0)
            scope.rendering().line = line;
        const TemplateLevel level(scope.rendering());
        return function(scope);
    };
}

void assign(Scope& scope, const TargetNames& names, const Value& value)
{
    if (names.size() == 1)
        return scope.set(names.front(), value);
    const std::vector<Value> values = value.iterated();
    if (values.size() != names.size())
        throw Error(fmt::format("{} values for {} names", values.size(), names.size()));
    for (std::size_t i = 0; i < names.size(); ++i)
        scope.set(names[i], values[i]);
}

/// What a loop's body sees as `loop`.
Value loopFacts(const std::vector<Value>& items, std::size_t at)
{
    const auto count = [](std::size_t n) { return Value(static_cast<std::int64_t>(n)); };
    const std::size_t left = items.size() - at;
    TemplateMembers facts;
    facts.set("index", count(at + 1));
    facts.set("index0", count(at));
    facts.set("revindex", count(left));
    facts.set("revindex0", count(left - 1));
    facts.set("first", at == 0);
    facts.set("last", left == 1);
    facts.set("length", count(items.size()));
    facts.set("previtem", at > 0 ? items[at - 1] : Value::undefined("loop.previtem"));
    facts.set("nextitem", left > 1 ? items[at + 1] : Value::undefined("loop.nextitem"));
    facts.set("cycle", TemplateFunction([at](const TemplateArguments& arguments) {
                  if (arguments.positional.empty())
                      throw Error("loop.cycle() needs values");
                  return arguments.positional[at % arguments.positional.size()];
              }));
    facts.isNamespace = true; // its members have no methods beside them
    return facts;
}

/// A namespace that held one could hold itself.
bool holdsNamespace(const Value& value)
{
    if (value.isList())
        return std::ranges::any_of(value.items(), holdsNamespace);
    return value.isMapping() && (value.members().isNamespace ||
                                 std::ranges::any_of(value.members().members, [](const auto& m) {
                                     return holdsNamespace(m.second);
                                 }));
}

std::vector<Value> loopItems(Scope& scope, const TargetNames& names,
                             const TemplateExpression& items, const TemplateExpression& condition)
{
    std::vector<Value> all = items(scope).iterated();
    if (!condition)
        return all;
    std::vector<Value> kept;
    for (Value& item : all) {
        Scope inner(scope.rendering(), &scope);
        assign(inner, names, item);
        if (condition(inner).truth())
            kept.push_back(std::move(item));
    }
    return kept;
}

Flow runLoop(Scope& scope, const TargetNames& names, const std::vector<Value>& items,
             const TemplateBody& body)
{
    for (std::size_t at = 0; at < items.size(); ++at) {
        Scope inner(scope.rendering(), &scope);
        assign(inner, names, items[at]);
        inner.set("loop", loopFacts(items, at));
        if (body.run(inner) == Flow::Break)
            break;
    }
    return Flow::On;
}

/// What a body writes, as a text.
TurnText writtenBy(const TemplateBody& body, Scope& scope)
{
    const std::size_t begin = scope.rendering().written();
    body.run(scope);
    return scope.rendering().takeFrom(begin);
}

/// The scope of a macro's call: what it was given, and the defaults of the rest.
void bindParameters(Scope& scope, const std::vector<MacroParameter>& parameters,
                    const TemplateArguments& arguments)
{
    if (arguments.positional.size() > parameters.size())
        throw Error("a macro was given more arguments than it has parameters");
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const MacroParameter& parameter = parameters[i];
        if (const Value* given = arguments.find(i, parameter.name))
            scope.set(parameter.name, *given);
        else
            scope.set(parameter.name,
                      parameter.other ? parameter.other(scope) : Value::undefined(parameter.name));
    }
}

} // namespace

Flow TemplateBody::run(Scope& scope) const
{
    for (const TemplateStatement& statement : statements)
        if (const Flow flow = statement(scope); flow != Flow::On)
            return flow;
    return Flow::On;
}

TemplateStatement textStatement(std::string text)
{
    return statement(0, [text = TurnText(std::move(text))](Scope& scope) {
        scope.rendering().write(text);
        return Flow::On;
    });
}

TemplateStatement outputStatement(TemplateExpression value, int line)
{
    return statement(line, [value = std::move(value)](Scope& scope) {
        scope.rendering().write(value(scope).turnText());
        return Flow::On;
    });
}

TemplateStatement ifStatement(std::vector<std::pair<TemplateExpression, TemplateBody>> branches,
                              int line)
{
    return statement(line, [branches = std::move(branches)](Scope& scope) {
        for (const auto& [condition, body] : branches)
            if (!condition || condition(scope).truth())
                return body.run(scope);
        return Flow::On;
    });
}

TemplateStatement forStatement(TargetNames names, TemplateExpression items,
                               TemplateExpression condition, TemplateBody body,
                               TemplateBody otherwise, int line)
{
    return statement(line, [names = std::move(names), items = std::move(items),
                            condition = std::move(condition), body = std::move(body),
                            otherwise = std::move(otherwise)](Scope& scope) {
        const std::vector<Value> all = loopItems(scope, names, items, condition);
        if (!all.empty())
            return runLoop(scope, names, all, body);
        Scope inner(scope.rendering(), &scope);
        return otherwise.run(inner);
    });
}

TemplateStatement setStatement(TargetNames names, TemplateExpression value, int line)
{
    return statement(line, [names = std::move(names), value = std::move(value)](Scope& scope) {
        assign(scope, names, value(scope));
        return Flow::On;
    });
}

TemplateStatement setMemberStatement(std::string name, std::string member, TemplateExpression value,
                                     int line)
{
    return statement(line, [name = std::move(name), member = std::move(member),
                            value = std::move(value)](Scope& scope) {
        const Value* object = scope.find(name);
        if (!object || !object->isMapping() || !object->members().isNamespace)
            throw Error(
                fmt::format("{} is not a namespace, so {}.{} cannot be set", name, name, member));
        Value given = value(scope);
        if (holdsNamespace(given))
            throw Error("a namespace cannot hold a namespace");
        object->members().set(member, std::move(given));
        return Flow::On;
    });
}

TemplateStatement setBlockStatement(std::string name, TemplateBody body, int line)
{
    return statement(line, [name = std::move(name), body = std::move(body)](Scope& scope) {
        Scope inner(scope.rendering(), &scope);
        scope.set(name, writtenBy(body, inner));
        return Flow::On;
    });
}

TemplateStatement macroStatement(std::string name, std::vector<MacroParameter> parameters,
                                 TemplateBody body)
{
    struct Macro
    {
        std::vector<MacroParameter> parameters;
        TemplateBody body;
    };

    const auto macro = std::make_shared<const Macro>(Macro{std::move(parameters), std::move(body)});
    return statement(0, [name = std::move(name), macro](Scope& scope) {
        const auto call = [macro, &scope, life = scope.life()](const TemplateArguments& arguments) {
            if (life.expired())
                throw Error("a macro was called outside of the loop that defines it");
            Scope inner(scope.rendering(), &scope);
            bindParameters(inner, macro->parameters, arguments);
            return Value(writtenBy(macro->body, inner));
        };
        scope.set(name, TemplateFunction(call));
        return Flow::On;
    });
}

TemplateStatement blockStatement(TemplateBody body)
{
    return statement(0, [body = std::move(body)](Scope& scope) { return body.run(scope); });
}

TemplateStatement flowStatement(Flow flow)
{
    return statement(0, [flow](Scope&) { return flow; });
}

} // namespace headscope
