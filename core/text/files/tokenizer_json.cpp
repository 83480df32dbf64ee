#include "core/text/files/tokenizer_json.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/files/bpe_vocabulary_json.h"
#include "core/text/files/decoder_json.h"
#include "core/text/files/model_json.h"
#include "core/text/files/normalizer_json.h"
#include "core/text/files/post_processor_json.h"
#include "core/text/files/pretokenizer_json.h"
#include "core/text/tokenizers/byte_alphabet.h"
#include "core/text/tokenizers/pipeline_tokenizer.h"

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

using nlohmann::json;

namespace {

/// Builds a tokenizer from one tokenizer.json.
class TokenizerJson
{
public:
    TokenizerJson(const json& root, const std::string& where) : m_root(root, "tokenizer", where)
    {
        // Texts longer than "truncation" are not truncated; nothing is padded.
        m_root.allow({"version", "truncation", "padding", "added_tokens", "normalizer",
                      "pre_tokenizer", "post_processor", "decoder", "model"});
        m_parts.addedTokens = readAddedTokens(m_root.get("added_tokens"), where);
        if (has("normalizer"))
            m_parts.normalizer = readNormalizer(part("normalizer", "normalizer"));
        if (has("pre_tokenizer"))
            m_parts.splitter = readSplitter(part("pre_tokenizer", "pre-tokenizer"), m_splitter);
        if (has("decoder"))
            m_parts.decoder = readDecoder(part("decoder", "decoder"), m_parts.spelling);
        m_model = readModel(part("model", "model"), m_parts.addedTokens);
        m_parts.table = std::make_unique<const TokenTable>(m_model.tokens, m_parts.addedTokens,
                                                           "the tokenizer");
        if (has("post_processor")) {
            Surroundings around =
                readPostProcessor(part("post_processor", "post-processor"), *m_parts.table);
            m_parts.textPrefix = std::move(around.prefix);
            m_parts.textSuffix = std::move(around.suffix);
        }
    }

    std::shared_ptr<const Tokenizer> tokenizer()
    {
        if (isByteLevelBpe())
            return std::make_shared<const BpeTokenizer>(vocabulary());
        if (m_splitter.byteLevel && !m_model.bpe)
            m_root.fail("the pre-tokenizer ByteLevel is supported for BPE only");
        if (m_model.bpe)
            m_model.bpe->byteLevel = m_splitter.byteLevel;
        m_parts.kind = m_model.kind;
        m_parts.unknown = m_model.unknown;
        m_parts.model = makeModel(*m_parts.table, m_model);
        if (m_splitter.byteLevel && m_parts.decoder == nullptr)
            m_parts.decoder = byteLevelDecoder();
        completeSpelling();
        return std::make_shared<const PipelineTokenizer>(std::move(m_parts));
    }

private:
    bool has(const char* key) const { return !m_root.get(key).is_null(); }

    JsonPart part(const char* key, const char* what) const
    {
        if (!has(key))
            m_root.fail(fmt::format("there is no \"{}\" object", key));
        return JsonPart(m_root.get(key), what, m_root.where());
    }

    /// True for what training and saving support: all bytes are present, nothing changes the text.
    bool isByteLevelBpe() const
    {
        if (!m_model.bpe || !m_splitter.isByteLevelAlone || has("normalizer") ||
            m_model.bpe->byteFallback || m_model.bpe->unknown)
            return false;
        if (has("decoder") && part("decoder", "decoder").type() != "ByteLevel")
            return false;
        const auto isThere = [&](std::uint8_t byte) {
            return m_parts.table->find(byteSymbol(byte)).has_value();
        };
        return std::ranges::all_of(bytesBySymbol(), isThere);
    }

    BpeVocabulary vocabulary()
    {
        BpeVocabulary result;
        result.tokens = std::move(m_model.tokens);
        result.merges = std::move(m_model.bpe->merges);
        result.ignoreMerges = m_model.bpe->ignoreMerges;
        result.addedTokens = std::move(m_parts.addedTokens);
        result.addPrefixSpace = m_splitter.addPrefixSpace;
        result.splitWords = m_splitter.splitsWords;
        result.textPrefix = std::move(m_parts.textPrefix);
        result.textSuffix = std::move(m_parts.textSuffix);
        return result;
    }

    void completeSpelling()
    {
        TokenSpelling& spelling = m_parts.spelling;
        spelling.byteLevel = m_splitter.byteLevel;
        spelling.byteFallback = (m_model.bpe && m_model.bpe->byteFallback) ||
                                (m_model.unigram && m_model.unigram->byteFallback);
        if (spelling.space.empty())
            spelling.space = m_splitter.space;
        if (m_model.wordPiece)
            spelling.continuation = m_model.wordPiece->laterMark;
    }

    JsonPart m_root;
    TokenizerParts m_parts;
    SplitterSpelling m_splitter;
    TokenizerModel m_model;
};

} // namespace

std::shared_ptr<const Tokenizer> parseTokenizerJson(std::string_view text, const std::string& where)
{
    const json root = parseJson(text, where);
    return namingFile(where, [&] { return TokenizerJson(root, where).tokenizer(); });
}

} // namespace headscope
