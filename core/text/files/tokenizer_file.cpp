#include "core/text/files/tokenizer_file.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/text/files/bpe_vocabulary_json.h"
#include "core/text/files/json_part.h"
#include "core/text/files/sentencepiece_file.h"
#include "core/text/files/tokenizer_json.h"
#include "core/text/files/tokenizer_json_writer.h"
#include "core/text/files/vocabulary_and_merges.h"
#include "core/text/files/vocabulary_text.h"

#include <fmt/format.h>

namespace headscope {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;
constexpr std::uint64_t kLargestConfig = std::uint64_t{8} << 20;

std::string read(const fs::path& path)
{
    return readFile(path, kLargestFile);
}

bool isPresent(const fs::path& path)
{
    std::error_code ignored;
    return fs::exists(path, ignored);
}

/// Contents of tokenizer_config.json in a folder; an empty object when there is none.
json configIn(const fs::path& folder)
{
    const fs::path path = folder / "tokenizer_config.json";
    return isPresent(path) ? parseJson(readFile(path, kLargestConfig), path.string())
                           : json::object();
}

std::shared_ptr<const BpeTokenizer> loadPair(const fs::path& vocabulary, const fs::path& merges)
{
    return parseVocabularyAndMerges(read(vocabulary), read(merges), vocabulary.string());
}

std::shared_ptr<const Tokenizer> loadVocabularyText(const fs::path& path)
{
    const std::string where = (path.parent_path() / "tokenizer_config.json").string();
    const json config = configIn(path.parent_path());
    const JsonPart part(config, "tokenizer's configuration", where);
    BertNormalization normalization;
    normalization.lowerCase = part.flag("do_lower_case", true);
    normalization.stripAccents = part.flag("strip_accents", normalization.lowerCase);
    normalization.spaceCjk = part.flag("tokenize_chinese_chars", true);
    return parseVocabularyText(read(path), normalization, path.string());
}

/// SentencePiece adds nothing around a text; the models that use it do.
AddedEnds endsFor(const fs::path& folder)
{
    const std::string where = (folder / "tokenizer_config.json").string();
    const json config = configIn(folder);
    const JsonPart part(config, "tokenizer's configuration", where);
    const std::string kind = part.text("tokenizer_class", "");
    AddedEnds ends;
    ends.bos = part.flag("add_bos_token", kind.starts_with("Llama"));
    ends.eos = part.flag("add_eos_token", kind.starts_with("T5"));
    return ends;
}

std::shared_ptr<const Tokenizer> loadPieces(const fs::path& path)
{
    return makeTokenizer(parseSentencePiece(read(path), path.string()), endsFor(path.parent_path()),
                         path.string());
}

/// Empty when there is none.
fs::path tokenizerIn(const fs::path& folder)
{
    if (isPresent(folder / "tokenizer.json"))
        return folder / "tokenizer.json";
    if (isPresent(folder / "vocab.json") && isPresent(folder / "merges.txt"))
        return folder / "vocab.json";
    for (const char* name : {"vocab.txt", "spiece.model", "tokenizer.model"}) {
        if (isPresent(folder / name))
            return folder / name;
    }
    return {};
}

std::shared_ptr<const BpeTokenizer> asBpe(const std::shared_ptr<const Tokenizer>& tokenizer,
                                          const std::string& where)
{
    auto bpe = std::dynamic_pointer_cast<const BpeTokenizer>(tokenizer);
    if (bpe == nullptr)
        throw FormatError(fmt::format("the tokenizer is of the kind {}, but byte-level BPE with "
                                      "all bytes is required",
                                      tokenizer->kind()),
                          where, std::nullopt, "Train one: headscope tokenize train --kind bpe");
    return bpe;
}

} // namespace

std::shared_ptr<const Tokenizer> loadTokenizer(const fs::path& path)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        const fs::path file = tokenizerIn(path);
        if (file.empty())
            throw FormatError("no tokenizer in this folder", path.string(), std::nullopt,
                              "Put tokenizer.json there, or vocab.json and merges.txt, or "
                              "vocab.txt, or spiece.model");
        return loadTokenizer(file);
    }
    if (path.filename() == "vocab.json")
        return loadPair(path, path.parent_path() / "merges.txt");
    if (path.filename() == "merges.txt")
        return loadPair(path.parent_path() / "vocab.json", path);
    if (path.extension() == ".txt")
        return loadVocabularyText(path);
    if (path.extension() == ".model")
        return loadPieces(path);
    return parseTokenizerJson(read(path), path.string());
}

std::shared_ptr<const BpeTokenizer> loadBpeTokenizer(const fs::path& path)
{
    return asBpe(loadTokenizer(path), path.string());
}

bool hasTokenizer(const fs::path& folder)
{
    return !tokenizerIn(folder).empty();
}

void saveTokenizer(const BpeTokenizer& tokenizer, const fs::path& path)
{
    writeAtomically(path, toTokenizerJson(tokenizer));
}

} // namespace headscope
