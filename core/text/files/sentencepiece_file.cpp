#include "core/text/files/sentencepiece_file.h"

#include "core/base/error.h"
#include "core/text/files/protobuf_reader.h"
#include "core/text/normalizers/piece_normalizer.h"
#include "core/text/normalizers/piece_rules_normalizer.h"
#include "core/text/tokenizers/piece_model_rules.h"
#include "core/text/tokenizers/pipeline_tokenizer.h"
#include "core/text/tokenizers/scored_bpe_model.h"
#include "core/text/tokenizers/unigram_model.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace headscope {

namespace {

std::int32_t asInt32(const ProtobufField& field)
{
    return static_cast<std::int32_t>(static_cast<std::int64_t>(field.value));
}

PieceKind kindOf(std::uint64_t type, const ProtobufReader& reader)
{
    const auto kind = pieceKind(type);
    if (!kind)
        reader.fail(fmt::format("a piece has the unknown type {}", type));
    return *kind;
}

void readPiece(ProtobufReader reader, SentencePieceModel& model)
{
    std::string_view text;
    float score = 0.0F;
    PieceKind kind = PieceKind::Normal;
    while (const auto field = reader.next()) {
        if (field->number == 1)
            text = field->bytes;
        else if (field->number == 2)
            score = std::bit_cast<float>(static_cast<std::uint32_t>(field->value));
        else if (field->number == 3)
            kind = kindOf(field->value, reader);
    }
    if (text.empty())
        reader.fail(fmt::format("the piece with id {} is empty", model.pieces.size()));
    if (model.pieces.size() == TokenTable::kMost)
        reader.fail(fmt::format("there are more than {} pieces", TokenTable::kMost));
    model.pieces.emplace_back(text);
    model.scores.push_back(score);
    model.kinds.push_back(kind);
}

void readTraining(ProtobufReader reader, SentencePieceModel& model)
{
    while (const auto field = reader.next()) {
        switch (field->number) {
        case 3:
            if (field->value < 1 || field->value > 4)
                reader.fail(fmt::format("the kind of model {} is not supported", field->value));
            model.algorithm = static_cast<SentencePieceModel::Algorithm>(field->value);
            break;
        case 24:
            model.spaceEndsWords = field->value != 0;
            break;
        case 35:
            model.byteFallback = field->value != 0;
            break;
        case 41:
            model.bos = asInt32(*field);
            break;
        case 42:
            model.eos = asInt32(*field);
            break;
        case 44:
            model.unknownSurface = field->bytes;
            break;
        default:
            break; // trainer settings
        }
    }
}

void readNormalization(ProtobufReader reader, SentencePieceModel& model)
{
    while (const auto field = reader.next()) {
        switch (field->number) {
        case 2:
            model.charsMap = field->bytes;
            break;
        case 3:
            model.addPrefix = field->value != 0;
            break;
        case 4:
            model.removeSpaces = field->value != 0;
            break;
        case 5:
            model.escapeSpaces = field->value != 0;
            break;
        default:
            break; // normalizer name
        }
    }
}

bool hasCharsMap(ProtobufReader reader)
{
    bool found = false;
    while (const auto field = reader.next())
        found = found || (field->number == 2 && !field->bytes.empty());
    return found;
}

class Maker
{
public:
    Maker(const SentencePieceModel& model, std::string where)
        : m_model(model)
        , m_where(std::move(where))
    {
    }

    std::shared_ptr<const Tokenizer> tokenizer(AddedEnds ends)
    {
        refuseUnsupported();
        TokenizerParts parts;
        parts.table = table();
        parts.unknown = unknown();
        parts.unknownText = m_model.unknownSurface;
        parts.normalizer = normalizer();
        parts.model = model(*parts.table, *parts.unknown);
        parts.kind = m_model.algorithm == SentencePieceModel::Algorithm::Bpe ? "bpe" : "unigram";
        std::vector<TokenDecoder> steps;
        steps.push_back(
            pieceDecoder(m_model.addPrefix || m_model.removeSpaces, m_model.removeSpaces));
        if (m_model.byteFallback)
            steps.push_back(byteFallbackDecoder());
        parts.decoder = decoderSequence(std::move(steps));
        parts.spelling.space = kPieceSpace;
        parts.spelling.byteFallback = m_model.byteFallback;
        if (ends.bos)
            parts.textPrefix.push_back(m_model.bos);
        if (ends.eos)
            parts.textSuffix.push_back(m_model.eos);
        if (isControl(m_model.eos))
            parts.endOfText = m_model.eos;
        return std::make_shared<const PipelineTokenizer>(std::move(parts));
    }

private:
    [[noreturn]] void fail(const std::string& problem) const
    {
        throw FormatError(problem, m_where, std::nullopt,
                          "Headscope reads SentencePiece models of the kinds unigram and bpe");
    }

    void refuseUnsupported() const
    {
        if (m_model.algorithm == SentencePieceModel::Algorithm::Word ||
            m_model.algorithm == SentencePieceModel::Algorithm::Char)
            fail("SentencePiece models of words or characters are not supported");
        if (m_model.spaceEndsWords)
            fail("a SentencePiece model with spaces after its words is not supported");
        if (m_model.hasDenormalizer)
            fail("a SentencePiece model with rules for decoding is not supported");
    }

    bool isControl(std::int32_t id) const
    {
        return id >= 0 && static_cast<std::size_t>(id) < m_model.kinds.size() &&
               m_model.kinds[static_cast<std::size_t>(id)] == PieceKind::Control;
    }

    std::unique_ptr<const TokenTable> table() const
    {
        auto table = std::make_unique<TokenTable>(m_model.pieces, std::vector<AddedToken>(),
                                                  "the SentencePiece model");
        for (std::size_t id = 0; id < m_model.kinds.size(); ++id) {
            if (m_model.kinds[id] == PieceKind::Control || m_model.kinds[id] == PieceKind::Unknown)
                table->makeSpecial(static_cast<TokenId>(id));
        }
        return table;
    }

    TokenId unknown() const
    {
        if (std::ranges::count(m_model.kinds, PieceKind::Unknown) != 1)
            fail("the SentencePiece model does not have exactly one unknown piece");
        return static_cast<TokenId>(std::ranges::find(m_model.kinds, PieceKind::Unknown) -
                                    m_model.kinds.begin());
    }

    TextNormalizer normalizer() const
    {
        PieceRules rules;
        rules.map = CharsMap::parse(m_model.charsMap, m_where);
        rules.removeSpaces = m_model.removeSpaces;
        rules.addPrefix = m_model.addPrefix;
        rules.escapeSpaces = m_model.escapeSpaces;
        for (std::size_t id = 0; id < m_model.kinds.size(); ++id) {
            if (m_model.kinds[id] == PieceKind::UserDefined)
                rules.untouched.push_back(m_model.pieces[id]);
        }
        return pieceRulesNormalizer(std::move(rules));
    }

    WordModelPtr model(const TokenTable& table, TokenId unknownId) const
    {
        PieceModelRules rules;
        rules.scores.assign(m_model.scores.begin(), m_model.scores.end());
        rules.kinds = m_model.kinds;
        rules.unknown = unknownId;
        rules.byteFallback = m_model.byteFallback;
        rules.singlePrecision = true;
        return m_model.algorithm == SentencePieceModel::Algorithm::Bpe
                   ? scoredBpeModel(table, rules)
                   : unigramModel(table, rules);
    }

    const SentencePieceModel& m_model;
    std::string m_where;
};

} // namespace

SentencePieceModel parseSentencePiece(std::string_view file, const std::string& where)
{
    SentencePieceModel model;
    ProtobufReader reader(file, where);
    while (const auto field = reader.next()) {
        switch (field->number) {
        case 1:
            readPiece(reader.inside(*field), model);
            break;
        case 2:
            readTraining(reader.inside(*field), model);
            break;
        case 3:
            readNormalization(reader.inside(*field), model);
            break;
        case 5:
            model.hasDenormalizer = hasCharsMap(reader.inside(*field));
            break;
        default:
            break; // self-tests
        }
    }
    if (model.pieces.empty())
        throw FormatError("the SentencePiece model has no pieces", where);
    return model;
}

std::shared_ptr<const Tokenizer> makeTokenizer(const SentencePieceModel& model, AddedEnds ends,
                                               const std::string& where)
{
    return namingFile(where, [&] { return Maker(model, where).tokenizer(ends); });
}

} // namespace headscope
