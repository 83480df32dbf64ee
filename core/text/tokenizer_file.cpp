#include "core/text/tokenizer_file.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/text/bpe_vocabulary_json.h"

namespace headscope {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{256} << 20;

std::string read(const fs::path& path)
{
    return readFile(path, kLargestFile);
}

std::shared_ptr<const BpeTokenizer> loadPair(const fs::path& vocabulary, const fs::path& merges)
{
    return parseVocabularyAndMerges(read(vocabulary), read(merges), vocabulary.string());
}

bool isPresent(const fs::path& path)
{
    std::error_code ignored;
    return fs::exists(path, ignored);
}

std::shared_ptr<const BpeTokenizer> loadFolder(const fs::path& folder)
{
    if (isPresent(folder / "tokenizer.json"))
        return loadTokenizer(folder / "tokenizer.json");
    if (isPresent(folder / "vocab.json") && isPresent(folder / "merges.txt"))
        return loadPair(folder / "vocab.json", folder / "merges.txt");
    throw FormatError("no tokenizer in this folder", folder.string(), std::nullopt,
                      "Put tokenizer.json, or vocab.json and merges.txt there");
}

} // namespace

std::shared_ptr<const BpeTokenizer> loadTokenizer(const fs::path& path)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
        return loadFolder(path);
    if (path.filename() == "vocab.json")
        return loadPair(path, path.parent_path() / "merges.txt");
    if (path.filename() == "merges.txt")
        return loadPair(path.parent_path() / "vocab.json", path);
    return parseTokenizerJson(read(path), path.string());
}

void saveTokenizer(const BpeTokenizer& tokenizer, const fs::path& path)
{
    writeAtomically(path, toTokenizerJson(tokenizer));
}

void saveVocabularyAndMerges(const BpeTokenizer& tokenizer, const fs::path& folder)
{
    writeAtomically(folder / "vocab.json", vocabularyJson(tokenizer.vocabulary()));
    writeAtomically(folder / "merges.txt", mergesText(tokenizer.vocabulary()));
}

} // namespace headscope
