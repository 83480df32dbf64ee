#include "core/io/gguf/gguf_file.h"
#include "core/io/gguf/gguf_model.h"
#include "core/tensor/block_format.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/use_model.h"
#include "tests/fuzz/use_tokenizer.h"

namespace headscope::fuzz {

namespace {

constexpr const char* kName = "fuzz.gguf";

/// By every question that the file can be asked; those of another kind than the value are refused.
void useMetadata(const GgufFile& file)
{
    for (const auto& entry : file.metadata().values()) {
        const std::string& key = entry.first;
        accepts(kName, [&] { file.metadata().integer(key); });
        accepts(kName, [&] { file.metadata().number(key); });
        accepts(kName, [&] { file.metadata().flag(key); });
        accepts(kName, [&] { file.metadata().text(key); });
        accepts(kName, [&] { file.metadata().texts(key); });
        accepts(kName, [&] { file.metadata().integers(key); });
        accepts(kName, [&] { file.metadata().numbers(key); });
        requireOneSentence(file.metadata().refusal(key, "Something else was expected"), kName);
    }
}

void useTensors(const GgufFile& file, std::size_t fileBytes)
{
    std::size_t bytes = 0;
    for (const GgufTensor& tensor : file.tensors()) {
        require(file.find(tensor.name) == &tensor, "a tensor that is not found by its name");
        bytes += tensor.bytes.size();
        const auto format = blockFormatOfGgml(tensor.type->number);
        if (!format)
            continue;
        std::vector<float> values(static_cast<std::size_t>(tensor.elementCount()));
        unpack(*format, tensor.bytes, values);
    }
    require(bytes <= fileBytes, "more bytes in tensors than in the file");
}

} // namespace

bool readGguf(std::string_view file)
{
    std::optional<GgufFile> read;
    if (!accepts(kName, [&] { read = GgufFile::fromMemory(bytesOf(file), kName); }))
        return false;
    useMetadata(*read);
    useTensors(*read, file.size());
    accepts(kName, [&] { useTokenizer(*makeTokenizer(ggufVocabulary(*read), kName)); });
    return accepts(kName, [&] { useStoredModel(findGgufModel(*read)); });
}

} // namespace headscope::fuzz
