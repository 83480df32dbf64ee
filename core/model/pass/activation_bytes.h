#pragma once

#include <cstdint>

namespace headscope {

struct ModelProgram;

/// Bytes of the activations and their gradients that a forward and a backward pass retain for so many
/// tokens. Patterns and logits, which not every such pass retains, are not counted.
std::int64_t activationBytes(const ModelProgram& program, std::int64_t tokens,
                             std::int64_t sourceTokens = 0);

} // namespace headscope
