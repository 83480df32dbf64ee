#pragma once

#include "core/text/chat/template_value.h"

#include <optional>

namespace headscope {

/// Method of a text or a mapping ("strip", "items" ...), bound to it; nothing for an unknown name.
/// Methods that change their object do not exist: templates are rendered in an immutable sandbox.
std::optional<TemplateValue> methodOfTemplate(const TemplateValue& object, std::string_view name);

/// `text` without the characters of `characters` (default: white space) at its sides.
TurnText strippedText(const TurnText& text, bool left, bool right,
                      const std::string* characters = nullptr);

/// `text` with `from` replaced by `to`, at most `count` times (negative: always).
TurnText replacedText(const TurnText& text, const std::string& from, const TurnText& to,
                      std::int64_t count = -1);

std::string upperText(const std::string& text);
std::string lowerText(const std::string& text);
std::string capitalizedText(const std::string& text); ///< First letter upper, others lower case.
std::string titledText(const std::string& text);      ///< First letter of every word upper case.

} // namespace headscope
