#include "core/text/tokenizers/part_encoder.h"

#include <algorithm>

namespace headscope {

namespace {

constexpr std::size_t kPartBytes = std::size_t{64} << 10;
constexpr std::size_t kOverlap = std::size_t{8} << 10;
constexpr std::size_t kEndMargin = std::size_t{2} << 10; ///< Tokens that the end of a part affects.
constexpr std::size_t kAgreement = std::size_t{3} << 10;

} // namespace

void PartEncoder::run(const Tokenizer::TokenSink& sink) const
{
    std::size_t bytes = kPartBytes;
    Part part = encoded(0, bytes + kOverlap);
    const auto pass = [&](std::size_t end) {
        for (; part.first < end; ++part.first)
            sink(part.tokens[part.first]);
    };
    while (part.end < m_text.size()) {
        const std::optional<std::size_t> begin = nextBegin(part);
        Part next = begin ? encoded(*begin, kPartBytes + kOverlap) : Part();
        if (begin && join(part, next)) {
            pass(part.tokens.size());
            part = std::move(next);
            bytes = kPartBytes;
            continue;
        }
        bytes *= 2; // once more, longer
        const std::size_t done = part.first == 0 ? 0 : part.tokens[part.first].bytes.begin;
        part = encoded(part.begin, bytes + kOverlap);
        while (part.first < part.tokens.size() && part.tokens[part.first].bytes.begin < done)
            ++part.first;
    }
    pass(part.tokens.size());
}

PartEncoder::Part PartEncoder::encoded(std::size_t begin, std::size_t bytes) const
{
    Part part;
    part.begin = begin;
    part.end = characterAt(std::min(begin + bytes, m_text.size()));
    part.tokens = m_tokenizer.encode(m_text.substr(begin, part.end - begin), false).tokens;
    for (Token& token : part.tokens)
        token.bytes = {token.bytes.begin + begin, token.bytes.end + begin};
    return part;
}

/// The position, or the begin of the character that it is inside of.
std::size_t PartEncoder::characterAt(std::size_t position) const
{
    for (int i = 0; i < 3 && position > 0 && position < m_text.size(); ++i) {
        if ((m_text[position] & 0xC0) != 0x80)
            break;
        --position;
    }
    return position;
}

/// Where the next part may begin: at a token of this one, before their overlap; best before a space
/// that follows something else, where no word is cut.
std::optional<std::size_t> PartEncoder::nextBegin(const Part& part) const
{
    const auto isSpaceAt = [&](std::size_t at) { return m_text[at] == ' '; };
    std::optional<std::size_t> best;
    for (std::size_t i = part.tokens.size(); i-- > part.first;) {
        const std::size_t at = part.tokens[i].bytes.begin;
        if (at + kOverlap > part.end || at <= part.begin || characterAt(at) != at)
            continue;
        if (at + 2 * kOverlap < part.end)
            break;
        if (isSpaceAt(at) && !isSpaceAt(at - 1))
            return at;
        if (!best)
            best = at;
    }
    return best;
}

/// Cuts both parts at the first token from which on they agree; false if they do not.
bool PartEncoder::join(Part& part, Part& next) const
{
    const std::size_t limit = part.end - kEndMargin;
    const auto isWithin = [&](const Token& token) { return token.bytes.end <= limit; };
    auto left = std::find_if(part.tokens.rbegin(), part.tokens.rend(), isWithin);
    auto right = std::find_if(next.tokens.rbegin(), next.tokens.rend(), isWithin);
    const std::size_t agreed = static_cast<std::size_t>(
        std::mismatch(left, part.tokens.rend(), right, next.tokens.rend()).first - left);
    const auto end = static_cast<std::size_t>(part.tokens.rend() - left);
    if (agreed == 0 || end - agreed < part.first ||
        part.tokens[end - agreed].bytes.begin + kAgreement > limit)
        return false;
    next.first = static_cast<std::size_t>(next.tokens.rend() - right) - agreed;
    part.tokens.resize(end - agreed);
    return true;
}

} // namespace headscope
