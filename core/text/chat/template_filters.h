#pragma once

#include "core/text/chat/template_value.h"

namespace headscope {

class TemplateScope;

using TemplateFilter = TemplateValue (*)(TemplateScope& scope, const TemplateValue& value,
                                         const TemplateArguments& arguments);

/// Filter of this name (value|name), or null.
TemplateFilter filterOfTemplate(std::string_view name);

} // namespace headscope
