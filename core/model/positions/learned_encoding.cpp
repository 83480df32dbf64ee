#include "core/model/positions/learned_encoding.h"

namespace headscope {

LearnedEncoding::LearnedEncoding()
    : PositionEncoding({.kind = Positions::Learned,
                        .name = "learned",
                        .words = "learned positions",
                        .addsVectors = true})
{
}

std::optional<PositionParameter> LearnedEncoding::parameter(const ModelConfig& config) const
{
    return PositionParameter{"pos_emb.weight", {config.maxLen, config.embeddingDim()}};
}

} // namespace headscope
