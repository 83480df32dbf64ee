#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headscope {

/// Vocabulary of a GGUF file: the values of the metadata tokenizer.ggml.*, unchecked. Missing lists
/// are empty.
struct StoredVocabulary
{
    /// Token types as in tokenizer.ggml.token_type.
    enum class Type : std::int32_t {
        Undefined = 0,
        Normal = 1,
        Unknown = 2,
        Control = 3,
        UserDefined = 4,
        Unused = 5,
        Byte = 6,
    };

    std::string model;                          ///< .model: "gpt2", "llama", "bert", "t5"
    std::string pre;                            ///< .pre: "llama-bpe", "smollm"; "" where missing
    std::vector<std::string> tokens;            ///< .tokens, by id
    std::vector<std::int32_t> types;            ///< .token_type, by id; numbers of Type
    std::vector<float> scores;                  ///< .scores, by id
    std::vector<std::string> merges;            ///< .merges: "left right", most frequent first
    std::optional<std::int64_t> bos;            ///< .bos_token_id
    std::optional<std::int64_t> eos;            ///< .eos_token_id
    std::optional<std::int64_t> unknown;        ///< .unknown_token_id
    std::optional<std::int64_t> padding;        ///< .padding_token_id
    std::optional<std::int64_t> separator;      ///< .seperator_token_id (so spelled in files)
    std::optional<std::int64_t> classification; ///< .cls_token_id
    std::optional<std::int64_t> mask;           ///< .mask_token_id
    std::optional<bool> addBos;                 ///< .add_bos_token; missing: the default of `model`
    std::optional<bool> addEos;                 ///< .add_eos_token
    std::optional<bool> addSpacePrefix;         ///< .add_space_prefix
    std::optional<bool> removeExtraSpaces;      ///< .remove_extra_whitespaces
    std::string charsMap;                       ///< .precompiled_charsmap: bytes
};

/// Throws FormatError, naming `where`, for an unsupported model or split rule, and for inconsistent
/// lists.
std::shared_ptr<const Tokenizer> makeTokenizer(const StoredVocabulary& vocabulary,
                                               const std::string& where);

} // namespace headscope
