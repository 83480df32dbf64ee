#pragma once

#include "core/text/files/tokenizer_json_writer.h"
#include "core/text/tokenizers/unigram_tokenizer.h"
#include "core/text/tokenizers/wordpiece_tokenizer.h"

#include <filesystem>
#include <string>

namespace headscope {

/// Writes a tokenizer.json that Hugging Face tokenizers reads as the same tokenizer.
std::string toTokenizerJson(const WordPieceTokenizer& tokenizer);
std::string toTokenizerJson(const UnigramTokenizer& tokenizer);

/// Writes tokenizer.json atomically. Throws Error.
void saveTokenizer(const WordPieceTokenizer& tokenizer, const std::filesystem::path& path);
void saveTokenizer(const UnigramTokenizer& tokenizer, const std::filesystem::path& path);

} // namespace headscope
