#pragma once

#include "core/model/model.h"

#include <cstdint>

namespace headscope {

/// A number that changes with the weights: of every parameter's name, shape and up to eight of its
/// rows as floats. The same however a model was opened (floats, or where they are stored).
std::uint64_t weightFingerprint(const Model& model);

} // namespace headscope
