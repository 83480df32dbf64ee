#include "core/text/mask_token.h"

namespace headscope {

std::optional<TokenId> maskToken(const Tokenizer& tokenizer)
{
    for (const char* name : {"[MASK]", "<mask>"})
        if (const auto id = tokenizer.find(name))
            return id;
    return std::nullopt;
}

} // namespace headscope
