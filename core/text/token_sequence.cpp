#include "core/text/token_sequence.h"

namespace headscope {

std::vector<TokenId> TokenSequence::ids() const
{
    std::vector<TokenId> result;
    result.reserve(tokens.size());
    for (const Token& token : tokens)
        result.push_back(token.id);
    return result;
}

} // namespace headscope
