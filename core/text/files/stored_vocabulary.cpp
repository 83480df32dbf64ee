#include "core/text/files/stored_vocabulary.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/files/bpe_vocabulary_json.h"
#include "core/text/normalizers/piece_normalizer.h"
#include "core/text/normalizers/piece_rules_normalizer.h"
#include "core/text/splitting/split_rules.h"
#include "core/text/tokenizers/bpe_model.h"
#include "core/text/tokenizers/byte_tokens.h"
#include "core/text/tokenizers/longest_piece_model.h"
#include "core/text/tokenizers/piece_model_rules.h"
#include "core/text/tokenizers/pipeline_tokenizer.h"
#include "core/text/tokenizers/scored_bpe_model.h"
#include "core/text/tokenizers/unigram_model.h"

#include <algorithm>

#include <fmt/format.h>

namespace headscope {

namespace {

using Type = StoredVocabulary::Type;

/// Tokens around a text where the file does not specify them.
struct Defaults
{
    std::optional<std::int64_t> bos;
    std::optional<std::int64_t> eos;
    bool addBos = false;
    bool addEos = false;
};

class Maker
{
public:
    Maker(const StoredVocabulary& stored, std::string where)
        : m_stored(stored)
        , m_where(std::move(where))
    {
    }

    std::shared_ptr<const Tokenizer> tokenizer()
    {
        checkLists();
        m_parts.addedTokens = addedTokens();
        m_parts.table = table();
        if (m_stored.model == "gpt2")
            fillByteLevel();
        else if (m_stored.model == "llama" || m_stored.model == "t5")
            fillPieces();
        else if (m_stored.model == "bert")
            fillWordPieces();
        else
            fail(
                fmt::format("the kind of vocabulary {} is not supported", inQuotes(m_stored.model)),
                "Headscope reads gpt2, llama, bert and t5");
        return std::make_shared<const PipelineTokenizer>(std::move(m_parts));
    }

private:
    [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const
    {
        throw FormatError(problem, m_where, std::nullopt, advice);
    }

    Type typeOf(std::size_t id) const
    {
        if (!m_stored.types.empty())
            return static_cast<Type>(m_stored.types[id]);
        return ByteTokens::byteOf(m_stored.tokens[id]) ? Type::Byte : Type::Normal;
    }

    void checkLists() const
    {
        const std::size_t count = m_stored.tokens.size();
        if (count == 0)
            fail("the vocabulary is empty");
        if (count > static_cast<std::size_t>(INT32_MAX))
            fail(fmt::format("the vocabulary has {} tokens", count));
        if (!m_stored.types.empty() && m_stored.types.size() != count)
            fail(fmt::format("there are {} types for {} tokens", m_stored.types.size(), count));
        if (!m_stored.scores.empty() && m_stored.scores.size() != count)
            fail(fmt::format("there are {} scores for {} tokens", m_stored.scores.size(), count));
        for (std::size_t id = 0; id < count; ++id) {
            if (m_stored.model == "llama" && typeOf(id) == Type::Byte &&
                !ByteTokens::byteOf(m_stored.tokens[id]))
                fail(fmt::format("the token {} with id {} is marked as a byte",
                                 inQuotes(m_stored.tokens[id]), id),
                     "Bytes are spelled <0x00> to <0xFF>");
        }
    }

    /// Nothing when the file names none; `name` is its key.
    std::optional<TokenId> checkedId(std::optional<std::int64_t> id, const char* name) const
    {
        if (!id)
            return std::nullopt;
        if (*id < 0 || *id >= static_cast<std::int64_t>(m_stored.tokens.size()))
            fail(fmt::format("{} is {}, but the vocabulary has {} tokens", name, *id,
                             m_stored.tokens.size()));
        return static_cast<TokenId>(*id);
    }

    std::string textOf(std::size_t id) const
    {
        const std::string& text = m_stored.tokens[id];
        return text.empty() ? fmt::format("[EMPTY_{}]", id) : text;
    }

    /// Tokens that are searched for in a text before anything else.
    std::vector<AddedToken> addedTokens() const
    {
        std::vector<bool> special(m_stored.tokens.size(), false);
        for (const auto& [id, name] :
             {std::pair{m_stored.bos, "bos_token_id"}, std::pair{m_stored.eos, "eos_token_id"},
              std::pair{m_stored.padding, "padding_token_id"},
              std::pair{m_stored.separator, "seperator_token_id"},
              std::pair{m_stored.classification, "cls_token_id"},
              std::pair{m_stored.mask, "mask_token_id"}}) {
            if (const auto checked = checkedId(id, name))
                special[static_cast<std::size_t>(*checked)] = true;
        }
        std::vector<AddedToken> added;
        for (std::size_t id = 0; id < special.size(); ++id) {
            const Type type = typeOf(id);
            const bool isSpecial = type == Type::Control || special[id];
            if ((isSpecial || type == Type::UserDefined) &&
                textOf(id).size() <= AddedTokenFinder::kMaxLength) {
                AddedToken token;
                token.id = static_cast<TokenId>(id);
                token.content = textOf(id);
                token.special = isSpecial;
                added.push_back(std::move(token));
            }
        }
        return added;
    }

    std::unique_ptr<const TokenTable> table() const
    {
        std::vector<std::string> tokens;
        tokens.reserve(m_stored.tokens.size());
        for (std::size_t id = 0; id < m_stored.tokens.size(); ++id)
            tokens.push_back(textOf(id));
        auto table = std::make_unique<TokenTable>(std::move(tokens), m_parts.addedTokens,
                                                  "the vocabulary of " + m_where);
        for (std::size_t id = 0; id < m_stored.tokens.size(); ++id) {
            if (typeOf(id) == Type::Unknown)
                table->makeSpecial(static_cast<TokenId>(id));
        }
        return table;
    }

    void fillSurroundings(const Defaults& defaults)
    {
        const auto bos = checkedId(m_stored.bos ? m_stored.bos : defaults.bos, "bos_token_id");
        const auto eos = checkedId(m_stored.eos ? m_stored.eos : defaults.eos, "eos_token_id");
        if (m_stored.addBos.value_or(defaults.addBos && bos)) {
            if (!bos)
                fail("the vocabulary requires a token before each text, but names none");
            m_parts.textPrefix.push_back(*bos);
        }
        if (m_stored.addEos.value_or(defaults.addEos && eos)) {
            if (!eos)
                fail("the vocabulary requires a token after each text, but names none");
            m_parts.textSuffix.push_back(*eos);
        }
        m_parts.endOfText = eos;
    }

    void fillByteLevel()
    {
        if (m_stored.merges.empty())
            fail("the vocabulary of kind gpt2 has no merges");
        SplitRule rule = splitRule(m_stored.pre, m_stored.addSpacePrefix.value_or(false), m_where);
        BpeRules rules;
        rules.byteLevel = true;
        rules.ignoreMerges = rule.ignoreMerges;
        const MergeReader reader(m_stored.tokens, m_where);
        rules.merges.reserve(m_stored.merges.size());
        for (const std::string& merge : m_stored.merges)
            rules.merges.push_back(reader.fromLine(merge));
        m_parts.kind = "bpe";
        m_parts.normalizer = std::move(rule.normalizer);
        m_parts.splitter = std::move(rule.splitter);
        m_parts.model = bpeModel(*m_parts.table, rules);
        m_parts.decoder = byteLevelDecoder();
        m_parts.spelling.byteLevel = true;
        fillSurroundings({std::nullopt, std::nullopt, rule.addBos, false});
    }

    std::vector<PieceKind> kinds() const
    {
        std::vector<PieceKind> kinds;
        for (std::size_t id = 0; id < m_stored.tokens.size(); ++id) {
            const Type type = typeOf(id);
            const auto kind = type == Type::Undefined ? PieceKind::Normal
                                                      : pieceKind(static_cast<std::uint64_t>(type));
            if (!kind)
                fail(fmt::format("the token with id {} has the unknown type {}", id,
                                 m_stored.types[id]));
            kinds.push_back(*kind);
        }
        return kinds;
    }

    void fillPieces()
    {
        const bool isLlama = m_stored.model == "llama";
        if (m_stored.scores.empty())
            fail(fmt::format("the vocabulary of kind {} has no scores", m_stored.model));
        PieceModelRules rules;
        rules.scores.assign(m_stored.scores.begin(), m_stored.scores.end());
        rules.kinds = kinds();
        rules.unknown =
            checkedId(m_stored.unknown.value_or(isLlama ? 0 : 2), "unknown_token_id").value_or(0);
        rules.kinds[static_cast<std::size_t>(rules.unknown)] = PieceKind::Unknown;
        rules.byteFallback = isLlama || std::ranges::count(rules.kinds, PieceKind::Byte) == 256;
        rules.singlePrecision = true;
        m_parts.kind = isLlama ? "bpe" : "unigram";
        m_parts.model =
            isLlama ? scoredBpeModel(*m_parts.table, rules) : unigramModel(*m_parts.table, rules);
        m_parts.unknown = rules.unknown;
        m_parts.unknownText = " \u2047 ";
        fillPieceRules(!isLlama, rules.byteFallback);
        fillSurroundings(isLlama ? Defaults{1, 2, true, false}
                                 : Defaults{std::nullopt, 1, false, true});
    }

    void fillPieceRules(bool removesSpaces, bool byteFallback)
    {
        PieceRules rules;
        rules.map = CharsMap::parse(m_stored.charsMap, m_where);
        rules.addPrefix = m_stored.addSpacePrefix.value_or(true);
        rules.removeSpaces = m_stored.removeExtraSpaces.value_or(removesSpaces);
        std::vector<TokenDecoder> steps;
        steps.push_back(pieceDecoder(rules.addPrefix, rules.removeSpaces));
        if (byteFallback)
            steps.push_back(byteFallbackDecoder());
        m_parts.decoder = decoderSequence(std::move(steps));
        m_parts.normalizer = pieceRulesNormalizer(std::move(rules));
        m_parts.spelling.space = kPieceSpace;
        m_parts.spelling.byteFallback = byteFallback;
    }

    /// Words begin with "▁" in these files, and continuations have no mark.
    void fillWordPieces()
    {
        constexpr std::size_t kLongestWord = 100; // value of BERT's own files
        LongestPieceRules rules;
        rules.firstMark = kPieceSpace;
        rules.longestWord = kLongestWord;
        const auto unknown = checkedId(m_stored.unknown.value_or(100), "unknown_token_id");
        rules.unknown = unknown.value_or(0);
        m_parts.kind = "wordpiece";
        m_parts.unknown = rules.unknown;
        m_parts.normalizer = bertNormalizer({});
        m_parts.splitter = bertSplitter();
        m_parts.model = longestPieceModel(*m_parts.table, rules);
        m_parts.decoder = pieceDecoder(true, false);
        m_parts.spelling.wordMark = kPieceSpace;
        const auto cls = m_stored.classification ? m_stored.classification : m_stored.bos;
        const auto first = checkedId(cls.value_or(101), "cls_token_id");
        const auto last = checkedId(m_stored.separator.value_or(102), "seperator_token_id");
        if (m_stored.addBos.value_or(true))
            m_parts.textPrefix.push_back(first.value_or(0));
        if (m_stored.addEos.value_or(true))
            m_parts.textSuffix.push_back(last.value_or(0));
    }

    const StoredVocabulary& m_stored;
    std::string m_where;
    TokenizerParts m_parts;
};

} // namespace

std::shared_ptr<const Tokenizer> makeTokenizer(const StoredVocabulary& vocabulary,
                                               const std::string& where)
{
    return namingFile(where, [&] { return Maker(vocabulary, where).tokenizer(); });
}

} // namespace headscope
