#pragma once

#include "core/text/tokenizers/bpe_tokenizer.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace headscope {

/// Loads a tokenizer.json, a vocab.json (merges.txt beside it), BERT's vocab.txt, a SentencePiece
/// .model, or a folder with one of these, in this order. Settings in tokenizer_config.json beside
/// them apply to vocab.txt and .model: lower case, tokens around a text. Throws FormatError for
/// anything damaged and for parts that Headscope does not support.
std::shared_ptr<const Tokenizer> loadTokenizer(const std::filesystem::path& path);

/// Like loadTokenizer, for callers such as training that require byte-level BPE with all its bytes.
/// Throws FormatError for other kinds.
std::shared_ptr<const BpeTokenizer> loadBpeTokenizer(const std::filesystem::path& path);

/// True when loadTokenizer would find a file in the folder.
bool hasTokenizer(const std::filesystem::path& folder);

/// Writes tokenizer.json atomically. Throws Error.
void saveTokenizer(const BpeTokenizer& tokenizer, const std::filesystem::path& path);

} // namespace headscope
