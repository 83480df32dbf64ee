#include "gpu/attention/attention_call.h"

#include "gpu/attention/block_attention.h"
#include "gpu/attention/call_operands.h"
#include "gpu/attention/tiled_attention.h"

namespace headscope::gpu {

void runForward(const CallResources& resources, const AttentionInputs& inputs,
                const AttentionOutputs& outputs)
{
    Call call(resources, inputs);
    OperandMemory& memory = call.memory();
    const AttentionGeometry& g = call.geometry();
    const auto context = memory.write("context", outputs.context);
    std::optional<OperandMemory::Id> statistic, pattern, scores;
    if (outputs.logSumExp)
        statistic = memory.write("rowStatistic", withRowAxis(outputs.logSumExp));
    if (outputs.pattern)
        pattern = memory.write("pattern", outputs.pattern);
    if (outputs.scores)
        scores = memory.write("scores", outputs.scores);
    call.upload();

    const Placed statisticAt =
        statistic ? memory.placed(*statistic)
                  : call.denseScratch("rowStatisticScratch", g.queryHeads, g.queryTokens, 1);
    KernelParameters& p = call.parameters;
    p.context = memory.placed(context).view;
    p.rowStatistic = statisticAt.view;
    const bool isBlock = resources.spec.family == KernelFamily::Block;
    (isBlock ? forwardBlocks : forwardTiles)(call, memory.placed(context), statisticAt);
    if (pattern || scores) {
        p.features |= (pattern ? kWantPattern : 0) | (scores ? kWantScores : 0);
        p.pattern = pattern ? memory.placed(*pattern).view : KernelView();
        p.scores = scores ? memory.placed(*scores).view : KernelView();
        const cl_mem any = memory.placed(pattern ? *pattern : *scores).buffer;
        (isBlock ? mapBlocks : mapTiles)(call, statisticAt,
                                         pattern ? memory.placed(*pattern).buffer : any,
                                         scores ? memory.placed(*scores).buffer : any);
    }
    call.finish();
}

void runBackward(const CallResources& resources, const AttentionInputs& inputs,
                 const AttentionSaved& saved, const AttentionGradients& gradients)
{
    Call call(resources, inputs);
    OperandMemory& memory = call.memory();
    const auto context = memory.read("context", saved.context);
    const auto statistic = memory.read("rowStatistic", withRowAxis(saved.logSumExp));
    const auto contextGradient = memory.read("contextGradient", saved.contextGradient);
    const auto queries = memory.write("queryGradient", gradients.queries);
    const auto keys = memory.write("keyGradient", gradients.keys);
    const auto values = memory.write("valueGradient", gradients.values);
    std::optional<OperandMemory::Id> bias;
    if (gradients.bias)
        bias = memory.write("biasGradient", withBatchAxis(gradients.bias));
    call.upload();

    BackwardBuffers b{memory.placed(context),
                      memory.placed(statistic),
                      memory.placed(contextGradient),
                      memory.placed(queries),
                      memory.placed(keys),
                      memory.placed(values),
                      std::nullopt};
    KernelParameters& p = call.parameters;
    p.context = b.context.view;
    p.rowStatistic = b.statistic.view;
    p.contextGradient = b.contextGradient.view;
    p.queryGradient = b.queries.view;
    p.keyGradient = b.keys.view;
    p.valueGradient = b.values.view;
    if (bias) {
        b.bias = memory.placed(*bias);
        p.biasGradient = b.bias->view;
    }
    (resources.spec.family == KernelFamily::Block ? backwardBlocks : backwardTiles)(call, b);
    call.finish();
}

} // namespace headscope::gpu
