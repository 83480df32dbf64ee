#include "core/io/checkpoint.h"

#include "core/text/files/tokenizer_file.h"
#include "core/text/files/tokenizer_json_writer.h"
#include "core/text/training/bpe_trainer.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/use_model.h"

namespace headscope::fuzz {

namespace {

constexpr const char* kName = "fuzz.safetensors";

std::string byteTokenizerJson()
{
    BpeTrainerSettings settings;
    settings.vocabularySize = 257; // end of text and the bytes
    return toTokenizerJson(*trainBpe({}, settings));
}

} // namespace

bool readCheckpoint(std::string_view file)
{
    static const std::string tokenizer = byteTokenizerJson();
    return accepts(kName, [&] { useModel(loadCheckpoint(bytesOf(file), tokenizer, kName).model); });
}

} // namespace headscope::fuzz
