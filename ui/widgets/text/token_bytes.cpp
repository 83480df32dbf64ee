#include "ui/widgets/text/token_bytes.h"

#include "ui/widgets/text/token_chips.h"

#include <string>
#include <vector>

namespace headscope::ui {

namespace {

bool isContinuation(const std::string& text, std::size_t place)
{
    return place < text.size() && (static_cast<unsigned char>(text[place]) & 0xC0U) == 0x80U;
}

} // namespace

ByteRange editableBytes(const TokenSequence& tokens, const Tokenizer& tokenizer, int index)
{
    if (index < 0 || index >= static_cast<int>(tokens.size()))
        return {};
    const std::vector<TokenChip> chips = tokenChips(tokens, tokenizer);
    auto first = static_cast<std::size_t>(index);
    while (first > 0 && chips[first].joinsPrevious)
        --first;
    std::size_t last = static_cast<std::size_t>(index);
    while (last + 1 < chips.size() && chips[last + 1].joinsPrevious)
        ++last;
    ByteRange range{chips[first].bytes.begin, chips[last].bytes.end};
    if (range.begin == range.end || range.end > tokens.text.size())
        return {};
    while (range.begin > 0 && isContinuation(tokens.text, range.begin))
        --range.begin;
    while (isContinuation(tokens.text, range.end))
        ++range.end;
    return range;
}

} // namespace headscope::ui
