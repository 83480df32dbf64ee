#pragma once

#include "core/text/chat/template_syntax.h"

namespace headscope {

/// Names that a loop or an assignment gives values: one, or several that unpack a tuple.
using TargetNames = std::vector<std::string>;

struct MacroParameter
{
    std::string name;
    ExpressionPtr other; ///< Value where the argument is missing; null: undefined.
};

StatementPtr textStatement(std::string text);
StatementPtr outputStatement(ExpressionPtr value, int line);

/// Branches in order; one without condition is the else.
StatementPtr ifStatement(std::vector<std::pair<ExpressionPtr, TemplateBody>> branches, int line);

/// A loop over the items for which the condition (or null) holds, and what an empty one runs.
StatementPtr forStatement(TargetNames names, ExpressionPtr items, ExpressionPtr condition,
                          TemplateBody body, TemplateBody otherwise, int line);
StatementPtr setStatement(TargetNames names, ExpressionPtr value, int line);

/// set NAMESPACE.MEMBER = value
StatementPtr setMemberStatement(std::string name, std::string member, ExpressionPtr value,
                                int line);

/// set NAME ... endset: what the body writes, through `filter` where there is one.
StatementPtr setBlockStatement(std::string name, TemplateBody body, int line);
StatementPtr macroStatement(std::string name, std::vector<MacroParameter> parameters,
                            TemplateBody body);

/// A body in a scope of its own, such as a generation block.
StatementPtr blockStatement(TemplateBody body);
StatementPtr flowStatement(Flow flow);

} // namespace headscope
