#include "core/text/files/tokenizer_json.h"
#include "core/text/files/tokenizer_file.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/use_tokenizer.h"

namespace headscope::fuzz {

bool readTokenizerJson(std::string_view file)
{
    constexpr const char* kName = "tokenizer.json";
    return accepts(kName, [&] { useTokenizer(*parseTokenizerJson(file, kName)); });
}

} // namespace headscope::fuzz
