#pragma once

#include "core/text/bpe_tokenizer.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace headscope {

/// A tokenizer.json, a vocab.json (merges.txt beside it), or a folder with one of these.
/// Throws FormatError for anything damaged and for parts that Headscope does not support.
std::shared_ptr<const BpeTokenizer> loadTokenizer(const std::filesystem::path& path);

/// Hugging Face's tokenizer.json; `where` stands for the file in errors.
std::shared_ptr<const BpeTokenizer> parseTokenizerJson(std::string_view json,
                                                       const std::string& where);

/// GPT-2's pair of files. Tokens that are neither a byte nor made by a merge and look like <...> or
/// [...] are taken for special ones, since these files do not say.
std::shared_ptr<const BpeTokenizer> parseVocabularyAndMerges(std::string_view vocabularyJson,
                                                             std::string_view merges,
                                                             const std::string& where);

/// What Hugging Face tokenizers writes for the same tokenizer, and reads.
std::string toTokenizerJson(const BpeTokenizer& tokenizer);

/// Writes tokenizer.json atomically. Throws Error.
void saveTokenizer(const BpeTokenizer& tokenizer, const std::filesystem::path& path);

/// Writes vocab.json and merges.txt into `folder`.
void saveVocabularyAndMerges(const BpeTokenizer& tokenizer, const std::filesystem::path& folder);

} // namespace headscope
