#include "core/text/files/tokenizer_file.h"
#include "core/text/files/vocabulary_and_merges.h"
#include "core/text/files/vocabulary_text.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/use_tokenizer.h"

namespace headscope::fuzz {

bool readVocabulary(std::string_view file)
{
    constexpr const char* kText = "vocab.txt";
    constexpr const char* kPair = "vocab.json";
    const bool isText = accepts(
        kText, [&] { useTokenizer(*parseVocabularyText(file, BertNormalization{}, kText)); });
    const bool isPair = accepts(kPair, [&] {
        useTokenizer(*parseVocabularyAndMerges(part(file, 0, 2), part(file, 1, 2), kPair));
    });
    return isText || isPair;
}

} // namespace headscope::fuzz
