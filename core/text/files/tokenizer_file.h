#pragma once

#include "core/text/normalizers/bert_normalizer.h"
#include "core/text/tokenizers/bpe_tokenizer.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace headscope {

/// A tokenizer.json, a vocab.json (merges.txt beside it), BERT's vocab.txt, a SentencePiece .model,
/// or a folder with one of these, in this order. What tokenizer_config.json beside them says about
/// vocab.txt and .model counts: lower case, tokens around a text.
/// Throws FormatError for anything damaged and for parts that Headscope does not support.
std::shared_ptr<const Tokenizer> loadTokenizer(const std::filesystem::path& path);

/// As loadTokenizer, for those who need byte-level BPE with all its bytes, as training does. Throws
/// FormatError for other kinds.
std::shared_ptr<const BpeTokenizer> loadBpeTokenizer(const std::filesystem::path& path);

/// Whether loadTokenizer would find a file in a folder.
bool hasTokenizer(const std::filesystem::path& folder);

/// Hugging Face's tokenizer.json; `where` stands for the file in errors. A BpeTokenizer where it is
/// byte-level BPE as of GPT-2.
std::shared_ptr<const Tokenizer> parseTokenizerJson(std::string_view json,
                                                    const std::string& where);

/// Throws FormatError for other kinds than byte-level BPE.
std::shared_ptr<const BpeTokenizer> parseBpeTokenizerJson(std::string_view json,
                                                          const std::string& where);

/// GPT-2's pair of files. Tokens that are neither a byte nor made by a merge and look like <...> or
/// [...] are taken for special ones, since these files do not say.
std::shared_ptr<const BpeTokenizer> parseVocabularyAndMerges(std::string_view vocabularyJson,
                                                             std::string_view merges,
                                                             const std::string& where);

/// BERT's vocab.txt: a token a line (see bertVocabulary).
std::shared_ptr<const Tokenizer> parseVocabularyText(std::string_view text,
                                                     const BertNormalization& normalization,
                                                     const std::string& where);

/// What Hugging Face tokenizers writes for the same tokenizer, and reads.
std::string toTokenizerJson(const BpeTokenizer& tokenizer);

/// Writes tokenizer.json atomically. Throws Error.
void saveTokenizer(const BpeTokenizer& tokenizer, const std::filesystem::path& path);

/// Writes vocab.json and merges.txt into `folder`.
void saveVocabularyAndMerges(const BpeTokenizer& tokenizer, const std::filesystem::path& folder);

} // namespace headscope
