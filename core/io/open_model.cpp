#include "core/io/open_model.h"

#include "core/base/error.h"
#include "core/io/adapters/peft_adapter.h"
#include "core/io/adapters/stored_adapter.h"
#include "core/io/chat_template_file.h"
#include "core/io/checkpoint.h"
#include "core/io/gguf/gguf_model.h"
#include "core/io/hugging_face/hugging_face.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/tokenizers/id_tokenizer.h"

#include <fmt/format.h>

#include <array>
#include <fstream>

namespace headscope {

namespace {

namespace fs = std::filesystem;

/// Checks sizes: an embedding matrix often has more rows than the vocabulary has tokens, never
/// fewer.
void checkTokenizer(const Tokenizer& tokenizer, const StoredModel& model, const std::string& where)
{
    const std::int64_t rows = model.config.vocabularySize;
    if (tokenizer.vocabularySize() > static_cast<std::size_t>(rows))
        throw FormatError(fmt::format("the tokenizer has {} tokens, but the model has {}",
                                      tokenizer.vocabularySize(), rows),
                          where, std::nullopt, "Use the tokenizer that came with the model");
}

OpenedModel finish(const StoredModel& stored, std::shared_ptr<const Tokenizer> tokenizer,
                   const fs::path& path, Progress& progress)
{
    OpenedModel opened;
    const std::vector<TensorNumbers> numbers = readNumbers(stored, progress);
    requireFinite(stored, numbers);
    opened.audit = auditModel(stored, numbers, tokenizer.get());
    if (!tokenizer)
        tokenizer = std::make_shared<const IdTokenizer>(
            static_cast<std::size_t>(stored.config.vocabularySize));
    opened.model.name = path.string();
    opened.model.model = std::make_shared<const Model>(makeModel(stored));
    opened.model.tokenizer = std::move(tokenizer);
    return opened;
}

/// A template that cannot be used is no reason to refuse the model.
template<class Read>
void takeChatTemplate(LoadedModel& model, const Read& read)
{
    try {
        model.chatTemplate = std::make_shared<const ChatTemplate>(read());
    } catch (const Error& error) {
        model.chatError = std::make_shared<const Error>(error);
    }
}

/// Null where the file has none.
std::shared_ptr<const Tokenizer> tokenizerIn(const GgufFile& file)
{
    return file.metadata().has("tokenizer.ggml.model")
               ? makeTokenizer(ggufVocabulary(file), file.path())
               : nullptr;
}

OpenedModel openHuggingFace(const fs::path& folder, Progress& progress,
                            std::shared_ptr<const Tokenizer> tokenizer)
{
    progress.requireGoingOn();
    const StoredModel stored = findHuggingFaceModel(folder);
    if (hasTokenizer(folder))
        tokenizer = loadTokenizer(folder);
    if (tokenizer)
        checkTokenizer(*tokenizer, stored, folder.string());
    OpenedModel opened = finish(stored, std::move(tokenizer), folder, progress);
    takeChatTemplate(opened.model, [&] { return readChatTemplate(folder); });
    return opened;
}

OpenedModel openGguf(const fs::path& path, Progress& progress,
                     std::shared_ptr<const Tokenizer> tokenizer)
{
    progress.requireGoingOn();
    const GgufFile file = GgufFile::open(path);
    const StoredModel stored = findGgufModel(file);
    progress.requireGoingOn();
    if (auto own = tokenizerIn(file))
        tokenizer = std::move(own);
    if (tokenizer)
        checkTokenizer(*tokenizer, stored, path.string());
    OpenedModel opened = finish(stored, std::move(tokenizer), path, progress);
    takeChatTemplate(opened.model, [&] { return readChatTemplate(file, path); });
    return opened;
}

OpenedModel openCheckpoint(const fs::path& path, Progress& progress,
                           std::shared_ptr<const Tokenizer> tokenizer)
{
    progress.requireGoingOn();
    OpenedModel opened;
    opened.model = loadCheckpoint(path);
    const bool isWithout = opened.model.tokenizer->kind() == "ids"; // see loadCheckpoint
    if (isWithout && tokenizer) {
        StoredModel sizes;
        sizes.config = opened.model.model->config();
        checkTokenizer(*tokenizer, sizes, path.string());
        opened.model.tokenizer = std::move(tokenizer);
    }
    const bool hasTokens = opened.model.tokenizer->kind() != "ids";
    opened.audit =
        auditParameters(*opened.model.model, hasTokens ? opened.model.tokenizer.get() : nullptr);
    opened.audit.path = opened.model.name;
    return opened;
}

bool isWeightFile(const fs::path& path)
{
    std::error_code error;
    const std::string extension = path.extension().string();
    return (extension == ".gguf" || extension == ".safetensors") &&
           fs::is_regular_file(path, error);
}

/// The only weight file in a folder; none where there are several.
std::optional<fs::path> weightFileIn(const fs::path& folder)
{
    constexpr int kMostEntries = 1000; // a checkpoint has a dozen
    std::optional<fs::path> found;
    std::error_code error;
    int entries = 0;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const bool isWeights = isWeightFile(it->path());
        if (++entries > kMostEntries || (isWeights && found))
            return std::nullopt;
        if (isWeights)
            found = it->path();
    }
    return found;
}

std::uint64_t weightBytes(const fs::path& path)
{
    std::error_code error;
    if (!fs::is_directory(path, error))
        return fs::file_size(path, error);
    std::uint64_t bytes = 0;
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
        std::error_code ignored;
        const auto size = isWeightFile(it->path()) ? fs::file_size(it->path(), ignored) : 0;
        bytes += ignored ? 0 : size;
    }
    return bytes;
}

fs::path requireModelPath(const fs::path& path)
{
    if (isPeftFolder(path) && !isHuggingFaceFolder(path))
        throw Error("this is a LoRA adapter, not a model", path.string(), kAdapterAdvice);
    const auto found = modelPath(path);
    if (!found)
        throw FormatError("this is not a model", path.string(), std::nullopt,
                          "Give a folder with config.json and model.safetensors, a GGUF file, or "
                          "a checkpoint");
    return *found;
}

} // namespace

OpenedModel openHuggingFaceModel(const fs::path& folder, Progress& progress)
{
    return openHuggingFace(folder, progress, nullptr);
}

OpenedModel openGgufModel(const fs::path& path, Progress& progress)
{
    return openGguf(path, progress, nullptr);
}

OpenedModel openModelAt(const fs::path& path, Progress& progress,
                        std::shared_ptr<const Tokenizer> tokenizer)
{
    const fs::path model = requireModelPath(path);
    OpenedModel opened;
    if (isHuggingFaceFolder(model))
        opened = openHuggingFace(model, progress, std::move(tokenizer));
    else if (model.extension() == ".gguf" || isGgufFile(model))
        opened = openGguf(model, progress, std::move(tokenizer));
    else
        opened = openCheckpoint(model, progress, std::move(tokenizer));
    opened.model.name = path.string();
    return opened;
}

std::optional<fs::path> modelPath(const fs::path& path)
{
    std::error_code error;
    if (isHuggingFaceFolder(path))
        return path;
    if (fs::is_directory(path, error))
        return weightFileIn(path);
    if (!isWeightFile(path))
        return isGgufFile(path) ? std::optional(path) : std::nullopt;
    const bool isShard = path.filename().string().starts_with("model") &&
                         path.extension() == ".safetensors" &&
                         isHuggingFaceFolder(fs::absolute(path).parent_path());
    return isShard ? fs::absolute(path).parent_path() : path;
}

ModelFacts readModelFacts(const fs::path& path)
{
    const fs::path model = requireModelPath(path);
    ModelFacts facts;
    facts.bytes = weightBytes(model);
    if (isHuggingFaceFolder(model)) {
        facts.config = findHuggingFaceModel(model).config;
        facts.hasTokenizer = hasTokenizer(model);
    } else if (model.extension() == ".gguf" || isGgufFile(model)) {
        const GgufFile file = GgufFile::open(model);
        facts.config = findGgufModel(file).config;
        facts.hasTokenizer = file.metadata().has("tokenizer.ggml.model");
    } else {
        std::error_code error;
        facts.config = readCheckpointConfig(model);
        facts.hasTokenizer = fs::exists(checkpointTokenizer(model), error);
    }
    return facts;
}

std::shared_ptr<const Tokenizer> loadModelTokenizer(const fs::path& path)
{
    const fs::path model = requireModelPath(path);
    std::error_code error;
    if (isHuggingFaceFolder(model))
        return hasTokenizer(model) ? loadTokenizer(model) : nullptr;
    if (model.extension() == ".gguf" || isGgufFile(model))
        return tokenizerIn(GgufFile::open(model));
    const fs::path beside = checkpointTokenizer(model);
    return fs::exists(beside, error) ? loadTokenizer(beside) : nullptr;
}

bool isHuggingFaceFolder(const fs::path& path)
{
    std::error_code error;
    return fs::is_directory(path, error) && fs::exists(path / "config.json", error) &&
           (fs::exists(path / "model.safetensors", error) ||
            fs::exists(path / "model.safetensors.index.json", error));
}

bool isGgufFile(const fs::path& path)
{
    std::error_code error;
    if (!fs::is_regular_file(path, error))
        return false;
    std::array<char, 4> magic{};
    std::ifstream file(path, std::ios::binary);
    return file.read(magic.data(), magic.size()) && magic == std::array{'G', 'G', 'U', 'F'};
}

} // namespace headscope
