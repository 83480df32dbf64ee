#pragma once

#include "core/text/chat/template_value.h"

#include <functional>
#include <string>
#include <vector>

namespace headscope {

class TemplateScope;
class TemplateRendering;

/// An expression of a template: computes its value.
using TemplateExpression = std::function<TemplateValue(TemplateScope& scope)>;

/// How a statement ends: the loop around it goes on, ends, or starts its next round.
enum class Flow { On, Break, Continue };

/// A statement of a template: text, output, or a tag with its body.
using TemplateStatement = std::function<Flow(TemplateScope& scope)>;

/// Statements one after another.
struct TemplateBody
{
    std::vector<TemplateStatement> statements;

    Flow run(TemplateScope& scope) const;
};

} // namespace headscope
