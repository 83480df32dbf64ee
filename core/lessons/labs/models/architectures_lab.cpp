#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/models/model_diagram.h"
#include "core/lessons/labs/models/visible_cells.h"
#include "core/model/config/presets.h"
#include "core/model/config/size_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

using Cells = std::vector<double>;

ModelConfig configOf(const std::string& kind)
{
    if (kind == "encoder-only") {
        ModelConfig bert = presetConfig("bert-toy");
        bert.vocabularySize = 30522;
        return bert;
    }
    if (kind == "decoder-only")
        return presetConfig("gpt2");
    if (kind == "encoder-decoder")
        return presetConfig("transformer-base");
    ModelConfig t5 = presetConfig("t5-toy");
    t5.vocabularySize = 32128;
    return t5;
}

std::vector<std::string> labels(const char* prefix, std::int64_t count)
{
    std::vector<std::string> names;
    for (std::int64_t i = 1; i <= count; ++i)
        names.push_back(fmt::format("{}{}", prefix, i));
    return names;
}

LabMatrix maskMatrix(const Cells& cells, std::vector<std::string> rows,
                     std::vector<std::string> columns)
{
    LabMatrix matrix{"query", "key", std::move(rows), std::move(columns), cells};
    for (const double cell : cells)
        matrix.masked.push_back(cell == 0.0);
    matrix.decimals = -1;
    return matrix;
}

/// Decoder rows: columns of the source tokens, then of its own.
LabMatrix decoderMatrix(const VisibleCells& masks, std::int64_t source, std::int64_t target)
{
    Cells cells;
    const auto m = masks.cross.empty() ? std::ptrdiff_t{0} : static_cast<std::ptrdiff_t>(source);
    for (std::ptrdiff_t row = 0; row < target; ++row) {
        cells.insert(cells.end(), masks.cross.begin() + row * m,
                     masks.cross.begin() + (row + 1) * m);
        cells.insert(cells.end(), masks.decoder.begin() + row * target,
                     masks.decoder.begin() + (row + 1) * target);
    }
    std::vector<std::string> columns = labels("s", m);
    std::ranges::move(labels("t", target), std::back_inserter(columns));
    return maskMatrix(cells, labels("t", target), std::move(columns));
}

std::vector<LabPanel> maskPanels(const VisibleCells& masks, std::int64_t source,
                                 std::int64_t target)
{
    std::vector<LabPanel> panels;
    if (!masks.encoder.empty())
        panels.push_back({"Encoder: every token sees every token", "s1 is the first source token",
                          maskMatrix(masks.encoder, labels("s", source), labels("s", source))});
    if (!masks.decoder.empty())
        panels.push_back({masks.cross.empty() ? "Decoder: only the past"
                                              : "Decoder: the whole source and its own past",
                          "t1 is the first output token", decoderMatrix(masks, source, target)});
    return panels;
}

std::string sentenceOf(const std::string& title, const VisibleCells& masks, std::int64_t source,
                       std::int64_t target)
{
    std::string text = title + ": ";
    if (!masks.encoder.empty())
        text += fmt::format("the encoder uses {} of {} cells", VisibleCells::count(masks.encoder),
                            source * source);
    if (!masks.encoder.empty() && !masks.decoder.empty())
        text += ", ";
    if (!masks.decoder.empty())
        text += fmt::format("the decoder {} of {}", VisibleCells::count(masks.decoder),
                            target * target);
    if (!masks.cross.empty())
        text += fmt::format(", and cross-attention all {} cells", VisibleCells::count(masks.cross));
    return text + ".";
}

} // namespace

LabResult runArchitectures(const LabSettings& settings, const LabContext& context,
                           const std::stop_token&)
{
    const std::string& kind = settings.text("kind");
    const ModelConfig config = configOf(kind);
    const std::int64_t source = settings.integer("source");
    const std::int64_t target = settings.integer("target");
    const bool encoderOnly = config.architecture == Architecture::Encoder;
    const auto backend = backendOf(context);
    const VisibleCells masks = visibleCells(config, source, target, *backend);
    SiteExtents extents;
    extents.tokens = encoderOnly ? source : target;
    extents.sourceTokens = source;
    LabResult result;
    result.panels = {
        {"Data flow", "with the output shape of each part", modelDiagram(config, extents)}};
    std::ranges::move(maskPanels(masks, source, target), std::back_inserter(result.panels));
    result.numbers = {
        labNumber("encoder_cells", "Encoder cells", VisibleCells::count(masks.encoder)),
        labNumber("decoder_cells", "Decoder cells", VisibleCells::count(masks.decoder)),
        labNumber("cross_cells", "Cross-attention cells", VisibleCells::count(masks.cross)),
        labNumber("source", "Source tokens", source),
        labNumber("target", "Output tokens", target),
        labNumber("layers", "Layers per stack", config.layers),
        labNumber("heads", "Heads", config.heads),
        labNumber("d_model", "Width of the residual stream", config.dModel),
        labNumber("d_ff", "Feed-forward width", config.dFf),
        labNumber("parameters", "Parameters", sizeReport(config).total())};
    result.sentence = sentenceOf(settings.control("kind").titleOf(kind), masks, source, target);
    return result;
}

} // namespace headscope
