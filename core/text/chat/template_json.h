#pragma once

#include "core/text/chat/template_value.h"

namespace headscope {

/// JSON as Python's json.dumps writes it without escaping letters. `indent` < 0: one line.
TurnText jsonOfTemplate(const TemplateValue& value, int indent, const std::string& itemSeparator,
                        const std::string& keySeparator, bool sortKeys);

} // namespace headscope
