#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// Types of GGUF metadata values, with the file's own numbers.
enum class GgufValueType : std::uint32_t {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    Bool,
    String,
    Array,
    U64,
    I64,
    F64
};

std::optional<GgufValueType> ggufValueType(std::uint32_t number);
std::size_t byteSize(GgufValueType type); ///< Size in bytes; 0 for strings and arrays.
std::string_view toString(GgufValueType type);

/// Storage of a tensor's elements: blocks along a row.
struct GgufTensorType
{
    std::uint32_t number = 0;
    std::string_view name; ///< Name such as "Q4_1".
    std::int64_t blockElements = 1;
    std::int64_t blockBytes = 1;
};

/// Finds a type by number; null for one that no version of the format defines.
const GgufTensorType* ggufTensorType(std::uint32_t number);

} // namespace headscope
