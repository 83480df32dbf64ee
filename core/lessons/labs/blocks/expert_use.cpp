#include "core/lessons/labs/blocks/expert_use.h"

#include "core/base/content_language.h"
#include "core/lessons/labs/lab_parts.h"
#include "core/ops/expert_router.h"
#include "core/text/display_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace headscope {

ExpertUse::ExpertUse(TracePtr trace, std::shared_ptr<const Tokenizer> tokenizer)
    : m_trace(std::move(trace))
    , m_tokenizer(std::move(tokenizer))
{
    if (!m_trace)
        return;
    for (const auto& [key, activation] : m_trace->activations())
        if (key.site == Site::ExpertWeights)
            m_layers.push_back(key);
    std::ranges::sort(m_layers, {},
                      [](const TraceKey& key) { return std::pair(key.stack, key.layer); });
}

TensorView ExpertUse::weights(std::size_t layer) const
{
    return m_trace->activations().at(m_layers.at(layer))->view();
}

std::int64_t ExpertUse::experts() const
{
    return layers() == 0 ? 0 : weights(0).shape[1];
}

std::size_t ExpertUse::at(Stack stack, int layer) const
{
    const auto found = std::ranges::find(m_layers, TraceKey{Site::ExpertWeights, layer, stack});
    return found == m_layers.end() ? 0 : static_cast<std::size_t>(found - m_layers.begin());
}

std::vector<double> ExpertUse::loads(std::size_t layer) const
{
    return expertLoads(weights(layer));
}

double ExpertUse::imbalance() const
{
    double sum = 0.0;
    for (std::size_t layer = 0; layer < layers(); ++layer) {
        const std::vector<double> fractions = loads(layer);
        sum += std::ranges::max(fractions) * static_cast<double>(fractions.size());
    }
    return sum / static_cast<double>(std::max<std::size_t>(layers(), 1));
}

std::string ExpertUse::layerName(std::size_t layer) const
{
    const TraceKey& key = m_layers.at(layer);
    if (key.stack == Stack::Encoder)
        return message(fmt::format("encoder {}", key.layer));
    if (key.stack == Stack::Decoder)
        return message(fmt::format("decoder {}", key.layer));
    return std::to_string(key.layer);
}

LabPanel ExpertUse::loadPanel() const
{
    LabMatrix matrix{"layer", "expert", {}, countedLabels(experts())};
    for (std::size_t layer = 0; layer < layers(); ++layer) {
        const std::vector<double> fractions = loads(layer);
        matrix.rowLabels.push_back(layerName(layer));
        matrix.values.insert(matrix.values.end(), fractions.begin(), fractions.end());
    }
    if (!matrix.values.empty()) // of many experts none has a large part
        matrix.high = std::max(std::ranges::max(matrix.values), 1e-3);
    const double even = 1.0 / static_cast<double>(std::max<std::int64_t>(experts(), 1));
    return {"Load by layer", fmt::format("Fraction of all choices; even: {:.3f}", even),
            std::move(matrix)};
}

std::vector<std::string> ExpertUse::tokenNames(std::size_t layer) const
{
    const bool isSource = m_layers.at(layer).stack == Stack::Encoder;
    const TokenSequence& tokens = isSource ? m_trace->sourceTokens() : m_trace->tokens();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tokens.tokens.size(); ++i)
        names.push_back(m_tokenizer ? displayText(m_tokenizer->tokenBytes(tokens.tokens[i].id))
                                    : std::to_string(tokens.tokens[i].id));
    return names;
}

LabPanel ExpertUse::tokenPanel(std::size_t layer) const
{
    const TensorView rows = weights(layer);
    LabMatrix matrix{"expert", "token", countedLabels(rows.shape[1]), tokenNames(layer)};
    for (std::int64_t expert = 0; expert < rows.shape[1]; ++expert) {
        for (std::int64_t token = 0; token < rows.shape[0]; ++token) {
            matrix.values.push_back(static_cast<double>(rows(token, expert)));
            matrix.masked.push_back(rows(token, expert) == 0.0F);
        }
    }
    matrix.decimals = rows.shape[0] > 12 ? -1 : 2;
    return {"Experts of each token",
            fmt::format("Layer {}; weight of each expert, grey: not used", layerName(layer)),
            std::move(matrix)};
}

LabPanel ExpertUse::probabilityPanel(std::size_t layer) const
{
    TraceKey key = m_layers.at(layer);
    key.site = Site::RouterProbs;
    const TensorView rows = m_trace->activations().at(key)->view();
    LabBars bars;
    for (std::int64_t expert = 0; expert < rows.shape[1]; ++expert) {
        double sum = 0.0;
        for (std::int64_t row = 0; row < rows.shape[0]; ++row)
            sum += static_cast<double>(rows(row, expert));
        const double mean = sum / static_cast<double>(std::max<std::int64_t>(rows.shape[0], 1));
        bars.bars.push_back(
            {message(fmt::format("expert {}", expert)), mean, fmt::format("{:.3f}", mean)});
    }
    return {"Mean router probability", fmt::format("Layer {}", layerName(layer)), std::move(bars)};
}

} // namespace headscope
