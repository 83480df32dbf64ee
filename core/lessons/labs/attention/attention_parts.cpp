#include "core/lessons/labs/attention/attention_parts.h"

#include "core/attention/attention_geometry.h"
#include "core/base/error.h"
#include "core/lessons/lesson_references.h"
#include "core/lessons/lesson_text.h"

#include <algorithm>
#include <cmath>

namespace headscope {

std::int64_t chosenNumber(const LabSettings& settings, std::string_view name)
{
    return std::stoll(settings.text(name));
}

LabNumber labNumber(const std::string& name, const std::string& title, double value,
                    const std::string& unit)
{
    return {name, title, value, unit, false};
}

LabNumber labNumber(const std::string& name, const std::string& title, std::int64_t value,
                    const std::string& unit)
{
    return {name, title, static_cast<double>(value), unit, false};
}

LabNumber measuredNumber(const std::string& name, const std::string& title, double value,
                         const std::string& unit)
{
    return {name, title, value, unit, true};
}

std::string bytesText(double bytes)
{
    return fillIn("{{bytes|bytes}}", [bytes](std::string_view) {
        return ReferencedNumber{bytes, {}};
    });
}

void reportProgress(const LabContext& context, double done)
{
    if (context.progress)
        context.progress(std::clamp(done, 0.0, 1.0));
}

LoadedModel labModel(const LabContext& context, const std::string& name)
{
    if (!context.openModel)
        throw Error("this context cannot open models", name, "Open the lab in the window");
    LoadedModel model = context.openModel(name);
    if (!model.model || !model.tokenizer)
        throw Error("the model is not open", name, "Open it under Model first");
    return model;
}

LoadedModel openLabModel(const LabContext& context)
{
    if (context.model.model && context.model.tokenizer)
        return context.model;
    if (!context.openModel)
        throw Error("no model is open", {}, "Open a model such as builtin:stories");
    return labModel(context, "builtin:stories");
}

LayerOperands::LayerOperands(const Extents& extents, std::uint64_t seed)
{
    const Shape shape{extents.batch, extents.heads, extents.tokens, extents.headDim};
    queries = randomRows(shape, 3 * seed);
    keys = randomRows(shape, 3 * seed + 1);
    values = randomRows(shape, 3 * seed + 2);
}

AttentionInputs LayerOperands::inputs(bool causal) const
{
    AttentionInputs inputs;
    inputs.queries = queries.view();
    inputs.keys = keys.view();
    inputs.values = values.view();
    inputs.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(queries.shape().back())));
    inputs.mask.causal = causal;
    return inputs;
}

double largestDifference(const Tensor& one, const Tensor& other)
{
    return largestDifference(one.view(), other.view());
}

Tensor contextOf(const AttentionInputs& inputs, AttentionBackend& backend)
{
    Tensor context(inputs.queries.shape);
    AttentionOutputs outputs;
    outputs.context = context.view();
    backend.forward(inputs, outputs);
    return context;
}

double logLogSlope(const std::vector<double>& x, const std::vector<double>& y)
{
    const auto count = static_cast<double>(x.size());
    double meanX = 0.0;
    double meanY = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        meanX += std::log(x[i]) / count;
        meanY += std::log(y[i]) / count;
    }
    double covariance = 0.0;
    double variance = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        covariance += (std::log(x[i]) - meanX) * (std::log(y[i]) - meanY);
        variance += (std::log(x[i]) - meanX) * (std::log(x[i]) - meanX);
    }
    return covariance / variance;
}

TensorView tokenRange(TensorView whole, std::int64_t first, std::int64_t count)
{
    TensorView view = whole;
    view.data += first * whole.stride(2);
    view.shape = {whole.shape[0], whole.shape[1], count, whole.shape[3]};
    return view;
}

std::int64_t layersToReach(const AttentionMask& mask, std::int64_t tokens)
{
    AttentionInputs inputs;
    inputs.queries.shape = {1, 1, tokens, 1};
    inputs.keys.shape = inputs.queries.shape;
    inputs.values.shape = inputs.queries.shape;
    const AttentionGeometry geometry(inputs);
    std::vector<bool> knows(static_cast<std::size_t>(tokens), false);
    knows.front() = true;
    for (std::int64_t layers = 0; layers < tokens; ++layers) {
        if (knows.back())
            return layers;
        const std::vector<bool> before = knows;
        for (std::int64_t query = 0; query < tokens; ++query) {
            const KeyRange keys = visibleKeys(mask, geometry, query);
            for (std::int64_t key = keys.begin; key < keys.end; ++key)
                if (before[static_cast<std::size_t>(key)])
                    knows[static_cast<std::size_t>(query)] = true;
        }
    }
    return knows.back() ? tokens : -1;
}

LabMatrix patternMatrix(TensorView pattern, const std::vector<std::string>& queries,
                        const std::vector<std::string>& keys, bool causal)
{
    LabMatrix matrix{"query", "key", queries, keys};
    const auto offset =
        static_cast<std::int64_t>(keys.size() - std::min(keys.size(), queries.size()));
    for (std::int64_t query = 0; query < pattern.shape[0]; ++query)
        for (std::int64_t key = 0; key < pattern.shape[1]; ++key) {
            matrix.values.push_back(static_cast<double>(pattern(query, key)));
            if (causal)
                matrix.masked.push_back(key > query + offset);
        }
    return matrix;
}

} // namespace headscope
