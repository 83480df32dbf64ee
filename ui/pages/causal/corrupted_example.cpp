#include "ui/pages/causal/corrupted_example.h"

#include "core/analysis/lens/next_token.h"
#include "core/text/chat/chat_input.h"

#include <algorithm>
#include <cctype>

namespace headscope::ui {

namespace {

constexpr int kCandidates = 24; ///< Predictions tried at one position.

/// Number of letters if the token is a word, perhaps after a space; otherwise 0.
std::size_t lettersOf(const std::string& bytes)
{
    const std::size_t first = !bytes.empty() && bytes.front() == ' ' ? 1 : 0;
    const auto isLetter = [](unsigned char c) { return c < 0x80 && std::isalpha(c); };
    return std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(first), bytes.end(), isLetter)
               ? bytes.size() - first
               : 0;
}

/// The text with another token at a position; empty when it is read as different tokens.
std::string withToken(const TokenSequence& tokens, std::size_t position, TokenId id,
                      const Tokenizer& tokenizer)
{
    const ByteRange place = tokens.tokens[position].bytes;
    std::string text = tokens.text;
    text.replace(place.begin, place.end - place.begin, tokenizer.tokenBytes(id));
    std::vector<TokenId> wanted = tokens.ids();
    wanted[position] = id;
    return tokenizer.encode(text, !isChat(tokens)).ids() == wanted ? text : std::string();
}

std::string replacedAt(const Trace& trace, const Tokenizer& tokenizer, std::size_t position,
                       std::size_t letters)
{
    const TokenSequence& tokens = trace.tokens();
    const Token& token = tokens.tokens[position];
    const std::string own = tokenizer.tokenBytes(token.id);
    if (token.special || token.turn == kTemplateTurn || lettersOf(own) < letters)
        return {};
    const auto before = static_cast<std::int64_t>(position) - 1;
    for (const Candidate& candidate : nextTokens(trace, before, kCandidates, nullptr)) {
        if (candidate.id == token.id || tokenizer.isSpecial(candidate.id))
            continue;
        const std::string other = tokenizer.tokenBytes(candidate.id);
        if (lettersOf(other) < letters || (other.front() == ' ') != (own.front() == ' '))
            continue;
        if (std::string text = withToken(tokens, position, candidate.id, tokenizer); !text.empty())
            return text;
    }
    return {};
}

} // namespace

QString corruptedExample(const ViewSnapshot& view)
{
    const Tokenizer* tokenizer = view.modelA.tokenizer.get();
    if (!view.a || !view.modelA.model || !tokenizer ||
        view.modelA.model->config().isEncoderDecoder() || !view.a->has({Site::Logits, 0}))
        return {};
    for (const std::size_t letters : {4, 3, 1}) // a word with a meaning, if there is one
        for (std::size_t position = 1; position + 1 < view.a->tokens().size(); ++position)
            if (const std::string text = replacedAt(*view.a, *tokenizer, position, letters);
                !text.empty())
                return QString::fromStdString(text);
    return {};
}

} // namespace headscope::ui
