#pragma once

#include <string>
#include <string_view>

namespace headscope {

/// Displayed form of a token: printable text unchanged, a lone space as a middle dot, invalid UTF-8
/// as <0xE2>, control characters as their Unicode symbols.
std::string displayText(std::string_view tokenBytes);

} // namespace headscope
