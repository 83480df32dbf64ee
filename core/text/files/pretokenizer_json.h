#pragma once

#include "core/text/files/json_part.h"
#include "core/text/splitting/word_splitter.h"

namespace headscope {

/// Settings of a list of pre-tokenizers besides how words are split.
struct SplitterSpelling
{
    bool byteLevel = false;
    bool isByteLevelAlone = false; ///< Nothing else splits or changes the text.
    bool addPrefixSpace = false;   ///< Setting of a ByteLevel.
    bool splitsWords = false;      ///< Setting of a ByteLevel.
    std::string space;             ///< Mark of a Metaspace.
};

WordSplitter readSplitter(const JsonPart& part, SplitterSpelling& spelling);

} // namespace headscope
