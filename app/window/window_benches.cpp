#include "app/window/window_benches.h"

#include "app/model_source.h"
#include "app/window/window_command.h"
#include "ui/widgets/style/theme.h"
#include "ui/window/benchmarks/block_benchmark.h"
#include "ui/window/benchmarks/long_text_benchmark.h"
#include "ui/window/benchmarks/render_benchmark.h"
#include "ui/window/benchmarks/window_benchmark.h"

#include <QApplication>

namespace headscope::app {

namespace {

void addKeys(BenchTable& table, const ui::KeystrokeBenchmark& window)
{
    const nlohmann::json shape{{"case", window.model},
                               {"tokens", window.tokens},
                               {"device", window.device},
                               {"platform", window.platform}};
    nlohmann::json keys = shape;
    keys["measured"] = "key to painted";
    keys["keys"] = window.keys;
    keys["median_ms"] = window.medianMs;
    keys["p95_ms"] = window.p95Ms;
    keys["maximum_ms"] = window.maximumMs;
    keys["all_ms"] = window.keyMs;
    nlohmann::json start = shape;
    start["measured"] = "start to first heatmap";
    start["median_ms"] = window.startToFirstHeatmapMs;
    table.rows.push_back(std::move(keys));
    table.rows.push_back(std::move(start));
}

BenchTable renderTable(const std::vector<ui::RenderTiming>& timings)
{
    BenchTable table{
        "render",
        {},
        {"case", "picture", "median_ms", "bar_ms", "naive_ms", "times_faster", "naive"}};
    for (const ui::RenderTiming& timing : timings)
        table.rows.push_back({{"case", timing.name},
                              {"picture", timing.image},
                              {"median_ms", timing.medianMs},
                              {"bar_ms", timing.barMs},
                              {"naive", timing.naive},
                              {"naive_ms", timing.naiveMs},
                              {"times_faster", timing.ratio()}});
    return table;
}

BenchTable blockTable(const std::vector<ui::BlockTiming>& timings)
{
    BenchTable table{
        "window",
        {},
        {"page", "action", "tokens", "longest_ms", "cpu_ms", "turns", "idle", "model"}};
    for (const ui::BlockTiming& timing : timings)
        table.rows.push_back({{"page", timing.page},
                              {"action", timing.action},
                              {"tokens", timing.tokens},
                              {"longest_ms", timing.longestMs},
                              {"cpu_ms", timing.cpuMs},
                              {"turns", timing.turns},
                              {"idle", timing.idle ? "yes" : "no"},
                              {"model", timing.model}});
    return table;
}

} // namespace

void benchKeystroke(const BenchOptions& options, CommandContext& context)
{
    BenchTable table = measureKeystrokes(options, context);
    drawWithoutDisplay();
    ui::KeystrokeBenchmarkOptions settings;
    settings.model = options.model;
    settings.rounds = options.rounds;
    ui::ApplicationServices services = windowServices(context);
    services.device = options.device;
    addKeys(table, ui::runKeystrokeBenchmark(context.argc(), context.argv(), std::move(services),
                                             settings));
    show(options, table);
}

void benchRendering(const BenchOptions& options, CommandContext& context)
{
    drawWithoutDisplay();
    const QApplication application(context.argc(), context.argv());
    ui::applyTheme(*qApp, ui::Theme::named(false, ui::bodyFont()));
    show(options, renderTable(ui::benchmarkRendering(options.rounds)));
}

void benchLongText(const BenchOptions& options, CommandContext& context)
{
    drawWithoutDisplay();
    const QApplication application(context.argc(), context.argv());
    const LoadedModel model = openModel(options.model.empty() ? "builtin:stories" : options.model);
    const std::vector<int> lengths =
        options.tokens.empty() ? std::vector<int>{8192} : options.tokens;
    BenchTable table{
        "long text", {}, {"step", "tokens", "wall_ms", "cpu_ms", "peak_mib", "of_plain", "model"}};
    for (const int tokens : lengths)
        for (const ui::LongTextTiming& timing :
             ui::measureLongText(model, context.registry(), options.device, tokens, options.rounds))
            table.rows.push_back({{"step", timing.step},
                                  {"tokens", timing.tokens},
                                  {"wall_ms", timing.wallMs},
                                  {"cpu_ms", timing.cpuMs},
                                  {"peak_mib", timing.peakMiB},
                                  {"of_plain", timing.ofPlain},
                                  {"model", timing.model}});
    show(options, table);
}

void benchWindow(const BenchOptions& options, CommandContext& context)
{
    drawWithoutDisplay();
    ui::BlockBenchmarkOptions settings;
    settings.model = options.model;
    settings.pages = options.pages;
    settings.wait = options.wait;
    if (!options.tokens.empty())
        settings.tokens = options.tokens;
    ui::ApplicationServices services = windowServices(context);
    services.device = options.device;
    show(options, blockTable(ui::runBlockBenchmark(context.argc(), context.argv(),
                                                   std::move(services), settings)));
}

} // namespace headscope::app
