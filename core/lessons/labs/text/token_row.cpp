#include "core/lessons/labs/text/token_row.h"

#include "core/text/display_text.h"
#include "core/text/tokenizers/tokenizer.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::size_t kLongestRow = 60;

} // namespace

std::string spacesShown(std::string_view tokenBytes)
{
    std::string shown;
    for (const char byte : displayText(tokenBytes)) {
        if (byte == ' ')
            shown += "\u00B7";
        else
            shown += byte;
    }
    return shown;
}

double bytesPerToken(std::size_t bytes, std::size_t tokens)
{
    return tokens == 0 ? 0.0 : static_cast<double>(bytes) / static_cast<double>(tokens);
}

LabTokens::Row tokenRow(std::string name, const Tokenizer& tokenizer, const std::string& text,
                        bool asStored)
{
    const TokenSequence sequence = tokenizer.encode(text, false);
    LabTokens::Row row;
    row.name = std::move(name);
    for (const Token& token : sequence.tokens) {
        if (row.tokens.size() == kLongestRow)
            break;
        const std::string shown =
            asStored ? tokenizer.tokenText(token.id) : tokenizer.tokenBytes(token.id);
        row.tokens.push_back({spacesShown(shown), token.id,
                              static_cast<std::int64_t>(token.bytes.begin),
                              static_cast<std::int64_t>(token.bytes.end), false});
    }
    row.note = fmt::format("{} {}, {:.2f} bytes each", sequence.size(),
                           sequence.size() == 1 ? "token" : "tokens",
                           bytesPerToken(text.size(), sequence.size()));
    if (sequence.size() > kLongestRow)
        row.note = fmt::format("first {} of {}", kLongestRow, row.note);
    return row;
}

} // namespace headscope
