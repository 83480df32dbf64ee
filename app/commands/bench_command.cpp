#include "app/commands/bench_options.h"
#include "app/console.h"
#include "app/model_precision.h"
#include "app/model_source.h"
#include "app/window_part.h"
#include "core/analysis/benchmarks/analysis_benchmark.h"
#include "core/analysis/benchmarks/keystroke_benchmark.h"
#include "core/attention/attention_benchmark.h"
#include "core/base/error.h"
#include "core/cluster/mpi_group.h"
#include "core/cluster/ring_benchmark.h"
#include "core/cluster/thread_group.h"
#include "core/generate/decode_benchmark.h"
#include "core/generate/model_speed.h"
#include "core/train/training_benchmark.h"

#include <fmt/ranges.h>

#include <iterator>
#include <memory>

namespace headscope::app {

namespace {

void benchAttention(const BenchOptions& options, CommandContext& context)
{
    std::vector<std::unique_ptr<AttentionBackend>> backends;
    std::vector<AttentionBackend*> compared;
    for (const BackendEntry& entry : context.registry().entries()) {
        if (entry.facts.id == "reference")
            continue; // written for readability, not for speed
        backends.push_back(entry.create());
        compared.push_back(backends.back().get());
    }
    BenchmarkOptions settings;
    settings.rounds = options.rounds;
    std::vector<BenchmarkResult> results;
    const std::vector<BenchmarkShape> shapes = benchmarkShapes();
    ProgressBar bar("attention");
    for (const BenchmarkShape& shape : shapes) {
        bar.show(static_cast<std::int64_t>(results.size()),
                 static_cast<std::int64_t>(shapes.size()), shape.toString());
        results.push_back(benchmarkAttention(compared, shape, settings));
    }
    show(options, attentionTable(results));
}

void benchTraining(const BenchOptions& options, CommandContext& context)
{
    const auto makeBackend = [&] { return context.registry().create(options.device); };
    show(options,
         trainingTable(benchmarkTraining(trainingBenchmarkCases(), options.rounds, makeBackend)));
}

/// Measures a user's model: how fast it reads a prompt and generates.
void benchModel(const BenchOptions& options, CommandContext& context)
{
    const LoadedModel loaded = withPrecision(openModel(options.model), options.precision);
    ModelSpeedOptions settings;
    settings.rounds = options.rounds;
    settings.products = options.exact ? Products::Exact : Products::Integer;
    if (!options.tokens.empty())
        settings.promptTokens.assign(options.tokens.begin(), options.tokens.end());
    const auto backend = context.registry().create(options.device);
    const std::vector<ModelSpeed> speeds = measureModelSpeed(loaded.model, *backend, settings);
    show(options, modelSpeedTable(options.model, backend->describe(), options.rounds, speeds));
}

void benchDecoding(const BenchOptions& options, CommandContext& context)
{
    if (!options.model.empty())
        return benchModel(options, context);
    std::vector<DecodeTiming> timings;
    const std::vector<DecodeCase> cases = decodeCases();
    ProgressBar bar("decode");
    for (const DecodeCase& one : cases) {
        bar.show(static_cast<std::int64_t>(timings.size()), static_cast<std::int64_t>(cases.size()),
                 one.name);
        timings.push_back(
            measureDecoding(one, context.registry().create(options.device), options.rounds));
    }
    show(options, decodeTable(timings));
}

/// Over the processes started by mpirun, else over threads of this one.
void benchRing(const BenchOptions& options, CommandContext& context)
{
    RingCase shape;
    shape.rounds = options.rounds;
    if (!options.tokens.empty())
        shape.tokens = options.tokens.front();
    const auto measure = [&](Communicator& group) {
        const auto backend = context.registry().create(options.device);
        const RingTiming timing = measureRing(group, *backend, shape);
        if (group.rank() == 0)
            show(options, ringTable(timing));
    };
    if (const auto group = joinMpiGroup())
        measure(*group);
    else
        runThreadGroup(options.processes, measure);
}

AnalysisCase analysisCase(const BenchOptions& options)
{
    AnalysisCase shape;
    shape.rounds = options.rounds;
    if (!options.tokens.empty())
        shape.tokens = options.tokens.front();
    return shape;
}

void benchScores(const BenchOptions& options, CommandContext&)
{
    Progress progress;
    show(options, scoresTable(measureScores(analysisCase(options), progress)));
}

void benchAblation(const BenchOptions& options, CommandContext&)
{
    ProgressBar bar("ablation");
    Progress progress({}, [&](std::uint64_t done, std::uint64_t total) {
        bar.show(static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
    });
    show(options, ablationTable(measureAblation(analysisCase(options), progress)));
}

constexpr Bench kBenches[] = {
    {"attention", benchAttention}, {"train", benchTraining}, {"decode", benchDecoding},
    {"ring", benchRing},           {"scores", benchScores},  {"ablation", benchAblation},
};

std::vector<Bench> allBenches()
{
    std::vector<Bench> all(std::begin(kBenches), std::end(kBenches));
    const std::span<const Bench> ofWindow = windowBenches();
    all.insert(all.end(), ofWindow.begin(), ofWindow.end());
    return all;
}

} // namespace

void show(const BenchOptions& options, const BenchTable& table)
{
    if (options.json)
        printJsonLine(toJson(table));
    else
        print(toText(table));
}

BenchTable measureKeystrokes(const BenchOptions& options, CommandContext& context)
{
    std::vector<KeystrokeTiming> timings;
    for (const KeystrokeCase& one : keystrokeCases())
        timings.push_back(measureKeystroke(one, context.registry().create(options.device),
                                           options.rounds,
                                           precisionNamed(options.precision).value()));
    return keystrokeTable(timings);
}

void addBenchCommand(CLI::App& app, CommandContext& context)
{
    const auto options = std::make_shared<BenchOptions>();
    std::vector<std::string> names;
    for (const Bench& bench : allBenches())
        names.emplace_back(bench.name);
    CLI::App* command = app.add_subcommand("bench", "Measure this machine; prints medians");
    command->add_option("WHAT", options->what, fmt::format("{}", fmt::join(names, ", ")))
        ->required()
        ->check(CLI::IsMember(names));
    addModelOption(*command, options->model);
    addPrecisionOption(*command, options->precision);
    addDeviceOption(*command, options->device);
    command->add_option("--rounds", options->rounds, "Rounds that the medians are taken over")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command
        ->add_option("--tokens", options->tokens,
                     "window: text lengths (64 512); ring: sequence length (2048); decode --model: "
                     "prompt lengths (12 128 512); scores, ablation: text length (128)")
        ->check(CLI::Range(1, 100'000));
    command
        ->add_option("--processes", options->processes,
                     "ring: threads in place of processes, unless started by mpirun")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    command->add_flag("--exact", options->exact,
                      "decode --model: multiply weights stored as integers in floats");
    command->add_option("--page", options->pages, "window: only these pages");
    command
        ->add_option("--wait", options->wait,
                     "window: seconds after an action for what is computed in the background")
        ->check(CLI::Range(1, 3600))
        ->capture_default_str();
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options, &context] {
        for (const Bench& bench : allBenches())
            if (options->what == bench.name)
                bench.measure(*options, context);
    });
}

} // namespace headscope::app
