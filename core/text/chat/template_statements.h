#pragma once

#include "core/text/chat/template_syntax.h"

namespace headscope {

/// Names that a loop or an assignment gives values: one, or several that unpack a tuple.
using TargetNames = std::vector<std::string>;

struct MacroParameter
{
    std::string name;
    TemplateExpression other; ///< Value where the argument is missing; null: undefined.
};

TemplateStatement textStatement(std::string text);
TemplateStatement outputStatement(TemplateExpression value, int line);

/// Branches in order; one without condition is the else.
TemplateStatement ifStatement(std::vector<std::pair<TemplateExpression, TemplateBody>> branches,
                              int line);

/// A loop over the items for which the condition (or null) holds, and what an empty one runs.
TemplateStatement forStatement(TargetNames names, TemplateExpression items,
                               TemplateExpression condition, TemplateBody body,
                               TemplateBody otherwise, int line);
TemplateStatement setStatement(TargetNames names, TemplateExpression value, int line);

/// set NAMESPACE.MEMBER = value
TemplateStatement setMemberStatement(std::string name, std::string member, TemplateExpression value,
                                     int line);

/// set NAME ... endset: what the body writes, through `filter` where there is one.
TemplateStatement setBlockStatement(std::string name, TemplateBody body, int line);
TemplateStatement macroStatement(std::string name, std::vector<MacroParameter> parameters,
                                 TemplateBody body);

/// A body in a scope of its own, such as a generation block.
TemplateStatement blockStatement(TemplateBody body);
TemplateStatement flowStatement(Flow flow);

} // namespace headscope
