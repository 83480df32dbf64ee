#include "core/text/tokenizers/byte_tokens.h"

#include "core/text/tokenizers/word_model.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// Value of an upper-case hexadecimal digit, or 16.
unsigned digitOf(char character)
{
    if (character >= '0' && character <= '9')
        return static_cast<unsigned>(character - '0');
    return character >= 'A' && character <= 'F' ? static_cast<unsigned>(character - 'A') + 10 : 16;
}

} // namespace

ByteTokens::ByteTokens(const TokenTable& table)
{
    for (std::size_t byte = 0; byte < m_ids.size(); ++byte)
        m_ids[byte] = table.find(fmt::format("<0x{:02X}>", byte)).value_or(-1);
}

bool ByteTokens::append(std::string_view text, ByteRange bytes,
                        std::vector<WordToken>& tokens) const
{
    const std::size_t before = tokens.size();
    for (std::size_t at = bytes.begin; at < bytes.end; ++at) {
        const TokenId id = m_ids[static_cast<unsigned char>(text[at])];
        if (id < 0) {
            tokens.resize(before);
            return false;
        }
        tokens.push_back({id, {bytes.begin, at + 1 < bytes.end ? bytes.begin : bytes.end}});
    }
    return true;
}

std::optional<char> ByteTokens::byteOf(std::string_view token)
{
    if (token.size() != 6 || !token.starts_with("<0x") || !token.ends_with('>'))
        return std::nullopt;
    const unsigned high = digitOf(token[3]);
    const unsigned low = digitOf(token[4]);
    if (high > 15 || low > 15)
        return std::nullopt;
    return static_cast<char>(high * 16 + low);
}

} // namespace headscope
