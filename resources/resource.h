#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// The bytes of a file that was built into the program, by its path below resources/:
/// "models/stories/model.safetensors", "training/repeat.json". They live as long as the program.
std::optional<std::span<const std::byte>> resource(std::string_view path);

/// The same as text.
std::optional<std::string_view> resourceText(std::string_view path);

/// All of them, sorted.
std::vector<std::string> resourceNames();

/// Names NAME of models/NAME/model.safetensors, sorted.
std::vector<std::string> builtinModelNames();

/// Names NAME of training/NAME.json, sorted.
std::vector<std::string> builtinTrainingNames();

} // namespace headscope
