#pragma once

#include <optional>
#include <string_view>

namespace headscope {

/// The text of resources/training/NAME.json, which the build takes in.
std::optional<std::string_view> builtinConfigText(std::string_view name);

} // namespace headscope
