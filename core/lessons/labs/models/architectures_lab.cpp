#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"
#include "core/lessons/labs/models/model_diagram.h"
#include "core/model/config/presets.h"
#include "core/model/config/size_report.h"
#include "core/model/model.h"
#include "core/train/measures/pattern_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace headscope {

namespace {

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

/// Small model of the same architecture; visibility does not depend on size.
ModelConfig shrunk(ModelConfig config)
{
    config.vocabularySize = 16;
    config.dModel = 16;
    config.heads = 2;
    config.layers = 1;
    config.decoderLayers = 0;
    config.dFf = 16;
    config.maxLen = 64;
    return config;
}

/// Visible cells in a forward pass: weights that are not 0.
using Cells = std::vector<double>;

Cells cellsOf(const PatternKeeper& keeper)
{
    const Tensor& pattern = keeper.patterns.front();
    const TensorView head = pattern.view()[0];
    Cells cells;
    for (std::int64_t query = 0; query < head.shape[0]; ++query)
        for (std::int64_t key = 0; key < head.shape[1]; ++key)
            cells.push_back(head(query, key) > 0.0F ? 1.0 : 0.0);
    return cells;
}

struct Masks
{
    Cells encoder;
    Cells decoder;
    Cells cross; ///< [target, source].
};

Masks masksOf(const ModelConfig& config, std::int64_t source, std::int64_t target,
              AttentionBackend& backend)
{
    const Model model = Model::initialised(shrunk(config), 1);
    const std::vector<TokenId> sourceIds(static_cast<std::size_t>(source), 1);
    const std::vector<TokenId> targetIds(static_cast<std::size_t>(target), 1);
    Masks masks;
    KvCache cache(model.config());
    PatternKeeper own(Site::Pattern);
    if (config.architecture == Architecture::Encoder) {
        model.forward(sourceIds, backend, cache, &own);
        masks.encoder = cellsOf(own);
        return masks;
    }
    if (config.isEncoderDecoder()) {
        PatternKeeper encoder(Site::Pattern);
        ForwardOptions options;
        options.observer = &encoder;
        model.encode(sourceIds, backend, cache, options);
        masks.encoder = cellsOf(encoder);
        KvCache again = cache;
        PatternKeeper cross(Site::CrossPattern);
        model.forward(targetIds, backend, again, &cross);
        masks.cross = cellsOf(cross);
    }
    model.forward(targetIds, backend, cache, &own);
    masks.decoder = cellsOf(own);
    return masks;
}

std::int64_t seen(const Cells& cells)
{
    return static_cast<std::int64_t>(std::reduce(cells.begin(), cells.end()));
}

std::vector<std::string> labels(const char* prefix, std::int64_t count)
{
    std::vector<std::string> names;
    for (std::int64_t i = 1; i <= count; ++i)
        names.push_back(fmt::format("{}{}", prefix, i));
    return names;
}

LabMatrix matrixOf(const Cells& cells, std::vector<std::string> rows,
                   std::vector<std::string> columns)
{
    LabMatrix matrix;
    matrix.rows = "query";
    matrix.columns = "key";
    matrix.rowLabels = std::move(rows);
    matrix.columnLabels = std::move(columns);
    matrix.values = cells;
    for (const double cell : cells)
        matrix.masked.push_back(cell == 0.0);
    matrix.decimals = -1;
    return matrix;
}

/// Decoder rows: columns of the source tokens, then of its own.
LabMatrix decoderMatrix(const Masks& masks, std::int64_t source, std::int64_t target)
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
    return matrixOf(cells, labels("t", target), std::move(columns));
}

std::vector<LabPanel> maskPanels(const Masks& masks, std::int64_t source, std::int64_t target)
{
    std::vector<LabPanel> panels;
    if (!masks.encoder.empty())
        panels.push_back({"Encoder: every token sees every token", "s1 is the first source token",
                          matrixOf(masks.encoder, labels("s", source), labels("s", source))});
    if (!masks.decoder.empty())
        panels.push_back({masks.cross.empty() ? "Decoder: only the past"
                                              : "Decoder: the whole source and its own past",
                          "t1 is the first output token", decoderMatrix(masks, source, target)});
    return panels;
}

std::string sentenceOf(const std::string& title, const Masks& masks, std::int64_t source,
                       std::int64_t target)
{
    std::string text = title + ": ";
    if (!masks.encoder.empty())
        text +=
            fmt::format("the encoder uses {} of {} cells", seen(masks.encoder), source * source);
    if (!masks.encoder.empty() && !masks.decoder.empty())
        text += ", ";
    if (!masks.decoder.empty())
        text += fmt::format("the decoder {} of {}", seen(masks.decoder), target * target);
    if (!masks.cross.empty())
        text += fmt::format(", and cross-attention all {} cells", seen(masks.cross));
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
    const Masks masks = masksOf(config, source, target, *backend);
    SiteExtents extents;
    extents.tokens = encoderOnly ? source : target;
    extents.sourceTokens = source;
    LabResult result;
    result.panels = {
        {"Data flow", "with the output shape of each part", modelDiagram(config, extents)}};
    std::ranges::move(maskPanels(masks, source, target), std::back_inserter(result.panels));
    result.numbers = {labNumber("encoder_cells", "Encoder cells", seen(masks.encoder)),
                      labNumber("decoder_cells", "Decoder cells", seen(masks.decoder)),
                      labNumber("cross_cells", "Cross-attention cells", seen(masks.cross)),
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
