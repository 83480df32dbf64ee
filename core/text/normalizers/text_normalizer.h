#pragma once

#include "core/text/normalizers/bert_normalizer.h"
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

/// One after the other.
NormalizerPtr normalizerSequence(std::vector<NormalizerPtr> steps);

NormalizerPtr bertNormalizer(const BertNormalization& settings);
NormalizerPtr lowercaseNormalizer();                  ///< each character by itself
NormalizerPtr stripAccentsNormalizer();               ///< drops all combining marks
NormalizerPtr stripNormalizer(bool left, bool right); ///< white space at the ends
NormalizerPtr replaceNormalizer(TextPattern pattern, std::string content);
NormalizerPtr prependNormalizer(std::string prefix); ///< to texts that are not empty

/// SentencePiece's rules for machine translation: control characters go, other spaces become " ".
NormalizerPtr nmtNormalizer();

} // namespace headscope
