#include "tests/support/tiny_model.h"

#include "core/base/atomic_write.h"
#include "core/io/checkpoint.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/files/tokenizer_json_writer.h"
#include "core/text/training/bpe_trainer.h"

namespace headscope::test {

namespace {

std::shared_ptr<const BpeTokenizer> tinyTokenizer()
{
    constexpr std::string_view text = "the cat sat on the mat because the cat was tired";
    BpeTrainerSettings settings;
    settings.vocabularySize = 270;
    return trainBpe(std::span(&text, 1), settings);
}

} // namespace

std::string tinyTokenizerJson()
{
    return toTokenizerJson(*tinyTokenizer());
}

LoadedModel tinyModel(std::uint64_t seed)
{
    const auto tokenizer = tinyTokenizer();
    ModelConfig config;
    config.vocabularySize = static_cast<std::int64_t>(tokenizer->vocabularySize());
    config.dModel = 8;
    config.heads = 2;
    config.layers = 2;
    config.dFf = 16;
    config.maxLen = 32;
    config.initStd = 0.5;
    LoadedModel loaded;
    loaded.name = "tiny";
    loaded.model = std::make_shared<const Model>(Model::initialised(config, seed));
    loaded.tokenizer = tokenizer;
    return loaded;
}

std::filesystem::path saveTinyModel(const std::filesystem::path& folder, std::uint64_t seed)
{
    const std::filesystem::path path = folder / "model.safetensors";
    saveCheckpoint(path, *tinyModel(seed).model);
    writeAtomically(folder / "tokenizer.json", tinyTokenizerJson());
    return path;
}

} // namespace headscope::test
