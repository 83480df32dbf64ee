#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace headscope {

/// The step in the name of a checkpoint: "step-1000", "global_step1000", "checkpoint-500",
/// "iter_0001000", "step1000-tokens4B", "model.step_2000.gguf". None without such a number.
std::optional<std::int64_t> stepInName(std::string_view name);

} // namespace headscope
