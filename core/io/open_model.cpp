#include "core/io/open_model.h"

#include "core/base/error.h"
#include "core/io/chat_template_file.h"
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

} // namespace

OpenedModel openHuggingFaceModel(const fs::path& folder, Progress& progress)
{
    progress.requireGoingOn();
    const StoredModel stored = findHuggingFaceModel(folder);
    std::shared_ptr<const Tokenizer> tokenizer;
    if (hasTokenizer(folder)) {
        tokenizer = loadTokenizer(folder);
        checkTokenizer(*tokenizer, stored, folder.string());
    }
    OpenedModel opened = finish(stored, std::move(tokenizer), folder, progress);
    takeChatTemplate(opened.model, [&] { return readChatTemplate(folder); });
    return opened;
}

OpenedModel openGgufModel(const fs::path& path, Progress& progress)
{
    progress.requireGoingOn();
    const GgufFile file = GgufFile::open(path);
    const StoredModel stored = findGgufModel(file);
    std::shared_ptr<const Tokenizer> tokenizer;
    if (file.metadata().has("tokenizer.ggml.model")) {
        progress.requireGoingOn();
        tokenizer = makeTokenizer(ggufVocabulary(file), path.string());
        checkTokenizer(*tokenizer, stored, path.string());
    }
    OpenedModel opened = finish(stored, std::move(tokenizer), path, progress);
    takeChatTemplate(opened.model, [&] { return readChatTemplate(file, path); });
    return opened;
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
