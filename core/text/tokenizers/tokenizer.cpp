#include "core/text/tokenizers/tokenizer.h"

#include "core/text/tokenizers/part_encoder.h"

#include <algorithm>

namespace headscope {

namespace {

/// Shorter texts are encoded at once.
constexpr std::size_t kLongText = std::size_t{256} << 10;

/// Tokens that encode adds before and after a text.
struct Around
{
    std::vector<Token> before;
    std::vector<Token> after;
};

std::optional<Around> tokensAround(const Tokenizer& tokenizer)
{
    const auto isAdded = [](const Token& token) {
        return token.special && token.bytes == ByteRange();
    };
    const std::vector<Token> all = tokenizer.encode("a").tokens;
    const auto first = std::ranges::find_if_not(all, isAdded);
    if (first == all.end())
        return std::nullopt; // before or after?
    const auto last = std::find_if_not(all.rbegin(), all.rend(), isAdded).base();
    return Around{{all.begin(), first}, {last, all.end()}};
}

} // namespace

void Tokenizer::encodeInto(std::string_view text, bool addSpecial, const TokenSink& sink) const
{
    const std::optional<Around> around = text.size() < kLongText ? std::nullopt
                                         : addSpecial            ? tokensAround(*this)
                                                                 : Around();
    if (!around) {
        std::ranges::for_each(encode(text, addSpecial).tokens, sink);
        return;
    }
    std::ranges::for_each(around->before, sink);
    PartEncoder(*this, text).run(sink);
    std::ranges::for_each(around->after, sink);
}

} // namespace headscope
