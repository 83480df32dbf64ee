#pragma once

#include "core/tensor/tensor.h"

#include <filesystem>

namespace headscope {

/// Writes NumPy's array file, format 1.0: little-endian float32 in C order. Written atomically;
/// throws Error. numpy.load() reads it.
void saveNpy(const std::filesystem::path& path, const TensorView& values);

/// Reads a float32 array in C order of up to Shape::kMaxRank axes, formats 1.0 to 3.0. Throws
/// FormatError for everything else, before anything is allocated on the file's word.
Tensor loadNpy(const std::filesystem::path& path);

} // namespace headscope
