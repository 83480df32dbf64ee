#pragma once

#include "core/text/chat/template_value.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope {

class TemplateScope;
class TemplateRendering;

/// An expression of a template.
class TemplateExpression
{
public:
    virtual ~TemplateExpression() = default;
    virtual TemplateValue evaluate(TemplateScope& scope) const = 0;
};

using ExpressionPtr = std::unique_ptr<const TemplateExpression>;

/// How a statement ends: the loop around it goes on, ends, or starts its next round.
enum class Flow { On, Break, Continue };

/// A statement of a template: text, output, or a tag with its body.
class TemplateStatement
{
public:
    virtual ~TemplateStatement() = default;
    virtual Flow run(TemplateScope& scope) const = 0;
};

using StatementPtr = std::unique_ptr<const TemplateStatement>;

/// Statements one after another.
struct TemplateBody
{
    std::vector<StatementPtr> statements;

    Flow run(TemplateScope& scope) const;
};

} // namespace headscope
