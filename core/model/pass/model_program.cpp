#include "core/model/pass/model_program.h"

#include "core/model/layers/stack_builder.h"
#include "core/model/positions/position_encodings.h"

namespace headscope {

namespace {

RopeTable ropeTableOf(const ModelConfig& config)
{
    const std::int64_t dimensions = config.ropeDimensions();
    if (dimensions == 0)
        return {};
    RopeSettings settings = config.rope;
    if (settings.originalMaxLen == 0)
        settings.originalMaxLen = config.maxLen;
    // Dynamic scaling leaves texts within the original length unchanged.
    return {settings, dimensions, config.maxLen, settings.originalMaxLen};
}

Program encoderProgram(const ModelConfig& config, BuildCounters& counters, ValueRef& output)
{
    StackBuilder stack(config, Stack::Encoder, counters);
    ValueRef x = stack.embed();
    for (std::int64_t layer = 0; layer < config.layers; ++layer)
        x = stack.block(layer, x);
    output = stack.finalNorm(x);
    stack.keepOutput(output);
    return stack.finish();
}

Program mainProgram(const ModelConfig& config, BuildCounters& counters, ValueRef& output)
{
    const bool twoStacks = config.isEncoderDecoder();
    StackBuilder stack(config, twoStacks ? Stack::Decoder : Stack::Blocks, counters);
    const ValueRef memory = twoStacks ? stack.memory() : ValueRef();
    const std::int64_t layers = twoStacks ? config.decoderLayerCount() : config.layers;
    ValueRef x = stack.embed();
    for (std::int64_t layer = 0; layer < layers; ++layer)
        x = stack.block(layer, x, memory);
    output = stack.finalNorm(x);
    stack.heads(output);
    return stack.finish();
}

} // namespace

ModelProgram::ModelProgram(const ModelConfig& config)
{
    config.validate();
    BuildCounters counters;
    if (config.isEncoderDecoder())
        encoder = encoderProgram(config, counters, encoderOutput);
    main = mainProgram(config, counters, output);
    linears = std::move(counters.linears);
    expertLayers = counters.expertLayers;
    const PositionEncoding& encoding = encodingOf(config);
    positions = {ropeTableOf(config),
                 encoding.vectors(config, config.maxLen, config.sinusoidalBase),
                 encoding.slopes(config)};
}

} // namespace headscope
