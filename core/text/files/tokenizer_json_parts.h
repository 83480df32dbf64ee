#pragma once

#include "core/text/splitting/added_tokens.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <span>

namespace headscope {

/// Parts of Hugging Face's tokenizer.json that are the same for tokenizers of every kind.

nlohmann::ordered_json addedTokensJson(const std::vector<AddedToken>& tokens);

/// Tokens around a text, or null when there are none.
nlohmann::ordered_json postProcessorJson(std::span<const TokenId> prefix,
                                         std::span<const TokenId> suffix,
                                         const std::function<const std::string&(TokenId)>& textOf);

/// Writes {"token": id, ...} in the order of ids, each token once.
nlohmann::ordered_json vocabularyObject(const std::vector<std::string>& tokens);

} // namespace headscope
