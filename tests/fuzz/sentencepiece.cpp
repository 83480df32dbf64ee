#include "core/text/files/sentencepiece_file.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/use_tokenizer.h"

namespace headscope::fuzz {

bool readSentencePiece(std::string_view file)
{
    constexpr const char* kName = "spiece.model";
    const auto read = [&](AddedEnds ends) {
        return accepts(kName, [&] {
            useTokenizer(*makeTokenizer(parseSentencePiece(file, kName), ends, kName));
        });
    };
    const bool accepted = read({});
    read({true, true});
    return accepted;
}

} // namespace headscope::fuzz
