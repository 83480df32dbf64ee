#pragma once

#include "core/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace headscope {

enum class DataType { F32, F64, F16, BF16, F8_E4M3, F8_E5M2, I64, I32, I16, I8, U8, Bool };

std::size_t byteSize(DataType type);
std::string_view toString(DataType type); ///< Text such as "F32".
std::optional<DataType> dataTypeNamed(std::string_view name);

/// A tensor inside a safetensors file: its type, shape and bytes, not copied.
struct StoredTensor
{
    DataType type = DataType::F32;
    std::vector<std::int64_t> shape; ///< Extents of any rank.
    std::span<const std::byte> bytes;

    std::int64_t elementCount() const;
    std::vector<float> toFloats() const; ///< Any type; exact except for I64 beyond 2^24.
    std::vector<double> toDoubles() const;
    std::vector<std::int64_t>
    toIntegers() const;      ///< Integer types and Bool only; throws Error otherwise.
    Tensor toTensor() const; ///< As float32; throws ShapeError beyond rank 5.
};

} // namespace headscope
