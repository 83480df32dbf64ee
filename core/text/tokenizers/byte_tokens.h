#pragma once

#include "core/text/tokenizers/word_model.h"

#include <array>
#include <optional>

namespace headscope {

/// Ids of the 256 tokens <0x00> ... <0xFF>; -1 where there is none. Other hexadecimal spellings are
/// not byte tokens.
class ByteTokens
{
public:
    ByteTokens() { m_ids.fill(-1); }

    explicit ByteTokens(const TokenTable& table);

    /// Appends one token per byte; as in SentencePiece, the last one stands for all of `bytes` and
    /// the others for none. False, and nothing is added, when one is missing.
    bool append(std::string_view text, ByteRange bytes, std::vector<WordToken>& tokens) const;

    /// Byte of "<0x41>".
    static std::optional<char> byteOf(std::string_view token);

private:
    std::array<TokenId, 256> m_ids;
};

} // namespace headscope
