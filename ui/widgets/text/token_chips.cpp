#include "ui/widgets/text/token_chips.h"

#include "core/text/display_text.h"

#include <string>
#include <string_view>

namespace headscope::ui {
namespace {

/// Maximum number of tokens: one UTF-8 character has at most four bytes.
constexpr std::size_t kLongestGroup = 4;

bool isContinuation(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Length in bytes of the character starting with `lead`; 0 for a byte that starts none.
std::size_t characterLength(char lead)
{
    const auto byte = static_cast<unsigned char>(lead);
    if (byte < 0x80U)
        return 1;
    if (byte >= 0xC2U && byte <= 0xDFU)
        return 2;
    if (byte >= 0xE0U && byte <= 0xEFU)
        return 3;
    return byte >= 0xF0U && byte <= 0xF4U ? 4 : 0;
}

/// Number of bytes missing from the last character of `bytes`; 0 when it is complete or invalid.
std::size_t missingBytes(std::string_view bytes)
{
    std::size_t start = bytes.size();
    while (start > 0 && bytes.size() - start < 3 && isContinuation(bytes[start - 1]))
        --start;
    if (start == 0)
        return 0;
    const std::size_t length = characterLength(bytes[start - 1]);
    const std::size_t present = bytes.size() - start + 1;
    return length > present ? length - present : 0;
}

bool isReadable(std::string_view bytes)
{
    return displayText(bytes).find("<0x") == std::string::npos ||
           bytes.find("<0x") != std::string_view::npos;
}

/// Number of tokens from `first` on that only together form whole characters; 1 when they never do.
std::size_t groupLength(const std::vector<std::string>& bytes, const TokenSequence& tokens,
                        std::size_t first)
{
    std::string joined = bytes[first];
    std::size_t length = 1;
    while (missingBytes(joined) > 0 && length < kLongestGroup && first + length < bytes.size() &&
           !tokens.tokens[first + length].special) {
        joined += bytes[first + length];
        ++length;
    }
    return missingBytes(joined) == 0 && isReadable(joined) ? length : 1;
}

QString readable(std::string_view bytes)
{
    return QString::fromStdString(displayText(bytes));
}

} // namespace

std::vector<TokenChip> tokenChips(const TokenSequence& tokens, const Tokenizer& tokenizer)
{
    std::vector<std::string> bytes;
    bytes.reserve(tokens.size());
    for (const Token& token : tokens.tokens)
        bytes.push_back(tokenizer.tokenBytes(token.id));

    std::vector<TokenChip> chips(tokens.size());
    for (std::size_t first = 0; first < chips.size();) {
        const std::size_t length =
            tokens.tokens[first].special ? 1 : groupLength(bytes, tokens, first);
        std::string joined;
        for (std::size_t piece = 0; piece < length; ++piece) {
            const Token& token = tokens.tokens[first + piece];
            TokenChip& chip = chips[first + piece];
            chip.id = token.id;
            chip.bytes = token.bytes;
            chip.special = token.special;
            chip.turn = token.turn;
            chip.joinsPrevious = piece > 0;
            chip.rawText = readable(bytes[first + piece]);
            joined += bytes[first + piece];
        }
        chips[first].text = readable(joined);
        first += length;
    }
    return chips;
}

QStringList tokenLabels(const std::vector<TokenChip>& chips)
{
    QStringList labels;
    QString character;
    for (const TokenChip& chip : chips) {
        if (!chip.joinsPrevious)
            character = chip.text.trimmed().isEmpty() ? chip.text : chip.text.trimmed();
        labels.append(character);
    }
    return labels;
}

} // namespace headscope::ui
