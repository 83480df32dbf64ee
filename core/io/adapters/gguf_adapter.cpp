#include "core/io/adapters/gguf_adapter.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/io/gguf/gguf_file.h"
#include "core/tensor/block_format.h"

#include <fmt/format.h>
#include <map>

namespace headscope {

namespace {

constexpr std::string_view kEndA = ".weight.lora_a";
constexpr std::string_view kEndB = ".weight.lora_b";

Tensor matrixOf(const GgufFile& file, const GgufTensor& tensor)
{
    if (tensor.shape.size() != 2)
        throw FormatError(
            fmt::format("the tensor {} has {} axes", inQuotes(tensor.name), tensor.shape.size()),
            file.path(), tensor.infoOffset, "Only updates of matrices are applied");
    const std::optional<BlockFormat> format = blockFormatOfGgml(tensor.type->number);
    if (!format)
        throw FormatError(fmt::format("the tensor {} is stored as {}, which is not supported",
                                      inQuotes(tensor.name), tensor.type->name),
                          file.path(), tensor.infoOffset, "Store the adapter as F32 or F16");
    Tensor values(Shape{tensor.shape[0], tensor.shape[1]});
    unpack(*format, tensor.bytes, values.values());
    return values;
}

std::vector<StoredLoraPair> pairsOf(const GgufFile& file)
{
    std::map<std::string, StoredLoraPair> pairs;
    for (const GgufTensor& tensor : file.tensors()) {
        const bool isB = tensor.name.ends_with(kEndB);
        if (!isB && !tensor.name.ends_with(kEndA))
            throw FormatError(fmt::format("the tensor {} is no LoRA matrix", inQuotes(tensor.name)),
                              file.path(), tensor.infoOffset,
                              "Only pairs of .lora_a and .lora_b are applied");
        const std::string module = tensor.name.substr(0, tensor.name.size() - kEndA.size());
        StoredLoraPair& pair = pairs[module];
        pair.module = module;
        pair.isEmbedding = module == "token_embd";
        (isB ? pair.b : pair.a) = matrixOf(file, tensor);
    }
    std::vector<StoredLoraPair> all;
    for (auto& [module, pair] : pairs) {
        if (pair.a.empty() || pair.b.empty())
            throw FormatError(fmt::format("{} has no matrix lora_{}", inQuotes(module),
                                          pair.a.empty() ? "a" : "b"),
                              file.path(), std::nullopt, "The adapter is incomplete");
        if (pair.isEmbedding)
            pair.a = transposed(pair.a);
        all.push_back(std::move(pair));
    }
    return all;
}

} // namespace

bool isGgufAdapter(const GgufFile& file)
{
    return file.metadata().text("general.type", "") == "adapter";
}

StoredAdapter readGgufAdapter(const std::filesystem::path& path)
{
    const GgufFile file = GgufFile::open(path);
    const GgufMetadata& metadata = file.metadata();
    if (!isGgufAdapter(file))
        throw FormatError("a GGUF file that is no adapter", file.path(), std::nullopt,
                          "Give a file with general.type = adapter, or open this one as a model");
    if (metadata.text("adapter.type", "") != "lora")
        throw metadata.refusal("adapter.type", "Only LoRA adapters are applied");
    const double alpha = metadata.number("adapter.lora.alpha");
    StoredAdapter adapter;
    adapter.path = file.path();
    adapter.architecture = metadata.text("general.architecture");
    adapter.pairs = pairsOf(file);
    for (StoredLoraPair& pair : adapter.pairs)
        pair.scale = alpha == 0.0 ? 1.0 : alpha / static_cast<double>(pair.b.shape()[1]);
    file.map()->requireUnchanged();
    checkPairs(adapter);
    return adapter;
}

} // namespace headscope
