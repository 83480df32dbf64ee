#include "core/io/gguf/gguf_types.h"

#include "core/tensor/block_format.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace headscope {

namespace {

struct ValueKind
{
    std::string_view name;
    std::size_t bytes;
};

/// Kinds of values by their number.
constexpr std::array<ValueKind, 13> kValueKinds{{{"U8", 1},
                                                 {"I8", 1},
                                                 {"U16", 2},
                                                 {"I16", 2},
                                                 {"U32", 4},
                                                 {"I32", 4},
                                                 {"F32", 4},
                                                 {"BOOL", 1},
                                                 {"STRING", 0},
                                                 {"ARRAY", 0},
                                                 {"U64", 8},
                                                 {"I64", 8},
                                                 {"F64", 8}}};

/// Types that ggml also writes but that are not supported here.
constexpr GgufTensorType kOtherTypes[] = {
    {9, "Q8_1", 32, 36},    {15, "Q8_K", 256, 292}, {24, "I8", 1, 1},     {25, "I16", 1, 2},
    {26, "I32", 1, 4},      {27, "I64", 1, 8},      {28, "F64", 1, 8},    {34, "TQ1_0", 256, 54},
    {35, "TQ2_0", 256, 66}, {40, "NVFP4", 64, 36},  {41, "Q1_0", 128, 18}};

constexpr auto kTensorTypes = [] {
    std::array<GgufTensorType, kBlockFormats + std::size(kOtherTypes)> types;
    auto next =
        std::ranges::transform(kBlockLayouts, types.begin(), [](const BlockLayout& layout) {
            return GgufTensorType{layout.ggmlType, layout.name, layout.values, layout.bytes};
        }).out;
    std::ranges::copy(kOtherTypes, next);
    return types;
}();

} // namespace

std::optional<GgufValueType> ggufValueType(std::uint32_t number)
{
    if (number >= kValueKinds.size())
        return std::nullopt;
    return static_cast<GgufValueType>(number);
}

std::size_t byteSize(GgufValueType type)
{
    return kValueKinds[static_cast<std::size_t>(type)].bytes;
}

std::string_view toString(GgufValueType type)
{
    return kValueKinds[static_cast<std::size_t>(type)].name;
}

const GgufTensorType* ggufTensorType(std::uint32_t number)
{
    const auto* const found = std::ranges::find(kTensorTypes, number, &GgufTensorType::number);
    return found == kTensorTypes.end() ? nullptr : found;
}

} // namespace headscope
