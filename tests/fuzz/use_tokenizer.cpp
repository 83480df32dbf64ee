#include "tests/fuzz/use_tokenizer.h"

#include "core/text/display_text.h"
#include "tests/fuzz/promise.h"

namespace headscope::fuzz {

namespace {

void requireSound(const Tokenizer& tokenizer, const TokenSequence& sequence)
{
    for (const Token& token : sequence.tokens) {
        require(token.bytes.begin <= token.bytes.end, "a token that ends before it begins");
        require(token.bytes.end <= sequence.text.size(), "a token outside of its text");
        displayText(tokenizer.tokenBytes(token.id)); // throws for an id that is none
        require(!tokenizer.tokenText(token.id).empty() || token.special, "a token without a name");
        tokenizer.isSpecial(token.id);
    }
}

} // namespace

bool encodes(const Tokenizer& tokenizer, std::string_view text)
{
    return accepts({}, [&] {
        const TokenSequence sequence = tokenizer.encode(text);
        require(sequence.text == text, "a text that encoding changed");
        requireSound(tokenizer, sequence);
        const std::vector<TokenId> ids = sequence.ids();
        tokenizer.decode(ids);
        tokenizer.decode(ids, true);
    });
}

void useTokenizer(const Tokenizer& tokenizer)
{
    require(tokenizer.vocabularySize() > 0, "a tokenizer without a token");
    require(!tokenizer.kind().empty(), "a tokenizer of no kind");
    for (const std::string_view text :
         {"", " ", "The cat's 123 hats.\r\n\tIt's", "<s>aa</s> [UNK]<0x41>",
          "e\xCC\x81 \xE6\x97\xA5\xE6\x9C\xAC \xF0\x9F\x99\x82\xEF\xB7\xBA",
          "\xFF\xC3 \xED\xA0\x80 a"})
        encodes(tokenizer, text);
    if (const std::optional<TokenId> end = tokenizer.endOfText())
        tokenizer.tokenText(*end);
}

} // namespace headscope::fuzz
