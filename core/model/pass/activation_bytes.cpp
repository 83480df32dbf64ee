#include "core/model/pass/activation_bytes.h"

#include "core/model/pass/model_program.h"

namespace headscope {

std::int64_t activationBytes(const ModelProgram& program, std::int64_t tokens,
                             std::int64_t sourceTokens)
{
    const std::int64_t floatSize = sizeof(float);
    const std::int64_t main = program.main.arenaSize({tokens, tokens, sourceTokens}, true);
    const std::int64_t encoder =
        program.encoder ? program.encoder->arenaSize({sourceTokens, sourceTokens, 0}, true) : 0;
    return (main + encoder) * floatSize;
}

} // namespace headscope
