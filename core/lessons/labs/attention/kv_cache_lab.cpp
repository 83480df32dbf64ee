#include "core/base/content_language.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"
#include "core/model/config/presets.h"
#include "core/model/config/size_report.h"

#include <fmt/format.h>

#include <cmath>

namespace headscope {

namespace {

/// Configuration of "llama3-70b" etc. with this number of KV heads; "own": as published.
ModelConfig configOf(const std::string& model, const std::string& sharing)
{
    ModelConfig config = presetConfig(model);
    if (config.vocabularySize == 0)
        config.vocabularySize = 2048; // not counted
    if (sharing == "each")
        config.keyHeads = 0;
    else if (sharing != "own")
        config.keyHeads = std::stoll(sharing);
    return config;
}

struct Cache
{
    ModelConfig config;
    std::int64_t tokens = 0;
    std::int64_t bytesPerValue = 2;

    std::int64_t bytes(std::int64_t keyHeads) const
    {
        ModelConfig shared = config;
        shared.keyHeads = keyHeads;
        return kvCacheBytes(shared, tokens, bytesPerValue);
    }

    std::int64_t own() const { return bytes(config.keyHeads); }
};

LabBars heldBars(const Cache& cache)
{
    LabBars bars{"B"};
    const auto add = [&](const std::string& label, std::int64_t keyHeads, bool subject) {
        const std::int64_t bytes = cache.bytes(keyHeads);
        bars.bars.push_back({message(label), static_cast<double>(bytes),
                             bytesText(static_cast<double>(bytes)), subject});
    };
    const std::int64_t heads = cache.config.heads;
    const std::int64_t own = cache.config.keyHeadCount();
    add(fmt::format("{} KV heads (MHA)", heads), heads, own == heads);
    if (own != heads && own != 1)
        add(fmt::format("{} KV heads", own), own, true);
    add("1 KV head (MQA)", 1, own == 1);
    return bars;
}

LabTable factorTable(const Cache& cache)
{
    const ModelConfig& config = cache.config;
    LabTable table{{"Factor", "Value"}};
    table.rows = {{"keys and values", "2"},
                  {"layers, L", grouped(config.layers)},
                  {"tokens, n", grouped(cache.tokens)},
                  {"KV heads, h_kv", grouped(config.keyHeadCount())},
                  {"head size, d_k", grouped(config.headDim())},
                  {"bytes per value", grouped(cache.bytesPerValue)},
                  {"product", grouped(cache.own()) + " B"}};
    for (auto& row : table.rows)
        row[0] = message(row[0]);
    table.current = 6;
    return table;
}

LabChart growthChart(Cache cache)
{
    LabChart chart{"tokens", "bytes", true, true};
    chart.mark = static_cast<double>(cache.tokens);
    chart.markText = grouped(cache.tokens);
    LabChart::Series each{"one KV head per query head", {}, {}, true};
    LabChart::Series own{"selected"};
    for (std::int64_t tokens = 128; tokens <= 131072; tokens *= 2) {
        cache.tokens = tokens;
        each.x.push_back(static_cast<double>(tokens));
        each.y.push_back(static_cast<double>(cache.bytes(cache.config.heads)));
        own.y.push_back(static_cast<double>(cache.own()));
    }
    own.x = each.x;
    chart.series = {own, each};
    return chart;
}

} // namespace

LabResult runKvCache(const LabSettings& settings, const LabContext&, const std::stop_token&)
{
    const Cache cache{configOf(settings.text("model"), settings.text("kv_heads")),
                      settings.integer("tokens"), chosenNumber(settings, "bytes_per_value")};
    const ModelConfig& config = cache.config;
    const std::int64_t bytes = cache.own();
    const std::int64_t each = cache.bytes(config.heads);
    LabResult result;
    result.panels = {{"Size of the cache", "for one text", heldBars(cache)},
                     {"2 · L · n · h_kv · d_k · bytes", "multiplied out", factorTable(cache)},
                     {"Growth with every token", "logarithmic axes", growthChart(cache)}};
    result.numbers = {labNumber("bytes", "KV cache", bytes, "B"),
                      labNumber("bytes_each", "With one KV head per query head", each, "B"),
                      labNumber("bytes_one", "With one KV head", cache.bytes(1), "B"),
                      labNumber("layers", "Layers", config.layers),
                      labNumber("tokens", "Tokens", cache.tokens),
                      labNumber("query_heads", "Query heads", config.heads),
                      labNumber("kv_heads", "KV heads", config.keyHeadCount()),
                      labNumber("d_k", "Head size", config.headDim()),
                      labNumber("bytes_per_value", "Bytes per value", cache.bytesPerValue, "B"),
                      labNumber("bytes_per_token", "Bytes per token",
                                static_cast<double>(bytes) / static_cast<double>(cache.tokens),
                                "B"),
                      labNumber("saving", "Reduction against one per head",
                                static_cast<double>(each) / static_cast<double>(bytes))};
    const Cache said{presetConfig("llama3-70b"), 4096, 2}; // the case of which 5 GB are often said
    result.numbers.insert(
        result.numbers.end(),
        {labNumber("said_gqa", "Llama 3 70B, 4,096 tokens, 16 bits", said.own(), "B"),
         labNumber("said_mha", "The same, one KV head per query head",
                   said.bytes(said.config.heads), "B"),
         labNumber("said_mqa", "The same, one KV head", said.bytes(1), "B")});
    result.sentence =
        fmt::format("2 · {} layers · {} tokens · {} KV heads · {} · {} bytes = {} bytes, or {}.",
                    config.layers, grouped(cache.tokens), config.keyHeadCount(), config.headDim(),
                    cache.bytesPerValue, grouped(bytes), bytesText(static_cast<double>(bytes)));
    return result;
}

} // namespace headscope
