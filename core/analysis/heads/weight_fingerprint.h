#pragma once

#include "core/model/model.h"

#include <cstdint>

namespace headscope {

/// A hash of the weights: of every parameter's name, shape and up to eight of its rows as floats,
/// and of its edits.
/// Independent of how a model was opened (floats, or memory-mapped).
std::uint64_t weightFingerprint(const Model& model);

} // namespace headscope
