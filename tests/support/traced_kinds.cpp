#include "tests/support/traced_kinds.h"

#include "core/attention/cpu_attention.h"
#include "tests/support/model_kinds.h"
#include "tests/support/small_models.h"

namespace headscope::test {

std::vector<std::pair<std::string, ModelConfig>> tracedKinds()
{
    std::vector<std::pair<std::string, ModelConfig>> kinds = modelKinds();
    ModelConfig growing;
    growing.vocabularySize = 37;
    growing.dModel = 24;
    growing.heads = 4;
    growing.layers = 2;
    growing.dFf = 40;
    growing.maxLen = 20;
    growing.positions = Positions::Rope;
    growing.rope.scaling = RopeSettings::Scaling::Dynamic;
    growing.rope.factor = 2.0;
    growing.rope.originalMaxLen = 4;
    kinds.emplace_back("rope, dynamic, outgrown", growing);
    for (auto& [name, config] : kinds)
        config.initStd = 0.3;
    return kinds;
}

LoadedModel kindModel(const ModelConfig& config)
{
    return smallModel(7, config);
}

bool hasTwoStacks(const ModelConfig& config)
{
    return config.isEncoderDecoder();
}

SourceAndTarget randomTexts(const ModelConfig& config, std::uint64_t seed, std::size_t tokens)
{
    SourceAndTarget texts;
    texts.target = tokensOf(randomIds(seed, tokens, config.vocabularySize));
    if (hasTwoStacks(config))
        texts.source = tokensOf(randomIds(seed + 1000, 9, config.vocabularySize));
    return texts;
}

TracePtr traceOf(Tracer& tracer, const SourceAndTarget& texts, const Interventions& interventions)
{
    if (hasTwoStacks(tracer.model().model->config()))
        return tracer.trace(texts, TraceRequest::everything(), interventions);
    return tracer.trace(texts.target, TraceRequest::everything(), interventions);
}

TracePtr freshTrace(const LoadedModel& model, const SourceAndTarget& texts,
                    const Interventions& interventions)
{
    Tracer tracer(model, std::make_unique<CpuAttention>());
    return traceOf(tracer, texts, interventions);
}

} // namespace headscope::test
