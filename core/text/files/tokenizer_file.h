#pragma once

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

/// Writes tokenizer.json atomically. Throws Error.
void saveTokenizer(const BpeTokenizer& tokenizer, const std::filesystem::path& path);

} // namespace headscope
