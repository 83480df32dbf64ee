#include "core/analysis/derivation/token_alignment.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace headscope {

std::vector<AlignedTokens> alignTokens(std::span<const TokenId> a, std::span<const TokenId> b)
{
    // longest[i][j]: longest common subsequence of a from i and b from j
    const std::size_t width = b.size() + 1;
    std::vector<std::uint16_t> longest((a.size() + 1) * width, 0);
    for (std::size_t i = a.size(); i-- > 0;) {
        for (std::size_t j = b.size(); j-- > 0;) {
            longest[i * width + j] =
                a[i] == b[j] ? static_cast<std::uint16_t>(longest[(i + 1) * width + j + 1] + 1)
                             : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
        }
    }
    std::vector<AlignedTokens> lines;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() || j < b.size()) {
        const bool both = i < a.size() && j < b.size();
        if (both && a[i] == b[j])
            lines.push_back({static_cast<int>(i++), static_cast<int>(j++)});
        else if (i < a.size() &&
                 (j == b.size() || longest[(i + 1) * width + j] >= longest[i * width + j + 1]))
            lines.push_back({static_cast<int>(i++), std::nullopt});
        else
            lines.push_back({std::nullopt, static_cast<int>(j++)});
    }
    return lines;
}

namespace {

/// Numbers that are equal exactly for tokens that belong together.
class Keys
{
public:
    std::vector<TokenId> of(const TokenSequence& tokens, AlignmentKind kind)
    {
        std::vector<TokenId> keys;
        for (const Token& token : tokens.tokens)
            keys.push_back(numberOf(nameOf(tokens, token, kind)));
        return keys;
    }

private:
    static std::string nameOf(const TokenSequence& tokens, const Token& token, AlignmentKind kind)
    {
        const std::size_t end = std::min(token.bytes.end, tokens.text.size());
        const std::size_t begin = std::min(token.bytes.begin, end);
        if (token.special && begin == end)
            return "special";
        if (kind == AlignmentKind::Ends)
            return std::to_string(end);
        const std::string bytes = tokens.text.substr(begin, end - begin);
        // some vocabularies keep the space, some do not
        const std::size_t letter = bytes.find_first_not_of(' ');
        return "text " + (letter == std::string::npos ? bytes : bytes.substr(letter));
    }

    TokenId numberOf(const std::string& name)
    {
        return m_numbers.emplace(name, static_cast<TokenId>(m_numbers.size())).first->second;
    }

    std::map<std::string, TokenId> m_numbers;
};

} // namespace

AlignmentKind alignmentKind(const TokenSequence& a, const TokenSequence& b, bool sameVocabulary)
{
    if (sameVocabulary)
        return AlignmentKind::Ids;
    return a.text == b.text ? AlignmentKind::Ends : AlignmentKind::Texts;
}

std::vector<AlignedTokens> alignTokens(const TokenSequence& a, const TokenSequence& b,
                                       AlignmentKind kind)
{
    if (kind == AlignmentKind::Ids)
        return alignTokens(a.ids(), b.ids());
    Keys keys;
    const std::vector<TokenId> first = keys.of(a, kind);
    return alignTokens(first, keys.of(b, kind));
}

bool haveSameVocabulary(const Tokenizer& a, const Tokenizer& b)
{
    if (&a == &b)
        return true;
    if (a.vocabularySize() != b.vocabularySize())
        return false;
    for (std::size_t id = 0; id < a.vocabularySize(); ++id)
        if (a.tokenText(static_cast<TokenId>(id)) != b.tokenText(static_cast<TokenId>(id)))
            return false;
    return true;
}

double alignedDivergence(TensorView a, TensorView b, std::span<const AlignedTokens> lines)
{
    double sum = 0.0;
    int queries = 0;
    for (const AlignedTokens& line : lines) {
        const bool outside = line.a.value_or(-1) >= a.shape[0] || line.b.value_or(-1) >= b.shape[0];
        if (outside)
            throw ShapeError("tokens outside a pattern", "divergence");
        if (!line.a || !line.b)
            continue;
        ++queries;
        for (const AlignedTokens& key : lines) {
            const double before = key.a ? double{a(*line.a, *key.a)} : 0.0;
            const double after = key.b ? double{b(*line.b, *key.b)} : 0.0;
            sum += std::abs(after - before) / 2.0;
        }
    }
    return queries == 0 ? 0.0 : sum / queries;
}

} // namespace headscope
