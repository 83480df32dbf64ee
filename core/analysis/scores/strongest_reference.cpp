#include "core/analysis/scores/strongest_reference.h"

#include "core/analysis/heads/token_groups.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope {

namespace {

using Words = std::initializer_list<std::string_view>;

bool contains(Words words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool isPronoun(std::string_view word)
{
    return contains({"he", "her", "him", "it", "she", "them", "they"}, word);
}

bool isDeterminer(std::string_view word)
{
    return contains({"a", "an", "every", "his", "its", "my", "our", "that", "the", "their", "these",
                     "this", "those", "your"},
                    word);
}

bool joinsClauses(std::string_view word)
{
    return contains({"although", "and", "because", "but", "if", "or", "since", "so", "that",
                     "though", "until", "when", "while"},
                    word);
}

/// A word of a text with its role in a sentence.
struct Word
{
    TokenGroup tokens;
    std::string letters; ///< ASCII letters in lower case, other bytes unchanged.
    bool beginsClause = false;
    bool endsClause = false; ///< True where punctuation follows.
};

bool isPunctuation(char byte)
{
    return std::string_view(".,;:!?\"()").find(byte) != std::string_view::npos;
}

Word wordOf(const TokenSequence& tokens, TokenGroup group)
{
    Word word;
    for (const int index : group) {
        const Token& token = tokens.tokens[static_cast<std::size_t>(index)];
        const std::string_view text =
            std::string_view(tokens.text)
                .substr(token.bytes.begin, token.bytes.end - token.bytes.begin);
        for (const char byte : text) {
            if (isPunctuation(byte))
                word.endsClause = !word.letters.empty();
            else if (byte >= 'A' && byte <= 'Z')
                word.letters += static_cast<char>(byte - 'A' + 'a');
            else if (byte != ' ' && byte != '\n' && byte != '\t')
                word.letters += byte;
        }
    }
    word.tokens = std::move(group);
    return word;
}

std::vector<Word> wordsOf(const TokenSequence& tokens)
{
    std::vector<Word> words;
    for (TokenGroup& group : wordGroups(tokens, {.special = true})) {
        Word word = wordOf(tokens, std::move(group));
        word.beginsClause =
            words.empty() || words.back().endsClause || joinsClauses(words.back().letters);
        words.push_back(std::move(word));
    }
    return words;
}

bool isNoun(const std::vector<Word>& words, std::size_t index)
{
    return index > 0 && isDeterminer(words[index - 1].letters) &&
           !isDeterminer(words[index].letters) && !isPronoun(words[index].letters);
}

bool isSubject(const std::vector<Word>& words, std::size_t index)
{
    return isNoun(words, index) && words[index - 1].beginsClause;
}

/// Query and key positions of a pronoun and its possible antecedents.
using Pairs = std::vector<std::pair<int, int>>;

void addAntecedents(Pairs& pairs, const std::vector<Word>& words, std::size_t pronoun)
{
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(pronoun);
    const bool hasSubject = std::any_of(words.begin(), end, [&](const Word& word) {
        return isSubject(words, static_cast<std::size_t>(&word - words.data()));
    });
    const int query = words[pronoun].tokens.back();
    for (std::size_t index = 0; index < pronoun; ++index) {
        if (!(hasSubject ? isSubject(words, index) : isNoun(words, index)))
            continue;
        for (const int key : words[index].tokens)
            if (key < query - 1)
                pairs.emplace_back(query, key);
    }
}

Pairs pairsOf(const TokenSequence& tokens)
{
    const std::vector<Word> words = wordsOf(tokens);
    Pairs pairs;
    for (std::size_t index = 0; index < words.size(); ++index)
        if (isPronoun(words[index].letters))
            addAntecedents(pairs, words, index);
    return pairs;
}

} // namespace

std::optional<PronounReference> strongestReference(const Trace& trace)
{
    std::optional<PronounReference> best;
    for (const TraceKey pattern : trace.patternKeys()) {
        const AttentionKind kind = attentionOf(pattern);
        if (kind == AttentionKind::Cross)
            continue;
        const Pairs pairs = pairsOf(trace.queryTokens(kind));
        for (int head = 0; !pairs.empty() && head < trace.headsOf(pattern); ++head) {
            const auto weights = trace.findHead(pattern, head);
            for (const auto& [query, key] : pairs) {
                const float weight = weights->view()(query, key);
                if (!best || weight > best->weight)
                    best = {HeadId(kind, pattern.layer, head), query, key, weight};
            }
        }
    }
    return best;
}

} // namespace headscope
