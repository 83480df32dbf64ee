#pragma once

#include "core/text/chat/template_value.h"

namespace headscope {

using TemplateTest = bool (*)(const TemplateValue& value, const TemplateArguments& arguments);

/// Test of this name (value is name), or null.
TemplateTest testOfTemplate(std::string_view name);

} // namespace headscope
