#pragma once

#include <array>
#include <cstdint>

/// Colours as 0xAARRGGBB. depth and balance are lightness-linear in OKLab; balance has its zero at
/// entry 127. viridis and magma (Smith, van der Walt 2015) and cividis (Nunez, Anderton, Renslow
/// 2018) were published under CC0.
namespace headscope::ui::tables {

extern const std::array<std::uint32_t, 256> kDepthLight;
extern const std::array<std::uint32_t, 256> kDepthDark;
extern const std::array<std::uint32_t, 255> kBalanceLight;
extern const std::array<std::uint32_t, 255> kBalanceDark;
extern const std::array<std::uint32_t, 256> kViridis;
extern const std::array<std::uint32_t, 256> kCividis;
extern const std::array<std::uint32_t, 256> kMagma;

} // namespace headscope::ui::tables
