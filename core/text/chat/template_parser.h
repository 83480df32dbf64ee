#pragma once

#include "core/text/chat/template_syntax.h"

namespace headscope {

/// Parses the Jinja that chat templates use: output, if, for (with loop controls), set, macro, raw
/// and generation blocks. Throws Error with `name` and the line for anything else, with what it is.
TemplateBody parseTemplate(std::string_view source, const std::string& name);

} // namespace headscope
