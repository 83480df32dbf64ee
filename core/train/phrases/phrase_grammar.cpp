#include "core/train/phrases/phrase_grammar.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/utf8.h"
#include "core/train/files/json_record.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

using nlohmann::json;
using Rules = std::map<std::string, std::vector<PhraseGrammar::Rule>>;

constexpr const char* kFile = "resources/phrases/english-chinese.json";

[[noreturn]] void refuse(const std::string& problem, const std::string& advice)
{
    throw FormatError(problem, kFile, std::nullopt, advice);
}

/// Splits "two {text.plural}" into words and references, "两{text.measure}" into characters.
class FormReader
{
public:
    explicit FormReader(std::string_view text) : m_text(text) {}

    PhraseGrammar::Form read()
    {
        for (std::size_t at = 0; at < m_text.size();)
            at = m_text[at] == '{' ? readReference(at) : readCharacter(at);
        endWord();
        return std::move(m_form);
    }

private:
    std::size_t readReference(std::size_t at)
    {
        endWord();
        const std::size_t end = m_text.find('}', at);
        if (end == std::string_view::npos)
            refuse(fmt::format("\"{}\" has no closing brace", m_text), "Add \"}\"");
        const std::string_view name = m_text.substr(at + 1, end - at - 1);
        const std::size_t dot = std::min(name.find('.'), name.size());
        m_form.push_back({{},
                          std::string(name.substr(0, dot)),
                          std::string(name.substr(std::min(dot + 1, name.size())))});
        return end + 1;
    }

    std::size_t readCharacter(std::size_t at)
    {
        const std::size_t length = utf8CharacterAt(m_text, at).length;
        if (m_text[at] == ' ' || length > 1)
            endWord();
        if (m_text[at] != ' ')
            m_word += m_text.substr(at, length);
        if (length > 1)
            endWord();
        return at + length;
    }

    void endWord()
    {
        if (!m_word.empty())
            m_form.push_back({std::move(m_word), {}, {}});
        m_word.clear();
    }

    std::string_view m_text;
    std::string m_word;
    PhraseGrammar::Form m_form;
};

std::set<std::string> symbolsOf(const PhraseGrammar::Form& form)
{
    std::set<std::string> symbols;
    for (const PhraseGrammar::Piece& piece : form) {
        if (!piece.symbol.empty())
            symbols.insert(piece.symbol);
    }
    return symbols;
}

PhraseGrammar::Rule readRule(const json& object, const std::string& symbol)
{
    PhraseGrammar::Rule rule;
    if (!object.is_object() || !object.contains("en") || !object.contains("zh"))
        refuse(fmt::format("a rule of \"{}\" has no \"en\" or no \"zh\"", symbol),
               "Give both as texts");
    for (const auto& [form, text] : object.items()) {
        if (!text.is_string() || text.get_ref<const std::string&>().empty())
            refuse(fmt::format("\"{}\" of a rule of \"{}\" is not a text", form, symbol),
                   "Give a text");
        rule.forms[form] = FormReader(text.get_ref<const std::string&>()).read();
    }
    rule.name = object["en"].get<std::string>();
    rule.symbols = symbolsOf(rule.forms["en"]);
    for (const auto& [form, pieces] : rule.forms) {
        const auto symbols = symbolsOf(pieces);
        if (!symbols.empty() && symbols != rule.symbols)
            refuse(fmt::format("form \"{}\" of \"{}\" refers to other symbols than \"en\"", form,
                               rule.name),
                   "Refer to the same symbols");
    }
    return rule;
}

Rules readRules(const JsonRecord& record)
{
    const json* const object = record.find("rules");
    if (object == nullptr || !object->is_object() || object->empty())
        record.refuse("rules", "an object of symbols, each with a list of rules");
    Rules rules;
    for (const auto& [symbol, list] : object->items()) {
        if (!list.is_array() || list.empty())
            refuse(fmt::format("\"{}\" has no rules", symbol), "Give a list of rules");
        for (const json& rule : list)
            rules[symbol].push_back(readRule(rule, symbol));
    }
    return rules;
}

const std::vector<PhraseGrammar::Rule>& rulesOf(const Rules& rules, const std::string& symbol)
{
    const auto found = rules.find(symbol);
    if (found == rules.end())
        refuse(fmt::format("there is no symbol \"{}\"", symbol), "Add it to \"rules\"");
    return found->second;
}

/// Length of the longest expansion of a symbol. `path`: symbols that contain it.
std::size_t longestOf(const Rules& rules, const std::string& symbol, const std::string& form,
                      const std::string& language, std::set<std::string> path)
{
    if (!path.insert(symbol).second)
        refuse(fmt::format("\"{}\" contains itself", symbol), "Remove the reference");
    std::size_t longest = 0;
    for (const PhraseGrammar::Rule& rule : rulesOf(rules, symbol)) {
        std::size_t length = 0;
        for (const PhraseGrammar::Piece& piece : PhraseGrammar::formOf(rule, form, language))
            length += piece.symbol.empty()
                          ? 1
                          : longestOf(rules, piece.symbol, piece.form, language, path);
        longest = std::max(longest, length);
    }
    return longest;
}

std::vector<std::pair<std::string, std::string>> readHeldOut(const JsonRecord& record,
                                                             const Rules& rules)
{
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const json& pair : record.list("held_out")) {
        if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string())
            record.refuse("held_out", "pairs of symbols");
        pairs.emplace_back(pair[0].get<std::string>(), pair[1].get<std::string>());
        rulesOf(rules, pairs.back().first);
        rulesOf(rules, pairs.back().second);
    }
    return pairs;
}

} // namespace

const PhraseGrammar::Form& PhraseGrammar::formOf(const Rule& rule, const std::string& form,
                                                 const std::string& language)
{
    const auto found = rule.forms.find(form.empty() ? language : form);
    if (found == rule.forms.end())
        refuse(fmt::format("\"{}\" has no form \"{}\"", rule.name, form), "Add it to the rule");
    return found->second;
}

std::size_t PhraseGrammar::longest(const std::string& language) const
{
    return longestOf(rules, start, {}, language, {});
}

PhraseGrammar parsePhraseGrammar(std::string_view text)
{
    const json root = parseJson(text, kFile);
    const JsonRecord record(root, "the grammar", {"start", "held_out", "rules"}, kFile);
    PhraseGrammar grammar;
    grammar.start = record.needed("start");
    grammar.rules = readRules(record);
    grammar.heldOut = readHeldOut(record, grammar.rules);
    grammar.longest("en"); // visits every reference, and refuses those that do not exist
    grammar.longest("zh");
    return grammar;
}

} // namespace headscope
