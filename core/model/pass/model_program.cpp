#include "core/model/pass/model_program.h"

#include "core/model/layers/stack_builder.h"
#include "core/model/positions/layer_ropes.h"
#include "core/model/positions/position_encodings.h"

namespace headscope {

namespace {

/// Tables of texts within the original length, which scalings by length leave unchanged.
PositionTables tablesOf(const ModelConfig& config)
{
    PositionTables tables;
    const PositionEncoding& encoding = encodingOf(config);
    tables.vectors = encoding.vectors(config, config.maxLen, config.sinusoidalBase);
    tables.slopes = encoding.slopes(config);
    tables.layerRopes = layerRopes(config);
    if (config.ropeDimensions() > 0)
        for (const RopeSettings& rope : ropesOf(config))
            tables.ropes.emplace_back(rope, config.ropeDimensions(), config.maxLen,
                                      rope.originalMaxLen);
    return tables;
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
    positions = tablesOf(config);
}

} // namespace headscope
