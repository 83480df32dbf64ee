#pragma once

#include "core/text/files/json_part.h"
#include "core/text/tokenizers/token_table.h"

namespace headscope {

/// Tokens before and after a text.
struct Surroundings
{
    std::vector<TokenId> prefix;
    std::vector<TokenId> suffix;
};

Surroundings readPostProcessor(const JsonPart& part, const TokenTable& table);

} // namespace headscope
