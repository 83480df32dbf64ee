#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/heads/head_behaviour.h"
#include "core/lessons/labs/heads/head_matrix.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

LoadedModel modelOf(const std::string& choice, const LabContext& context)
{
    return choice == "open" ? openLabModel(context) : labModel(context, "builtin:" + choice);
}

std::string scoreText(const HeadBehaviour& behaviour, double score)
{
    return behaviour.isFraction ? fmt::format("{:.0f} %", 100.0 * score)
                                : fmt::format("{:.1f} tokens", score);
}

LabPanel mapPanel(const HeadBehaviour& behaviour, const HeadMap& map)
{
    const double high = behaviour.isFraction ? 1.0 : std::max(1.0, map.best);
    return {"Score of every head", behaviour.score, headMatrix(map.scores, 0.0, high, false)};
}

LabPanel patternPanel(const LoadedModel& model, const HeadMap& map, const TokenSequence& tokens,
                      const LabContext& context, const std::stop_token& stop)
{
    Tracer tracer(model, backendOf(context));
    const TracePtr trace = tracer.trace(tokens, {{"*attn.hook_pattern"}}, {}, stop);
    const auto pattern = trace->find({Site::Pattern, map.layer});
    const std::vector<std::string> labels = tokenLabels(model, trace->tokens());
    const ModelConfig& config = model.model->config();
    LabMatrix matrix = patternMatrix(pattern->view()[map.head], labels, labels,
                                     config.hasDecoder() && config.causal);
    if (labels.size() > 14)
        matrix.decimals = -1;
    return {fmt::format("Top head: layer {}, head {}", map.layer, map.head),
            "its attention pattern on a sample text", matrix};
}

constexpr double kLittle = 0.1; ///< Fraction of attention below which a behaviour is absent.

std::string sentenceOf(const std::string& title, const HeadBehaviour& behaviour, const HeadMap& map)
{
    const bool little = behaviour.isFraction && map.best < kLittle;
    return fmt::format(
        "{}: {}layer {}, head {} scores highest, with {} ({}). The mean of all heads is "
        "{}.",
        title, little ? "no head of this model shows it clearly; " : "", map.layer, map.head,
        scoreText(behaviour, map.best), behaviour.score, scoreText(behaviour, map.mean));
}

} // namespace

LabResult runWhatHeadsDo(const LabSettings& settings, const LabContext& context,
                         const std::stop_token& stop)
{
    const std::string& choice = settings.text("model");
    const LoadedModel model = modelOf(choice, context);
    const HeadBehaviour& behaviour = chosenEntry(headBehaviours(), settings, "behaviour");
    const std::string text = choice == "open" ? context.text : std::string();
    const auto backend = backendOf(context);
    const HeadMap map = findHeads(model, behaviour, text, *backend, stop);
    const TokenSequence sample = sampleText(model, behaviour, text);
    LabResult result;
    result.panels = {mapPanel(behaviour, map), patternPanel(model, map, sample, context, stop)};
    result.numbers = {
        labNumber("layer", "Layer", std::int64_t{map.layer}),
        labNumber("head", "Head", std::int64_t{map.head}),
        labNumber("score", "Top score", map.best, behaviour.isFraction ? "" : "tokens"),
        labNumber("second", "Second-best score", map.second),
        labNumber("mean", "Mean of all heads", map.mean),
        labNumber("tokens", "Tokens of the sample", static_cast<std::int64_t>(sample.size()))};
    result.sentence =
        sentenceOf(settings.control("behaviour").titleOf(behaviour.name), behaviour, map);
    return result;
}

} // namespace headscope
