#pragma once

#include "core/text/files/json_part.h"
#include "core/text/splitting/word_splitter.h"

namespace headscope {

/// What a list of pre-tokenizers says besides how words are cut.
struct SplitterSpelling
{
    bool byteLevel = false;
    bool isByteLevelAlone = false; ///< nothing else cuts or changes the text
    bool addPrefixSpace = false;   ///< of a ByteLevel
    bool splitsWords = false;      ///< of a ByteLevel
    std::string space;             ///< of a Metaspace
};

SplitterPtr readSplitter(const JsonPart& part, SplitterSpelling& spelling);

} // namespace headscope
