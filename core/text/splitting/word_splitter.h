#pragma once

#include "core/text/normalizers/normalized_text.h"
#include "core/text/splitting/text_pattern.h"

#include <functional>
#include <memory>

namespace headscope {

/// A text and the words that it is cut into, from left to right; what lies between them is left
/// out.
struct WordList
{
    NormalizedText text;
    std::vector<ByteRange> words; ///< not empty
};

/// One step of cutting a text into words. Immutable.
class WordSplitter
{
public:
    virtual ~WordSplitter() = default;

    virtual void apply(WordList& list) const = 0;
};

using SplitterPtr = std::unique_ptr<const WordSplitter>;

/// What becomes of that which a splitter finds.
enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

SplitterPtr splitterSequence(std::vector<SplitterPtr> steps);

/// `invert`: what the pattern finds is kept, and the rest is what is found.
SplitterPtr patternSplitter(TextPattern pattern, SplitBehavior behavior, bool invert);

/// Characters by a claim about their code point; a byte that is no UTF-8 is none of them.
SplitterPtr characterSplitter(std::function<bool(char32_t)> finds, SplitBehavior behavior);

SplitterPtr whitespaceSplitter(); ///< words of \w+ or of neither \w nor spaces
SplitterPtr spacesSplitter();     ///< what stands between white space
SplitterPtr bertSplitter();
SplitterPtr digitsSplitter(bool eachAlone);
SplitterPtr punctuationSplitter(SplitBehavior behavior);

} // namespace headscope
