#pragma once

#include "core/text/normalizers/bert_normalizer.h"
#include "core/text/normalizers/normalized_text.h"
#include "core/text/splitting/text_pattern.h"

#include <memory>

namespace headscope {

/// One step of normalising a text before it is split into words. Invalid UTF-8 is unchanged where a
/// step does not handle it. Immutable.
class TextNormalizer
{
public:
    virtual ~TextNormalizer() = default;

    virtual NormalizedText apply(const NormalizedText& text) const = 0;
};

using NormalizerPtr = std::unique_ptr<const TextNormalizer>;

/// Applies steps in order.
NormalizerPtr normalizerSequence(std::vector<NormalizerPtr> steps);

NormalizerPtr bertNormalizer(const BertNormalization& settings);
NormalizerPtr lowercaseNormalizer();                  ///< Lower-cases each character by itself.
NormalizerPtr stripAccentsNormalizer();               ///< Drops all combining marks.
NormalizerPtr stripNormalizer(bool left, bool right); ///< Removes white space at the ends.
NormalizerPtr replaceNormalizer(TextPattern pattern, std::string content);
NormalizerPtr prependNormalizer(std::string prefix); ///< Prepends to texts that are not empty.

/// SentencePiece's rules for machine translation: control characters are removed, other spaces
/// become " ".
NormalizerPtr nmtNormalizer();

} // namespace headscope
