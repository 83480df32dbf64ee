#pragma once

#include "core/text/splitting/word_splitter.h"

namespace headscope {

/// Splits every word without changing the text: parts(word) are ranges inside it.
template<class Parts>
void cutWords(WordList& list, const Parts& parts)
{
    std::vector<ByteRange> words;
    words.reserve(list.words.size());
    for (const ByteRange& word : list.words) {
        for (const ByteRange& part : parts(list.text.part(word))) {
            if (part.begin < part.end)
                words.push_back({word.begin + part.begin, word.begin + part.end});
        }
    }
    list.words = std::move(words);
}

} // namespace headscope
