#include "core/analysis/scores/score_rule.h"

#include "core/model/config/mask_choice.h"
#include "core/model/positions/position_encodings.h"
#include "core/trace/pattern_row.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace headscope {

namespace {

using Json = nlohmann::json;

Json settingsOf(const Trace& trace)
{
    const Json settings = Json::parse(trace.info().settings, nullptr, false);
    return settings.is_object() ? settings : Json::object();
}

std::string textOf(const Json& settings, const char* name)
{
    const auto found = settings.find(name);
    return found != settings.end() && found->is_string() ? found->get<std::string>()
                                                         : std::string();
}

Positions positionsOf(const Trace& trace, const ModelConfig& config)
{
    const std::string replaced = textOf(settingsOf(trace), "positions");
    return replaced.empty() ? config.positions : parsePositions(replaced).kind;
}

std::string tableName(Stack stack)
{
    if (stack == Stack::Blocks)
        return "rel_bias.weight";
    return stack == Stack::Encoder ? "enc.rel_bias.weight" : "dec.rel_bias.weight";
}

void useRelativeBias(ScoreRule& rule, const Model& model, AttentionCell head)
{
    const ModelConfig& config = model.config();
    const TensorView table = model.parameters().view(tableName(head.stack)); // [buckets, heads]
    rule.bias = ScoreRule::Bias::Relative;
    rule.buckets = {config.relativeBuckets, config.relativeMaxDistance,
                    head.stack == Stack::Encoder || !config.hasDecoder()};
    for (std::int64_t bucket = 0; bucket < table.shape[0]; ++bucket)
        rule.byBucket.push_back(static_cast<double>(table(bucket, head.head)));
}

void useAlibi(ScoreRule& rule, const Model& model, AttentionCell head)
{
    rule.bias = ScoreRule::Bias::Alibi;
    rule.slope = double{encodingOf(Positions::Alibi).slopes(model.config()).view()(head.head)};
}

/// Keys with |query - key| < width, only earlier ones when `causal`.
std::vector<bool> window(std::int64_t query, std::int64_t keys, std::int64_t width, bool causal)
{
    std::vector<bool> visible;
    for (std::int64_t key = 0; key < keys; ++key)
        visible.push_back(std::abs(query - key) < width && (!causal || key <= query));
    return visible;
}

std::vector<bool> fromScores(const Tensor& scores, AttentionCell cell, std::int64_t keys)
{
    std::vector<bool> visible;
    for (std::int64_t key = 0; key < keys; ++key)
        visible.push_back(scores.view()(cell.head, cell.query, key) !=
                          -std::numeric_limits<float>::infinity());
    return visible;
}

std::vector<bool> fromPattern(const std::vector<float>& weights)
{
    std::vector<bool> visible;
    for (const float weight : weights)
        visible.push_back(weight > 0.0F);
    return visible;
}

std::vector<bool> fromCells(const Json& rows, std::int64_t query, std::int64_t keys)
{
    const auto row = rows.at(static_cast<std::size_t>(query)).get<std::string>();
    std::vector<bool> visible(static_cast<std::size_t>(keys), true);
    for (std::size_t key = 0; key < visible.size() && key < row.size(); ++key)
        visible[key] = row[key] != '0';
    return visible;
}

/// Encoders of two stacks keep the model's own window, whatever the settings of the decoder.
std::vector<bool> inEncoder(std::int64_t query, std::int64_t keys, const Model* model)
{
    const std::int64_t width = model ? model->config().window.value_or(0) : 0;
    return width > 0 ? window(query, keys, width, false)
                     : std::vector<bool>(static_cast<std::size_t>(keys), true);
}

} // namespace

double ScoreRule::capped(double scaledScore) const
{
    return softCap > 0.0 ? softCap * std::tanh(scaledScore / softCap) : scaledScore;
}

double ScoreRule::biasAt(std::int64_t query, std::int64_t key) const
{
    if (bias == Bias::Alibi)
        return slope * static_cast<double>(key - query);
    if (bias == Bias::Relative)
        return byBucket[static_cast<std::size_t>(buckets.bucketOf(key - query))];
    return 0.0;
}

ScoreRule scoreRule(const Trace& trace, AttentionCell head, std::int64_t queryDim,
                    const Model* model)
{
    ScoreRule rule;
    // Rounded as in the model, so that the recomputed weight equals the recorded one.
    const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(queryDim)));
    rule.scale = static_cast<double>(scale);
    rule.turned = !head.cross && trace.has({Site::RotatedQuery, head.layer, head.stack});
    if (!model || head.head >= model->config().heads)
        return rule;
    const ModelConfig& config = model->config();
    rule.scaled = config.scaleScores;
    rule.scale = static_cast<double>(static_cast<float>(config.scoreScale()));
    rule.softCap = static_cast<double>(static_cast<float>(config.softCap));
    if (head.cross)
        return rule;
    if (config.attentionSinks)
        rule.sink = double{
            model->parameters().view(fmt::format("h.{}.attn.sinks.bias", head.layer))(head.head)};
    const Positions positions = positionsOf(trace, config);
    if (positions == Positions::RelativeBuckets && config.positions == positions)
        useRelativeBias(rule, *model, head);
    if (positions == Positions::Alibi)
        useAlibi(rule, *model, head);
    return rule;
}

std::vector<bool> visibleKeys(const Trace& trace, AttentionCell cell, std::int64_t keys,
                              const Model* model)
{
    const Site scores = cell.cross ? Site::CrossScores : Site::AttnScores;
    if (const auto recorded = trace.find({scores, cell.layer, cell.stack}))
        return fromScores(*recorded, cell, keys);
    if (cell.cross)
        return std::vector<bool>(static_cast<std::size_t>(keys), true);
    if (cell.stack == Stack::Encoder)
        return inEncoder(cell.query, keys, model);
    const Json settings = settingsOf(trace);
    const auto cells = settings.find("mask_cells");
    if (cells != settings.end() && cells->is_array() &&
        cells->size() > static_cast<std::size_t>(cell.query))
        return fromCells(*cells, cell.query, keys);
    const std::string mask = textOf(settings, "mask");
    const std::string_view width = std::string_view(mask).substr(mask.find(':') + 1);
    if (mask.starts_with("window:") || mask.starts_with("two-sided window:"))
        return window(cell.query, keys, std::atoll(width.data()), mask.starts_with("window:"));
    if (mask == kMaskByLayer && model) {
        const ModelConfig& config = model->config();
        const std::int64_t own = config.layer(cell.layer).window.value_or(keys + cell.query + 1);
        return window(cell.query, keys, own, config.hasDecoder() && config.causal);
    }
    if (mask == "none")
        return std::vector<bool>(static_cast<std::size_t>(keys), true);
    const TraceKey pattern{Site::Pattern, cell.layer, cell.stack};
    if (mask != "causal" && trace.headsOf(pattern) > 0)
        return fromPattern(patternRow(trace, pattern, cell.head, cell.query));
    return window(cell.query, keys, keys + cell.query + 1, true);
}

} // namespace headscope
