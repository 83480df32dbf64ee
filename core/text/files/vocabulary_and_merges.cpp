#include "core/text/files/vocabulary_and_merges.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/files/bpe_vocabulary_json.h"

#include <algorithm>
#include <unordered_set>

namespace headscope {

namespace {

bool isSpecialText(std::string_view token)
{
    return token.size() > 2 && ((token.front() == '<' && token.back() == '>') ||
                                (token.front() == '[' && token.back() == ']'));
}

void readMerges(std::string_view text, const std::string& where, BpeVocabulary& vocabulary)
{
    const MergeReader reader(vocabulary.tokens, where);
    bool first = true;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        const bool isHeader = first && line.starts_with("#version");
        if (!line.empty() && !isHeader)
            vocabulary.merges.push_back(reader.fromLine(line));
        first = false;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void findSpecialTokens(BpeVocabulary& vocabulary)
{
    std::unordered_set<std::string> made;
    for (const auto& [left, right] : vocabulary.merges)
        made.insert(vocabulary.tokens[static_cast<std::size_t>(left)] +
                    vocabulary.tokens[static_cast<std::size_t>(right)]);
    for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id) {
        const std::string& token = vocabulary.tokens[id];
        if (isSpecialText(token) && made.count(token) == 0)
            vocabulary.addedTokens.push_back({static_cast<TokenId>(id), token, true, false});
    }
}

} // namespace

std::shared_ptr<const BpeTokenizer> parseVocabularyAndMerges(std::string_view vocabularyJson,
                                                             std::string_view merges,
                                                             const std::string& where)
{
    BpeVocabulary vocabulary;
    vocabulary.tokens = tokensById(parseJson(vocabularyJson, where), {}, where);
    readMerges(merges, where, vocabulary);
    findSpecialTokens(vocabulary);
    return makeTokenizer(std::move(vocabulary), where);
}

} // namespace headscope
