#include "core/attention/attention_geometry.h"
#include "core/base/content_language.h"
#include "core/lessons/labs/attention/attention_parts.h"
#include "core/lessons/labs/lab.h"
#include "core/model/config/size_report.h"
#include "core/train/data/repeat_task.h"
#include "core/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope {

namespace {

constexpr std::int64_t kHeadDim = 16;
constexpr std::int64_t kCachedTokens = 4096;
constexpr std::int64_t kBytes = 2; ///< Bytes of a float16 value.

const std::vector<std::string> kKinds{"mha", "gqa", "mqa", "mla"};

/// Small decoder whose attention shares keys and values in this way.
ModelConfig configOf(const std::string& kind, std::int64_t heads, std::int64_t groups)
{
    ModelConfig config;
    config.dModel = heads * kHeadDim;
    config.heads = heads;
    config.layers = 1;
    config.dFf = config.dModel;
    config.maxLen = 64;
    config.positions = Positions::Rope;
    config.bias = false;
    config.initialisation = Initialisation::FanIn;
    if (kind == "gqa")
        config.keyHeads = groups;
    if (kind == "mqa")
        config.keyHeads = 1;
    if (kind == "mla") // proportions of DeepSeek-V2: r = 4 d_k, d_rope = d_k / 2
        config.latent = {4 * kHeadDim, 0, kHeadDim / 2, kHeadDim, kHeadDim};
    return config;
}

/// Cost of one kind, and its loss before and after a training step.
struct Kind
{
    std::string name;
    std::string title;
    ModelConfig config;
    std::int64_t parameters = 0; ///< Parameters of one layer's attention.
    std::int64_t cache = 0;      ///< Cache size in bytes.
    double lossBefore = 0.0;
    double lossAfter = 0.0;

    std::int64_t keyHeads() const { return config.isLatent() ? 0 : config.keyHeadCount(); }
};

/// One AdamW step on a batch of repeating symbols, with the loss on that batch before and after.
void trainOnce(Kind& kind, const RepeatTask& task, const LabContext& context)
{
    Trainer::Settings settings;
    settings.optimizer.learningRate = 1e-3;
    settings.makeBackend = [&context] { return backendOf(context); };
    Trainer trainer(kind.config, initialState(kind.config, 1), settings);
    const Batch batch = task.trainingBatch(1, 0);
    kind.lossBefore = trainer.evaluate(batch);
    trainer.step(batch);
    kind.lossAfter = trainer.evaluate(batch);
}

std::vector<Kind> allKinds(const LabSettings& settings, const LabContext& context,
                           const std::stop_token& stop)
{
    const std::int64_t heads = chosenNumber(settings, "heads");
    const std::int64_t groups = chosenNumber(settings, "groups");
    const LabControl& sharing = settings.control("kind");
    const auto tokenizer = symbolTokenizer();
    RepeatTaskSettings repeats;
    repeats.rows = 4;
    repeats.length = 32;
    const RepeatTask task(*tokenizer, repeats);
    std::vector<Kind> kinds;
    for (const std::string& name : kKinds) {
        throwIfStopped(stop);
        Kind kind{name, sharing.titleOf(name), configOf(name, heads, groups)};
        kind.config.vocabularySize = static_cast<std::int64_t>(tokenizer->vocabularySize());
        kind.parameters = sizeReport(kind.config).attention / kind.config.layers;
        kind.cache = kvCacheBytes(kind.config, kCachedTokens, kBytes);
        trainOnce(kind, task, context);
        kinds.push_back(std::move(kind));
    }
    return kinds;
}

/// Diagram with query heads above and their KV heads below, as assigned by the attention itself.
LabDiagram readingDiagram(const Kind& kind)
{
    const ModelConfig& config = kind.config;
    LabDiagram diagram;
    const auto heads = static_cast<int>(config.heads);
    if (config.isLatent()) {
        diagram.boxes = {
            {"latent", fmt::format("[n, {}]", config.latent.keyValueRank), heads / 4, 0},
            {"rotary key", fmt::format("[n, {}]", config.latent.ropeDim), 3 * heads / 4, 0}};
        for (int head = 0; head < heads; ++head) {
            diagram.boxes.push_back({fmt::format("q{}", head), {}, head, 1});
            diagram.arrows.emplace_back(0, head + 2);
            diagram.arrows.emplace_back(1, head + 2);
        }
        return diagram;
    }
    AttentionInputs inputs;
    inputs.queries.shape = {1, config.heads, 1, config.headDim()};
    inputs.keys.shape = {1, config.keyHeadCount(), 1, config.headDim()};
    inputs.values.shape = inputs.keys.shape;
    const AttentionGeometry geometry(inputs);
    const auto keyHeads = static_cast<int>(config.keyHeadCount());
    const int group = heads / keyHeads;
    for (int head = 0; head < keyHeads; ++head)
        diagram.boxes.push_back({fmt::format("k{0}, v{0}", head), {}, head * group + group / 2, 0});
    for (int head = 0; head < heads; ++head) {
        diagram.boxes.push_back({fmt::format("q{}", head), {}, head, 1});
        diagram.arrows.emplace_back(static_cast<int>(geometry.keyHeadOf(head)), keyHeads + head);
    }
    return diagram;
}

LabTable costTable(const std::vector<Kind>& kinds, std::size_t current)
{
    LabTable table{{"Attention", "KV heads", "Parameters", "Loss, one step"}};
    for (const Kind& kind : kinds)
        table.rows.push_back(
            {kind.title,
             kind.keyHeads() > 0 ? fmt::format("{}", kind.keyHeads()) : message("latent"),
             grouped(kind.parameters),
             message(fmt::format("{:.3f} to {:.3f}", kind.lossBefore, kind.lossAfter))});
    table.current = static_cast<int>(current);
    return table;
}

LabBars cacheBars(const std::vector<Kind>& kinds, std::size_t current)
{
    LabBars bars{"B"};
    for (std::size_t i = 0; i < kinds.size(); ++i)
        bars.bars.push_back({kinds[i].title, static_cast<double>(kinds[i].cache),
                             bytesText(static_cast<double>(kinds[i].cache)), i == current});
    return bars;
}

std::vector<LabNumber> numbersOf(const std::vector<Kind>& kinds, std::size_t current)
{
    const Kind& shown = kinds[current];
    std::vector<LabNumber> numbers{
        labNumber("query_heads", "Query heads", shown.config.heads),
        labNumber("kv_heads", "KV heads (0: latent)", shown.keyHeads()),
        labNumber("parameters", "Parameters of a layer's attention", shown.parameters),
        labNumber("bytes", "KV cache of a layer", shown.cache, "B"),
        labNumber("share", "Cache relative to MHA",
                  static_cast<double>(shown.cache) / static_cast<double>(kinds[0].cache)),
        labNumber("tokens", "Tokens in the cache", kCachedTokens),
        labNumber("loss_before", "Loss before the step", shown.lossBefore, "nats"),
        labNumber("loss_after", "Loss after the step", shown.lossAfter, "nats"),
        labNumber("lowered", "Kinds whose loss the step lowered",
                  std::int64_t{std::ranges::count_if(
                      kinds, [](const Kind& kind) { return kind.lossAfter < kind.lossBefore; })})};
    for (const Kind& kind : kinds) {
        numbers.push_back(
            labNumber("bytes_" + kind.name, "KV cache, " + kind.title, kind.cache, "B"));
        numbers.push_back(labNumber("moved_" + kind.name, "Loss change, " + kind.title,
                                    kind.lossAfter - kind.lossBefore, "nats"));
    }
    return numbers;
}

} // namespace

LabResult runSharedHeads(const LabSettings& settings, const LabContext& context,
                         const std::stop_token& stop)
{
    const std::vector<Kind> kinds = allKinds(settings, context, stop);
    const Kind& shown = chosenEntry(kinds, settings, "kind");
    const auto current = static_cast<std::size_t>(&shown - kinds.data());
    LabResult result;
    result.panels = {{"Query heads and their KV heads",
                      fmt::format("{} query heads above", shown.config.heads),
                      readingDiagram(shown)},
                     {fmt::format("KV cache of one layer, {} tokens", grouped(kCachedTokens)),
                      "float16", cacheBars(kinds, current)},
                     {"Cost, and one real training step",
                      "parameters of one layer; loss on the same batch before and after",
                      costTable(kinds, current)}};
    result.numbers = numbersOf(kinds, current);
    result.sentence =
        fmt::format("{} stores {} for {} tokens in one layer, {:.0f} % of the MHA cache, and has "
                    "{} parameters. One "
                    "training step changed the loss from {:.3f} to {:.3f}.",
                    shown.title.substr(0, 3), bytesText(static_cast<double>(shown.cache)),
                    grouped(kCachedTokens),
                    100.0 * static_cast<double>(shown.cache) / static_cast<double>(kinds[0].cache),
                    grouped(shown.parameters), shown.lossBefore, shown.lossAfter);
    return result;
}

} // namespace headscope
