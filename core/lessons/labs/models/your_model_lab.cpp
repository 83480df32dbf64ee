#include "core/base/content_language.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/models/model_diagram.h"
#include "core/model/config/size_report.h"
#include "core/text/display_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

/// Number of tokens of the user's text, from 1 to the model's maximum length.
std::int64_t tokensOf(const LoadedModel& model, const std::string& text)
{
    const auto tokens = static_cast<std::int64_t>(model.tokenizer->encode(text).size());
    return std::clamp<std::int64_t>(tokens, 1, model.model->config().maxLen);
}

LabBars partBars(const SizeReport& report)
{
    LabBars bars;
    const auto add = [&](const char* label, std::int64_t count) {
        if (count > 0)
            bars.bars.push_back({message(label), static_cast<double>(count), grouped(count)});
    };
    add("embeddings", report.embeddings);
    add("attention", report.attention);
    add("feed-forward", report.feedForward);
    add("norms", report.norms);
    add("output", report.heads);
    return bars;
}

} // namespace

LabResult runYourModel(const LabSettings& settings, const LabContext& context,
                       const std::stop_token&)
{
    const LoadedModel model = openLabModel(context);
    const ModelConfig& config = model.model->config();
    const bool twoStacks = config.isEncoderDecoder();
    SiteExtents extents;
    extents.tokens = tokensOf(model, context.text);
    if (twoStacks) {
        extents.sourceTokens = extents.tokens;
        extents.tokens = 1; // start token of the decoder
    }
    const Stack stack = twoStacks ? Stack::Decoder : Stack::Blocks;
    const std::int64_t layers = layerCount(config, stack);
    const std::int64_t layer = std::clamp<std::int64_t>(settings.integer("layer"), 0,
                                                        std::max<std::int64_t>(0, layers - 1));
    const bool inside = settings.text("part") == "block" && layers > 0;
    const SizeReport report = sizeReport(config);
    LabResult result;
    result.panels = {{inside ? fmt::format("Inside block {}", layer) : "The whole model",
                      "with the output shape of each part",
                      inside ? blockDiagram(config, stack, static_cast<int>(layer), extents)
                             : modelDiagram(config, extents)}};
    if (!inside)
        result.panels.push_back(
            {"Parameters", grouped(report.total()) + " in total", partBars(report)});
    result.numbers = {labNumber("parameters", "Parameters", report.total()),
                      labNumber("layers", "Layers", layers),
                      labNumber("layer", "Layer", layer),
                      labNumber("heads", "Heads", config.heads),
                      labNumber("d_model", "Width of the residual stream", config.dModel),
                      labNumber("vocabulary", "Vocabulary", config.vocabularySize),
                      labNumber("tokens", "Tokens of your sentence",
                                twoStacks ? extents.sourceTokens : extents.tokens)};
    result.sentence = fmt::format(
        "{} turns {} tokens into vectors of {} numbers and passes them through {} {}. On the "
        "Architecture page you can click every part.",
        displayText(model.name), twoStacks ? extents.sourceTokens : extents.tokens, config.dModel,
        layers, layers == 1 ? "block" : "blocks");
    return result;
}

} // namespace headscope
