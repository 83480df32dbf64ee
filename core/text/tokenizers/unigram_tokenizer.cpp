#include "core/text/tokenizers/unigram_tokenizer.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/text/display_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

/// Penalty of an unknown character relative to the rarest piece, as in SentencePiece.
constexpr double kUnknownPenalty = 10.0;
constexpr std::string_view kUnknownText = " \u2047 ";

std::vector<std::string> textsOf(const std::vector<UnigramPiece>& pieces)
{
    std::vector<std::string> texts;
    for (const UnigramPiece& piece : pieces)
        texts.push_back(piece.text);
    return texts;
}

std::string withSpaces(std::string_view piece)
{
    std::string text;
    for (std::size_t at = 0; at < piece.size();) {
        const bool isSpace = piece.substr(at).starts_with(kPieceSpace);
        text += isSpace ? ' ' : piece[at];
        at += isSpace ? kPieceSpace.size() : 1;
    }
    return text;
}

} // namespace

UnigramTokenizer::UnigramTokenizer(UnigramVocabulary vocabulary)
    : m_vocabulary(std::move(vocabulary))
    , m_table(textsOf(m_vocabulary.pieces), m_vocabulary.addedTokens, "UnigramTokenizer")
    , m_added(m_vocabulary.addedTokens)
{
    indexPieces();
    m_table.check(m_vocabulary.textPrefix, "the post-processor");
    m_table.check(m_vocabulary.textSuffix, "the post-processor");
}

void UnigramTokenizer::indexPieces()
{
    double lowest = 0.0;
    for (std::size_t i = 0; i < m_vocabulary.pieces.size(); ++i) {
        const UnigramPiece& piece = m_vocabulary.pieces[i];
        const auto id = static_cast<TokenId>(i);
        if (!std::isfinite(piece.score))
            throw Error(
                fmt::format("the score of {} is not finite", inQuotes(displayText(piece.text))));
        m_scores.push_back(piece.score);
        if (piece.kind == UnigramPiece::Kind::Normal) {
            m_trie.insert(piece.text, id);
            lowest = std::min(lowest, piece.score);
            continue;
        }
        m_table.makeSpecial(id);
        if (piece.kind == UnigramPiece::Kind::Unknown) {
            if (m_unknown >= 0)
                throw Error("the vocabulary has two unknown pieces");
            m_unknown = id;
        }
    }
    if (m_unknown < 0)
        throw Error("the vocabulary has no unknown piece");
    m_unknownScore = lowest - kUnknownPenalty;
    const auto end = m_table.find("</s>");
    if (end && m_table.isSpecial(*end))
        m_endOfText = end;
}

void UnigramTokenizer::encodePlain(std::string_view text, std::size_t offset,
                                   std::vector<Token>& tokens) const
{
    const NormalizedText normalized = normalizeForPieces(text, m_vocabulary.normalization);
    bool wasUnknown = false;
    for (const PieceCut& cut :
         mostProbableCut(normalized.text, {m_trie, m_scores, m_unknownScore})) {
        const ByteRange from = normalized.sourceOf({cut.begin, cut.end});
        const bool isUnknown = cut.id < 0;
        if (isUnknown && wasUnknown)
            tokens.back().bytes.end = offset + from.end;
        else
            tokens.push_back({isUnknown ? m_unknown : cut.id,
                              {offset + from.begin, offset + from.end},
                              isUnknown});
        wasUnknown = isUnknown;
    }
}

TokenSequence UnigramTokenizer::encode(std::string_view text, bool addSpecial) const
{
    TokenSequence sequence;
    sequence.text = text;
    for (const auto& piece : m_added.split(text)) {
        if (piece.id >= 0)
            sequence.tokens.push_back({piece.id, piece.bytes, isSpecial(piece.id)});
        else
            encodePlain(text.substr(piece.bytes.begin, piece.bytes.end - piece.bytes.begin),
                        piece.bytes.begin, sequence.tokens);
    }
    if (addSpecial)
        TokenTable::surround(sequence.tokens, m_vocabulary.textPrefix, m_vocabulary.textSuffix);
    return sequence;
}

std::string UnigramTokenizer::decode(std::span<const TokenId> ids, bool skipSpecial) const
{
    std::string text;
    bool isFirst = m_vocabulary.normalization.addPrefix;
    for (const TokenId id : ids) {
        const std::string& piece = m_table.text(id);
        if (id == m_unknown) {
            text += kUnknownText;
        } else if (m_table.isSpecial(id)) {
            text += skipSpecial ? "" : piece;
            continue;
        } else {
            const std::string plain = withSpaces(piece);
            text += isFirst && plain.starts_with(' ') ? plain.substr(1) : plain;
        }
        isFirst = false;
    }
    return text;
}

std::string UnigramTokenizer::tokenBytes(TokenId id) const
{
    return m_table.isSpecial(id) ? m_table.text(id) : withSpaces(m_table.text(id));
}

} // namespace headscope
