#include "core/text/files/word_tokenizer_file.h"

#include "core/base/atomic_write.h"
#include "core/text/files/tokenizer_json_parts.h"
#include "core/text/files/tokenizer_json_writer.h"

namespace headscope {

using Json = nlohmann::ordered_json;

namespace {

/// Parts in the order in which the library writes them.
struct Parts
{
    Json addedTokens;
    Json normalizer;
    Json preTokenizer;
    Json postProcessor;
    Json decoder;
    Json model;
};

std::string written(const Parts& parts)
{
    const Json root = {{"version", "1.0"},
                       {"truncation", nullptr},
                       {"padding", nullptr},
                       {"added_tokens", parts.addedTokens},
                       {"normalizer", parts.normalizer},
                       {"pre_tokenizer", parts.preTokenizer},
                       {"post_processor", parts.postProcessor},
                       {"decoder", parts.decoder},
                       {"model", parts.model}};
    return root.dump(2);
}

template<class Vocabulary>
Json aroundText(const Vocabulary& vocabulary, const Tokenizer& tokenizer)
{
    return postProcessorJson(
        vocabulary.textPrefix, vocabulary.textSuffix,
        [&](TokenId id) -> const std::string& { return tokenizer.tokenText(id); });
}

/// Template of two texts, of which only the first has a beginning: [CLS] a [SEP] b [SEP].
Json aroundPair(const WordPieceVocabulary& vocabulary, const Tokenizer& tokenizer)
{
    Json around = aroundText(vocabulary, tokenizer);
    if (around.is_null())
        return around;
    for (std::size_t i = 0; i < vocabulary.textPrefix.size(); ++i)
        around["pair"].erase(around["single"].size());
    return around;
}

Json pieceNormalizer(const PieceNormalization& settings)
{
    Json steps = Json::array();
    if (settings.nfkc) {
        steps.push_back({{"type", "Nmt"}});
        steps.push_back({{"type", "NFKC"}});
    }
    if (settings.removeSpaces) {
        steps.push_back({{"type", "Strip"}, {"strip_left", true}, {"strip_right", true}});
        steps.push_back({{"type", "Replace"}, {"pattern", {{"Regex", " {2,}"}}}, {"content", " "}});
    }
    return {{"type", "Sequence"}, {"normalizers", steps}};
}

Json metaspace(const PieceNormalization& settings)
{
    return {{"type", "Metaspace"},
            {"replacement", kPieceSpace},
            {"prepend_scheme", settings.addPrefix ? "always" : "never"},
            {"split", true}};
}

} // namespace

std::string toTokenizerJson(const WordPieceTokenizer& tokenizer)
{
    const WordPieceVocabulary& vocabulary = tokenizer.vocabulary();
    const BertNormalization& settings = vocabulary.normalization;
    return written({addedTokensJson(vocabulary.addedTokens),
                    {{"type", "BertNormalizer"},
                     {"clean_text", settings.cleanControls},
                     {"handle_chinese_chars", settings.spaceCjk},
                     {"strip_accents", settings.stripAccents},
                     {"lowercase", settings.lowerCase}},
                    {{"type", "BertPreTokenizer"}},
                    aroundPair(vocabulary, tokenizer),
                    {{"type", "WordPiece"}, {"prefix", vocabulary.continuation}, {"cleanup", true}},
                    {{"type", "WordPiece"},
                     {"unk_token", vocabulary.unknown},
                     {"continuing_subword_prefix", vocabulary.continuation},
                     {"max_input_chars_per_word", vocabulary.longestWord},
                     {"vocab", vocabularyObject(vocabulary.tokens)}}});
}

std::string toTokenizerJson(const UnigramTokenizer& tokenizer)
{
    const UnigramVocabulary& vocabulary = tokenizer.vocabulary();
    Json pieces = Json::array();
    for (const UnigramPiece& piece : vocabulary.pieces)
        pieces.push_back(Json::array({piece.text, piece.score}));
    return written({addedTokensJson(vocabulary.addedTokens),
                    pieceNormalizer(vocabulary.normalization),
                    metaspace(vocabulary.normalization),
                    aroundText(vocabulary, tokenizer),
                    metaspace(vocabulary.normalization),
                    {{"type", "Unigram"},
                     {"unk_id", tokenizer.unknown()},
                     {"vocab", pieces},
                     {"byte_fallback", false}}});
}

void saveTokenizer(const WordPieceTokenizer& tokenizer, const std::filesystem::path& path)
{
    writeAtomically(path, toTokenizerJson(tokenizer));
}

void saveTokenizer(const UnigramTokenizer& tokenizer, const std::filesystem::path& path)
{
    writeAtomically(path, toTokenizerJson(tokenizer));
}

} // namespace headscope
