#pragma once

// The choice of a kernel by the format of the weights, for the kernels of integer_linear_kernels.h.
// For sources that headscope_isa_sources compiles several times.

#include "core/model/weights/integer_codes.h"
#include "core/model/weights/integer_linear_kernels.h"

#include <utility>

namespace headscope {
namespace {

template<template<BlockFormat> class Kernel, BlockFormat Format>
bool multiplyWith(const IntegerProduct& product)
{
    if constexpr (multipliesIntegers(Format)) {
        Kernel<Format>::multiply(product);
        return true;
    }
    return false;
}

template<template<BlockFormat> class Kernel, std::size_t... Format>
bool multiplyOne(BlockFormat format, const IntegerProduct& product, std::index_sequence<Format...>)
{
    constexpr bool (*multiplies[])(const IntegerProduct&) = {
        multiplyWith<Kernel, static_cast<BlockFormat>(Format)>...};
    return multiplies[static_cast<std::size_t>(format)](product);
}

/// Calls Kernel<format>::multiply(product); false where integers do not multiply the format.
template<template<BlockFormat> class Kernel>
bool multiplyFormat(BlockFormat format, const IntegerProduct& product)
{
    return multiplyOne<Kernel>(format, product, std::make_index_sequence<kBlockFormats>());
}

} // namespace
} // namespace headscope
