#pragma once

#include "core/text/normalizers/normalized_text.h"
#include "core/text/splitting/text_pattern.h"

#include <functional>
#include <memory>

namespace headscope {

/// A text and its words, from left to right; what is between them is dropped.
struct WordList
{
    NormalizedText text;
    std::vector<ByteRange> words; ///< Not empty.
};

/// One step of splitting a text into words. Immutable.
class WordSplitter
{
public:
    virtual ~WordSplitter() = default;

    virtual void apply(WordList& list) const = 0;
};

using SplitterPtr = std::unique_ptr<const WordSplitter>;

/// Treatment of a splitter's matches.
enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

SplitterPtr splitterSequence(std::vector<SplitterPtr> steps);

/// Splits at a pattern; `invert` keeps its matches as words and splits at the rest.
SplitterPtr patternSplitter(TextPattern pattern, SplitBehavior behavior, bool invert);

/// Splits at characters that satisfy a predicate of their code point; a byte of invalid UTF-8 does
/// not.
SplitterPtr characterSplitter(std::function<bool(char32_t)> finds, SplitBehavior behavior);

/// Words of \w+, or of characters that are neither \w nor spaces.
SplitterPtr whitespaceSplitter();
SplitterPtr spacesSplitter(); ///< Splits at white space.
SplitterPtr bertSplitter();
SplitterPtr digitsSplitter(bool eachAlone);
SplitterPtr punctuationSplitter(SplitBehavior behavior);

} // namespace headscope
