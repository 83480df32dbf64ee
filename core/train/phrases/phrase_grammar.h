#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope {

/// Synchronous context-free grammar (Aho, Ullman 1972): every rule writes both languages at once.
/// File: resources/phrases/english-chinese.json.
struct PhraseGrammar
{
    /// A literal word or Chinese character, or a reference to another symbol.
    struct Piece
    {
        std::string literal; ///< Empty for a reference.
        std::string symbol;  ///< Empty for a literal.
        std::string form;    ///< Form of the symbol; empty: the form of the language.
    };

    using Form = std::vector<Piece>;

    /// One way to rewrite a symbol. Forms "en" and "zh" are required; others, such as "plural", are
    /// used where a reference names them.
    struct Rule
    {
        std::string name;              ///< The text of form "en".
        std::set<std::string> symbols; ///< Symbols that "en" refers to.
        std::map<std::string, Form> forms;
    };

    std::string start;
    /// Pairs of symbols whose rules are not all combined in training.
    std::vector<std::pair<std::string, std::string>> heldOut;
    std::map<std::string, std::vector<Rule>> rules; ///< By symbol.

    /// Pieces of a form of a rule: of reference `form`, or of the language if it is empty.
    static const Form& formOf(const Rule& rule, const std::string& form,
                              const std::string& language);

    /// Largest number of words ("en") or characters ("zh") of a sentence.
    std::size_t longest(const std::string& language) const;
};

/// Throws a one-sentence FormatError with the file and the symbol: for a key that is unknown,
/// missing or of the wrong type, a reference to a symbol or form that does not exist, symbols that
/// only "zh" refers to, and a symbol that contains itself.
PhraseGrammar parsePhraseGrammar(std::string_view text);

} // namespace headscope
