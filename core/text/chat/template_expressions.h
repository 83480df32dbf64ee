#pragma once

#include "core/text/chat/template_syntax.h"

namespace headscope {

/// Arguments of a call as written.
struct ArgumentExpressions
{
    std::vector<ExpressionPtr> positional;
    std::vector<std::pair<std::string, ExpressionPtr>> named;

    TemplateArguments evaluate(TemplateScope& scope) const;
};

ExpressionPtr literalExpression(TemplateValue value);
ExpressionPtr nameExpression(std::string name);
ExpressionPtr listExpression(std::vector<ExpressionPtr> items, bool isTuple);
ExpressionPtr mappingExpression(std::vector<std::pair<ExpressionPtr, ExpressionPtr>> members);

/// object.name: a method of the object's kind, else its member.
ExpressionPtr memberExpression(ExpressionPtr object, std::string name);

/// object[key]: an item or member, else a method.
ExpressionPtr itemExpression(ExpressionPtr object, ExpressionPtr key);

/// object[begin:end:step]; each part may be null.
ExpressionPtr sliceExpression(ExpressionPtr object, ExpressionPtr begin, ExpressionPtr end,
                              ExpressionPtr step);
ExpressionPtr callExpression(ExpressionPtr function, ArgumentExpressions arguments);

/// value|name(arguments). Throws Error for an unknown filter.
ExpressionPtr filterExpression(ExpressionPtr value, const std::string& name,
                               ArgumentExpressions arguments);

/// value is name(arguments). Throws Error for an unknown test.
ExpressionPtr testExpression(ExpressionPtr value, const std::string& name,
                             ArgumentExpressions arguments);
ExpressionPtr notExpression(ExpressionPtr value);
ExpressionPtr signExpression(ExpressionPtr value, bool isNegative);

/// "+", "-", "*", "/", "//", "%", "**" or "~".
ExpressionPtr arithmeticExpression(const std::string& sign, ExpressionPtr left,
                                   ExpressionPtr right);

/// "and" or "or": the value that decides.
ExpressionPtr logicExpression(bool isAnd, ExpressionPtr left, ExpressionPtr right);

/// a < b <= c: every pair must hold. Signs: ==, !=, <, <=, >, >=, in, not in.
ExpressionPtr comparisonExpression(ExpressionPtr first,
                                   std::vector<std::pair<std::string, ExpressionPtr>> comparisons);

/// then if condition else otherwise; undefined where `otherwise` is null and the condition is
/// false.
ExpressionPtr choiceExpression(ExpressionPtr condition, ExpressionPtr then,
                               ExpressionPtr otherwise);

} // namespace headscope
