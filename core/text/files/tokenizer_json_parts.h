#pragma once

#include "core/text/splitting/added_tokens.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <span>

namespace headscope {

/// What Hugging Face's tokenizer.json says in the same way for tokenizers of every kind.

nlohmann::ordered_json addedTokensJson(const std::vector<AddedToken>& tokens);

/// The tokens around a text, or null when there are none.
nlohmann::ordered_json postProcessorJson(std::span<const TokenId> prefix,
                                         std::span<const TokenId> suffix,
                                         const std::function<const std::string&(TokenId)>& textOf);

/// {"token": id, ...} in the order of ids; tokens are there once.
nlohmann::ordered_json vocabularyObject(const std::vector<std::string>& tokens);

} // namespace headscope
