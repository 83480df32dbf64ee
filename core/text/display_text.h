#pragma once

#include <string>
#include <string_view>

namespace headscope {

/// How a person reads a token: printable text as it is, a lone space as a middle dot, bytes that are
/// no valid UTF-8 as <0xE2>, control characters by their Unicode pictures.
std::string displayText(std::string_view tokenBytes);

} // namespace headscope
