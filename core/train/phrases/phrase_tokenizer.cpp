#include "core/train/phrases/phrase_tokenizer.h"

#include "core/text/tokenizers/byte_alphabet.h"
#include "core/train/data/sequence_task.h"

#include <unordered_map>

namespace headscope {

namespace {

class VocabularyMaker
{
public:
    explicit VocabularyMaker(BpeVocabulary vocabulary) : m_vocabulary(std::move(vocabulary))
    {
        for (std::size_t id = 0; id < m_vocabulary.tokens.size(); ++id)
            m_ids.emplace(m_vocabulary.tokens[id], static_cast<TokenId>(id));
    }

    /// Words are looked up whole, so they need no merges.
    void addWord(const std::string& word) { idOf(toByteSymbols(word)); }

    /// First byte and second, then these and the third: never across two characters, because no
    /// character begins with the byte that continues another.
    void addCharacter(const std::string& character)
    {
        std::string left(byteSymbol(static_cast<std::uint8_t>(character.front())));
        for (const char byte : character.substr(1)) {
            const std::string right(byteSymbol(static_cast<std::uint8_t>(byte)));
            if (!m_ids.contains(left + right))
                m_vocabulary.merges.emplace_back(m_ids.at(left), m_ids.at(right));
            left += right;
            idOf(left);
        }
    }

    BpeVocabulary vocabulary() { return std::move(m_vocabulary); }

private:
    TokenId idOf(const std::string& symbols)
    {
        const auto next = static_cast<TokenId>(m_vocabulary.tokens.size());
        const auto [place, isNew] = m_ids.emplace(symbols, next);
        if (isNew)
            m_vocabulary.tokens.push_back(symbols);
        return place->second;
    }

    BpeVocabulary m_vocabulary;
    std::unordered_map<std::string, TokenId> m_ids;
};

} // namespace

std::shared_ptr<const BpeTokenizer> phraseTokenizer(const PhraseBook& book)
{
    BpeVocabulary bytes = sequenceTokenizer()->vocabulary();
    bytes.ignoreMerges = true;
    VocabularyMaker maker(std::move(bytes));
    for (const std::string& word : book.words()) {
        maker.addWord(word);
        maker.addWord(" " + word);
    }
    for (const std::string& character : book.characters())
        maker.addCharacter(character);
    return std::make_shared<const BpeTokenizer>(maker.vocabulary());
}

} // namespace headscope
