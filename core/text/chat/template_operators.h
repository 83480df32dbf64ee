#pragma once

#include "core/text/chat/template_value.h"

#include <optional>

namespace headscope {

/// Result of an arithmetic sign on two values, as in Python; "~" joins their texts. Throws Error for
/// operands that do not go together and for a division by zero.
TemplateValue computeTemplate(std::string_view sign, const TemplateValue& left,
                              const TemplateValue& right);

/// True where `left sign right` holds: ==, !=, <, <=, >, >=, in, not in.
bool compareTemplate(std::string_view sign, const TemplateValue& left, const TemplateValue& right);

/// Item of a list or text at an index (negative: from the end), or member of a mapping; nothing
/// where it does not exist.
std::optional<TemplateValue> itemOfTemplate(const TemplateValue& object, const TemplateValue& key);

/// Python's slice of a list or a text.
TemplateValue sliceTemplate(const TemplateValue& object, std::optional<std::int64_t> begin,
                            std::optional<std::int64_t> end, std::int64_t step);

} // namespace headscope
