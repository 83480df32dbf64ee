#pragma once

#include "core/text/chat/template_syntax.h"

namespace headscope {

/// Arguments of a call as written.
struct ArgumentExpressions
{
    std::vector<TemplateExpression> positional;
    std::vector<std::pair<std::string, TemplateExpression>> named;

    TemplateArguments evaluate(TemplateScope& scope) const;
};

TemplateExpression literalExpression(TemplateValue value);
TemplateExpression nameExpression(std::string name);
TemplateExpression listExpression(std::vector<TemplateExpression> items, bool isTuple);
TemplateExpression
mappingExpression(std::vector<std::pair<TemplateExpression, TemplateExpression>> members);

/// object.name: a method of the object's kind, else its member.
TemplateExpression memberExpression(TemplateExpression object, std::string name);

/// object[key]: an item or member, else a method.
TemplateExpression itemExpression(TemplateExpression object, TemplateExpression key);

/// object[begin:end:step]; each part may be null.
TemplateExpression sliceExpression(TemplateExpression object, TemplateExpression begin,
                                   TemplateExpression end, TemplateExpression step);
TemplateExpression callExpression(TemplateExpression function, ArgumentExpressions arguments);

/// value|name(arguments). Throws Error for an unknown filter.
TemplateExpression filterExpression(TemplateExpression value, const std::string& name,
                                    ArgumentExpressions arguments);

/// value is name(arguments). Throws Error for an unknown test.
TemplateExpression testExpression(TemplateExpression value, const std::string& name,
                                  ArgumentExpressions arguments);
TemplateExpression notExpression(TemplateExpression value);
TemplateExpression signExpression(TemplateExpression value, bool isNegative);

/// "+", "-", "*", "/", "//", "%", "**" or "~".
TemplateExpression arithmeticExpression(const std::string& sign, TemplateExpression left,
                                        TemplateExpression right);

/// "and" or "or": the value that decides.
TemplateExpression logicExpression(bool isAnd, TemplateExpression left, TemplateExpression right);

/// a < b <= c: every pair must hold. Signs: ==, !=, <, <=, >, >=, in, not in.
TemplateExpression
comparisonExpression(TemplateExpression first,
                     std::vector<std::pair<std::string, TemplateExpression>> comparisons);

/// then if condition else otherwise; undefined where `otherwise` is null and the condition is
/// false.
TemplateExpression choiceExpression(TemplateExpression condition, TemplateExpression then,
                                    TemplateExpression otherwise);

} // namespace headscope
