#pragma once

#include "core/base/random.h"
#include "core/train/phrases/phrase_grammar.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// An English sentence and its Chinese translation, as one derivation of the grammar wrote them.
struct Phrase
{
    /// A word of the source or a character of the target.
    struct Unit
    {
        std::string text;
        int part = 0; ///< Number of the rule's use that wrote it, common to both languages.
    };

    std::vector<Unit> source;
    std::vector<Unit> target;
    bool isHeldOut = false; ///< True if it has a combination that no training sentence has.

    std::string sourceText() const; ///< Words with single spaces.
    std::string targetText() const; ///< Characters without spaces.

    /// Positions of the words that target character `index` translates: those written by the same
    /// use of a rule. Empty where the English has no such word.
    std::vector<std::size_t> alignedWords(std::size_t index) const;
};

/// Sentences of a grammar. Held out are combinations: sentences in which two rules meet whose names
/// isHeldOutPair() selects (one pair in ten), for the pairs of symbols that the grammar lists.
class PhraseBook
{
public:
    explicit PhraseBook(PhraseGrammar grammar); ///< One of parsePhraseGrammar().

    /// A sentence of training, or one that is held out; each rule of a symbol equally often before
    /// that choice.
    Phrase sample(Random& random, bool isHeldOut) const;

    /// The sentence with these words, or nothing if the grammar has none.
    std::optional<Phrase> parse(std::string_view english) const;

    std::size_t longestSource() const { return m_grammar.longest("en"); }

    std::size_t longestTarget() const { return m_grammar.longest("zh"); }

    std::vector<std::string> words() const;      ///< English words, sorted.
    std::vector<std::string> characters() const; ///< Chinese characters, sorted.

private:
    PhraseGrammar m_grammar;
};

/// The phrase book of resources/phrases/english-chinese.json.
const PhraseBook& phraseBook();

/// The characters of a text: units of BLEU for Chinese.
std::vector<std::string> charactersOf(std::string_view text);

} // namespace headscope
