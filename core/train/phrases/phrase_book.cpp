#include "core/train/phrases/phrase_book.h"

#include "core/base/builtin_text.h"
#include "core/text/utf8.h"
#include "core/train/phrases/builtin_phrases.h"
#include "core/train/stories/story_words.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace headscope {

namespace {

using Rule = PhraseGrammar::Rule;

/// One use of a rule, with the uses inside it by symbol.
struct Use
{
    const Rule* rule = nullptr;
    std::string symbol;
    std::map<std::string, Use> inner;
};

Use sampleUse(const PhraseGrammar& grammar, const std::string& symbol, Random& random)
{
    Use use{&random.pick(grammar.rules.at(symbol)), symbol, {}};
    for (const std::string& inner : use.rule->symbols)
        use.inner.emplace(inner, sampleUse(grammar, inner, random));
    return use;
}

/// Calls `visit` with a use and all uses inside it, each with its number.
template<class Visit>
void forUses(const Use& use, int& number, const Visit& visit)
{
    visit(use, number++);
    for (const auto& [symbol, inner] : use.inner)
        forUses(inner, number, visit);
}

class PhraseWriter
{
public:
    explicit PhraseWriter(const Use& use)
    {
        int number = 0;
        forUses(use, number, [this](const Use& inner, int part) { m_parts[&inner] = part; });
    }

    std::vector<Phrase::Unit> write(const Use& use, const std::string& language)
    {
        m_units.clear();
        append(use, {}, language);
        return m_units;
    }

private:
    void append(const Use& use, const std::string& form, const std::string& language)
    {
        for (const auto& piece : PhraseGrammar::formOf(*use.rule, form, language)) {
            if (piece.symbol.empty())
                m_units.push_back({piece.literal, m_parts.at(&use)});
            else
                append(use.inner.at(piece.symbol), piece.form, language);
        }
    }

    std::map<const Use*, int> m_parts;
    std::vector<Phrase::Unit> m_units;
};

/// Names of the rules that a derivation uses for a symbol.
std::vector<std::string> namesOf(const Use& use, const std::string& symbol)
{
    std::vector<std::string> names;
    int number = 0;
    forUses(use, number, [&](const Use& inner, int) {
        if (inner.symbol == symbol)
            names.push_back(inner.rule->name);
    });
    return names;
}

bool hasHeldOutPair(const PhraseGrammar& grammar, const Use& use)
{
    for (const auto& [first, second] : grammar.heldOut) {
        for (const std::string& a : namesOf(use, first))
            for (const std::string& b : namesOf(use, second))
                if (isHeldOutPair(a, b))
                    return true;
    }
    return false;
}

Phrase phraseOf(const PhraseGrammar& grammar, const Use& use)
{
    PhraseWriter writer(use);
    return {writer.write(use, "en"), writer.write(use, "zh"), hasHeldOutPair(grammar, use)};
}

/// Finds the derivations of a sentence by trying every rule.
class Parser
{
public:
    struct Match
    {
        Use use;
        std::size_t end = 0; ///< Index of the word after it.
    };

    Parser(const PhraseGrammar& grammar, std::vector<std::string> words)
        : m_grammar(grammar)
        , m_words(std::move(words))
    {
    }

    std::optional<Use> parse() const
    {
        for (Match& match : matches(m_grammar.start, {}, 0)) {
            if (match.end == m_words.size())
                return std::move(match.use);
        }
        return std::nullopt;
    }

private:
    std::vector<Match> matches(const std::string& symbol, const std::string& form,
                               std::size_t begin) const
    {
        std::vector<Match> found;
        for (const Rule& rule : m_grammar.rules.at(symbol)) {
            std::vector<Match> open{{{&rule, symbol, {}}, begin}};
            for (const auto& piece : PhraseGrammar::formOf(rule, form, "en"))
                open = extended(open, piece);
            for (Match& match : open) {
                if (match.use.inner.size() == rule.symbols.size())
                    found.push_back(std::move(match));
            }
        }
        return found;
    }

    std::vector<Match> extended(const std::vector<Match>& open,
                                const PhraseGrammar::Piece& piece) const
    {
        std::vector<Match> longer;
        for (const Match& match : open) {
            if (piece.symbol.empty()) {
                if (match.end < m_words.size() && m_words[match.end] == piece.literal)
                    longer.push_back({match.use, match.end + 1});
                continue;
            }
            for (Match& inner : matches(piece.symbol, piece.form, match.end)) {
                longer.push_back({match.use, inner.end});
                longer.back().use.inner.emplace(piece.symbol, std::move(inner.use));
            }
        }
        return longer;
    }

    const PhraseGrammar& m_grammar;
    std::vector<std::string> m_words;
};

std::string joined(const std::vector<Phrase::Unit>& units, const char* between)
{
    std::string text;
    for (const Phrase::Unit& unit : units)
        text += (text.empty() ? "" : between) + unit.text;
    return text;
}

bool isChinese(const std::string& literal)
{
    return static_cast<unsigned char>(literal.front()) >= 0x80;
}

std::vector<std::string> literalsOf(const PhraseGrammar& grammar, bool chinese)
{
    std::set<std::string> found;
    for (const auto& [symbol, rules] : grammar.rules)
        for (const Rule& rule : rules)
            for (const auto& [name, form] : rule.forms)
                for (const auto& piece : form)
                    if (piece.symbol.empty() && isChinese(piece.literal) == chinese)
                        found.insert(piece.literal);
    return {found.begin(), found.end()};
}

} // namespace

std::string Phrase::sourceText() const
{
    return joined(source, " ");
}

std::string Phrase::targetText() const
{
    return joined(target, "");
}

std::vector<std::size_t> Phrase::alignedWords(std::size_t index) const
{
    std::vector<std::size_t> words;
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i].part == target.at(index).part)
            words.push_back(i);
    }
    return words;
}

PhraseBook::PhraseBook(PhraseGrammar grammar) : m_grammar(std::move(grammar)) {}

Phrase PhraseBook::sample(Random& random, bool isHeldOut) const
{
    for (;;) {
        const Use use = sampleUse(m_grammar, m_grammar.start, random);
        if (hasHeldOutPair(m_grammar, use) == isHeldOut)
            return phraseOf(m_grammar, use);
    }
}

std::optional<Phrase> PhraseBook::parse(std::string_view english) const
{
    std::istringstream stream{std::string(english)};
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    const std::optional<Use> use = Parser(m_grammar, std::move(words)).parse();
    return use ? std::optional(phraseOf(m_grammar, *use)) : std::nullopt;
}

std::vector<std::string> PhraseBook::words() const
{
    return literalsOf(m_grammar, false);
}

std::vector<std::string> PhraseBook::characters() const
{
    return literalsOf(m_grammar, true);
}

const PhraseBook& phraseBook()
{
    static const PhraseBook book(
        parsePhraseGrammar(builtinText(builtinPhrases(), "english-chinese")));
    return book;
}

std::vector<std::string> charactersOf(std::string_view text)
{
    std::vector<std::string> characters;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8CharacterAt(text, at).length;
        characters.emplace_back(text.substr(at, length));
        at += length;
    }
    return characters;
}

} // namespace headscope
