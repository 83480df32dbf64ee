#include "core/io/hugging_face/fused_weights.h"

namespace headscope {

void describePerHead(const WeightContext& context, StoredWeight& weight)
{
    if (context.name.queryKeyValue() < 0)
        return;
    weight.part = context.name.queryKeyValue();
    weight.parts = 3;
    weight.groups = context.config.heads;
}

void dropOutputBias(const WeightContext& context, StoredWeight& weight)
{
    if (context.name.part == "attn.o" && context.name.kind == "bias" &&
        !context.config.hasQueryKeyValueBias())
        weight.names.clear();
}

} // namespace headscope
