#pragma once

#include "core/text/tokenizers/tokenizer.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headscope {

/// What a GGUF file says about its vocabulary: the values of the metadata tokenizer.ggml.*, as they
/// stand there, unchecked. Lists that are missing are empty.
struct StoredVocabulary
{
    /// As in tokenizer.ggml.token_type.
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
    std::optional<bool> addBos;                 ///< .add_bos_token; missing: what `model` does
    std::optional<bool> addEos;                 ///< .add_eos_token
    std::optional<bool> addSpacePrefix;         ///< .add_space_prefix
    std::optional<bool> removeExtraSpaces;      ///< .remove_extra_whitespaces
    std::string charsMap;                       ///< .precompiled_charsmap: bytes
};

/// Throws FormatError, which names `where`, for a model or split rule that is not known, and for
/// lists that do not fit each other.
std::shared_ptr<const Tokenizer> makeTokenizer(const StoredVocabulary& vocabulary,
                                               const std::string& where);

} // namespace headscope
