#pragma once

#include "core/text/normalizers/normalized_text.h"
#include "core/text/splitting/text_pattern.h"

#include <functional>
#include <vector>

namespace headscope {

/// A text and its words, from left to right; what is between them is dropped.
struct WordList
{
    NormalizedText text;
    std::vector<ByteRange> words; ///< Not empty.
};

/// One step of splitting a text into words.
using WordSplitter = std::function<void(WordList& list)>;

/// Treatment of a splitter's matches.
enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

WordSplitter splitterSequence(std::vector<WordSplitter> steps);

/// Splits at a pattern; `invert` keeps its matches as words and splits at the rest.
WordSplitter patternSplitter(TextPattern pattern, SplitBehavior behavior, bool invert);

/// Splits at characters that satisfy a predicate of their code point; a byte of invalid UTF-8 does
/// not.
WordSplitter characterSplitter(std::function<bool(char32_t)> finds, SplitBehavior behavior);

/// Words of \w+, or of characters that are neither \w nor spaces.
WordSplitter whitespaceSplitter();
WordSplitter spacesSplitter(); ///< Splits at white space.
WordSplitter bertSplitter();
WordSplitter digitsSplitter(bool eachAlone);
WordSplitter punctuationSplitter(SplitBehavior behavior);

} // namespace headscope
