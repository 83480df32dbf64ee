#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// Printable character that stands for a byte in byte-level vocabularies (GPT-2's alphabet):
/// printable Latin-1 stands for itself, the other 68 bytes are U+0100 and following.
std::string_view byteSymbol(std::uint8_t byte);

/// All bytes, ordered by the code points of their symbols: the order of ids in a new vocabulary.
const std::array<std::uint8_t, 256>& bytesBySymbol();

std::string toByteSymbols(std::string_view bytes);

/// Inverse of toByteSymbols; nothing when a character is not in the alphabet.
std::optional<std::string> fromByteSymbols(std::string_view symbols);

} // namespace headscope
