#include "core/attention/attention_geometry.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"

#include <fmt/format.h>

namespace headscope {

namespace {

AttentionMask windowMask(std::int64_t window)
{
    AttentionMask mask;
    mask.causal = true;
    mask.window = window;
    return mask;
}

/// Number of scores that attention computes under this mask.
std::int64_t cellsOf(std::int64_t tokens, const AttentionMask& mask)
{
    AttentionInputs inputs;
    inputs.queries.shape = {1, 1, tokens, 1};
    inputs.keys.shape = inputs.queries.shape;
    inputs.values.shape = inputs.queries.shape;
    const AttentionGeometry geometry(inputs);
    std::int64_t cells = 0;
    for (std::int64_t query = 0; query < tokens; ++query) {
        const KeyRange keys = visibleKeys(mask, geometry, query);
        cells += keys.end - keys.begin;
    }
    return cells;
}

LabMatrix weightsDiagram(std::int64_t tokens, const AttentionMask& mask, AttentionBackend& backend)
{
    LayerOperands::Extents extents;
    extents.tokens = tokens;
    extents.headDim = 16;
    const LayerOperands operands(extents, 11);
    AttentionInputs inputs = operands.inputs(true);
    inputs.mask = mask;
    Tensor context(inputs.queries.shape);
    Tensor pattern({1, 1, tokens, tokens});
    AttentionOutputs outputs;
    outputs.context = context.view();
    outputs.pattern = pattern.view();
    backend.forward(inputs, outputs);
    const std::vector<std::string> labels = countedLabels(tokens);
    const Tensor& weights = pattern;
    LabMatrix matrix = patternMatrix(weights.view()[0][0], labels, labels, false);
    const AttentionGeometry geometry(inputs);
    for (std::int64_t query = 0; query < tokens; ++query) {
        const KeyRange keys = visibleKeys(mask, geometry, query);
        for (std::int64_t key = 0; key < tokens; ++key)
            matrix.masked.push_back(key < keys.begin || key >= keys.end);
    }
    matrix.decimals = tokens > 12 ? -1 : 2;
    return matrix;
}

LabChart growthChart(std::int64_t tokens, std::int64_t window)
{
    LabChart chart{"tokens", "scores computed"};
    chart.mark = static_cast<double>(tokens);
    chart.markText = fmt::format("n = {}", tokens);
    LabChart::Series all{"every earlier key", {}, {}, true};
    LabChart::Series some{fmt::format("the last {}", window)};
    for (std::int64_t n = 4; n <= 128; n += 4) {
        all.x.push_back(static_cast<double>(n));
        all.y.push_back(static_cast<double>(cellsOf(n, windowMask(0))));
        some.y.push_back(static_cast<double>(cellsOf(n, windowMask(window))));
    }
    some.x = all.x;
    chart.series = {all, some};
    return chart;
}

} // namespace

LabResult runWindow(const LabSettings& settings, const LabContext& context, const std::stop_token&)
{
    const std::int64_t tokens = settings.integer("tokens");
    const std::int64_t window = settings.integer("window");
    const std::int64_t cells = cellsOf(tokens, windowMask(window));
    const std::int64_t full = cellsOf(tokens, windowMask(0));
    const std::int64_t layers = layersToReach(windowMask(window), tokens);
    const auto backend = backendOf(context);
    LabResult result;
    result.panels = {
        {"Visible keys", fmt::format("each query sees itself and {} before", window - 1),
         weightsDiagram(tokens, windowMask(window), *backend)},
        {"Scores to compute", "a line instead of a parabola", growthChart(tokens, window)}};
    result.numbers = {labNumber("tokens", "Tokens, n", tokens),
                      labNumber("window", "Window, w", window),
                      labNumber("cells", "Scores computed", cells),
                      labNumber("cells_full", "Scores without the window", full),
                      labNumber("bound", "n · w", tokens * window),
                      labNumber("share", "Fraction remaining",
                                static_cast<double>(cells) / static_cast<double>(full)),
                      labNumber("layers", "Layers from the first token to the last", layers)};
    result.sentence = fmt::format(
        "{} scores instead of {}: at most n · w = {}. Information from the first token reaches the "
        "last after {} {}.",
        grouped(cells), grouped(full), grouped(tokens * window), layers,
        layers == 1 ? "layer" : "layers");
    return result;
}

} // namespace headscope
