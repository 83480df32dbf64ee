#pragma once

#include "core/text/normalizers/bert_normalizer.h"
#include "core/text/normalizers/charsmap.h"
#include "core/text/normalizers/normalized_text.h"
#include "core/text/splitting/text_pattern.h"

#include <memory>

namespace headscope {

/// One step of making a text plain before it is cut into words. Bytes that are no UTF-8 stay as
/// they are where a step has no use for them. Immutable.
class TextNormalizer
{
public:
    virtual ~TextNormalizer() = default;

    virtual NormalizedText apply(const NormalizedText& text) const = 0;
};

using NormalizerPtr = std::unique_ptr<const TextNormalizer>;

enum class UnicodeForm { Nfc, Nfd, Nfkc, Nfkd };

/// One after the other.
NormalizerPtr normalizerSequence(std::vector<NormalizerPtr> steps);

NormalizerPtr bertNormalizer(const BertNormalization& settings);
NormalizerPtr unicodeNormalizer(UnicodeForm form);
NormalizerPtr lowercaseNormalizer();                  ///< each character by itself
NormalizerPtr stripAccentsNormalizer();               ///< drops all combining marks
NormalizerPtr stripNormalizer(bool left, bool right); ///< white space at the ends
NormalizerPtr replaceNormalizer(TextPattern pattern, std::string content);
NormalizerPtr prependNormalizer(std::string prefix); ///< to texts that are not empty

/// SentencePiece's rules for machine translation: control characters go, other spaces become " ".
NormalizerPtr nmtNormalizer();

/// SentencePiece's table of replacements, as Hugging Face tokenizers applies it: to characters as a
/// person sees them where they are short, else to single code points; the shortest match counts.
NormalizerPtr charsMapNormalizer(CharsMap map);

/// All that SentencePiece does to a text (Kudo, Richardson 2018): the longest replacements of its
/// table, then spaces.
struct PieceRules
{
    CharsMap map;                       ///< may be empty
    bool removeSpaces = true;           ///< at both ends, and all but one of several
    bool addPrefix = true;              ///< a text begins with a space
    bool escapeSpaces = true;           ///< "▁" for " "
    std::vector<std::string> untouched; ///< found in the text before the table is looked at
};

NormalizerPtr pieceRulesNormalizer(PieceRules rules);

} // namespace headscope
