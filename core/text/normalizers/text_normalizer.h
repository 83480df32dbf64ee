#pragma once

#include "core/text/normalizers/bert_normalizer.h"
#include "core/text/normalizers/normalized_text.h"
#include "core/text/splitting/text_pattern.h"

#include <functional>
#include <vector>

namespace headscope {

/// One step of normalising a text before it is split into words. Invalid UTF-8 is unchanged where a
/// step does not handle it.
using TextNormalizer = std::function<NormalizedText(const NormalizedText& text)>;

/// Applies steps in order.
TextNormalizer normalizerSequence(std::vector<TextNormalizer> steps);

TextNormalizer bertNormalizer(const BertNormalization& settings);
TextNormalizer lowercaseNormalizer();                  ///< Lower-cases each character by itself.
TextNormalizer stripAccentsNormalizer();               ///< Drops all combining marks.
TextNormalizer stripNormalizer(bool left, bool right); ///< Removes white space at the ends.
TextNormalizer replaceNormalizer(TextPattern pattern, std::string content);
TextNormalizer prependNormalizer(std::string prefix); ///< Prepends to texts that are not empty.

/// SentencePiece's rules for machine translation: control characters are removed, other spaces
/// become " ".
TextNormalizer nmtNormalizer();

} // namespace headscope
