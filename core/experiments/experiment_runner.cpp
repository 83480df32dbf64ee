#include "core/experiments/experiment_runner.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/base/stop.h"
#include "core/experiments/conclusions.h"
#include "core/experiments/experiment_measures.h"
#include "core/runs/live_run.h"
#include "core/runs/run_curves.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kTurn = 10; ///< Number of steps of one variant at a time.
constexpr std::uint64_t kTimelineBudget = 64ULL << 20; ///< Bytes of snapshots per variant.
constexpr std::size_t kLastLines = 5; ///< Number of log lines averaged for the training loss.
constexpr std::uint64_t kLargestCard = 1 << 20;

/// Writes FOLDER/experiment.json, which records the experiment of a folder.
void claimFolder(const Experiment& experiment, const fs::path& folder)
{
    const fs::path card = folder / "experiment.json";
    std::error_code error;
    if (fs::exists(card, error)) {
        const auto json = parseJson(readFile(card, kLargestCard), card.string());
        if (!json.is_object() || json.value("experiment", "") != experiment.name)
            throw Error("the folder belongs to another experiment", folder.string(),
                        "Choose a new folder");
        return;
    }
    if (fs::exists(folder, error) &&
        (!fs::is_directory(folder, error) || !fs::is_empty(folder, error)))
        throw Error("a file or folder of this name already exists", folder.string(),
                    "Choose a new folder");
    fs::create_directories(folder, error);
    if (error)
        throw Error("cannot create the folder: " + error.message(), folder.string(),
                    "Choose another place");
    writeAtomically(card, dumpJson({{"experiment", experiment.name}}) + "\n");
}

class Runner
{
public:
    Runner(const Experiment& experiment, const fs::path& folder, const ExperimentSettings& settings,
           std::stop_token stop)
        : m_experiment(experiment)
        , m_folder(folder)
        , m_settings(settings)
        , m_stop(std::move(stop))
    {
    }

    ExperimentResult run()
    {
        for (std::size_t i = 0; i < m_experiment.variants.size(); ++i)
            m_runs.push_back(openRun(i));
        m_problems.resize(m_runs.size());
        while (!isDone()) {
            for (std::size_t i = 0; i < m_runs.size(); ++i)
                advance(i);
            if (m_stop.stop_requested()) {
                for (LiveRun& run : m_runs)
                    run.save();
                throw Cancelled();
            }
        }
        return result();
    }

private:
    LiveRun openRun(std::size_t index)
    {
        const ExperimentVariant& variant = m_experiment.variants[index];
        LiveRunOptions options;
        options.folder = variantFolder(m_folder, variant);
        options.makeBackend = m_settings.makeBackend;
        options.timelineBudget = kTimelineBudget;
        options.watchesHeads = std::ranges::count(m_experiment.measures, Measure::Entropy) > 0;
        options.say = [this, index](const std::string& what) { say(index, what); };
        options.stop = m_stop;
        std::error_code error;
        if (fs::exists(options.folder, error))
            return LiveRun::resume(options, variant.config);
        return LiveRun::create(variant.config, options);
    }

    bool isOver(std::size_t index) const
    {
        return m_runs[index].isDone() || !m_problems[index].empty();
    }

    bool isDone() const
    {
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            if (!isOver(i))
                return false;
        }
        return true;
    }

    double fraction() const
    {
        double done = 0.0;
        double all = 0.0;
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            const auto steps = static_cast<double>(m_runs[i].steps());
            const bool isBroken = i < m_problems.size() && !m_problems[i].empty();
            done += isBroken ? steps : static_cast<double>(m_runs[i].stepsDone());
            all += steps;
        }
        return all > 0.0 ? done / all : 1.0;
    }

    void say(std::size_t variant, const std::string& what) const
    {
        if (m_settings.progress)
            m_settings.progress({variant, what, nullptr, fraction()});
    }

    void advance(std::size_t index)
    {
        for (std::int64_t i = 0; i < kTurn && !isOver(index) && !m_stop.stop_requested(); ++i) {
            try {
                const LivePoint point = m_runs[index].step();
                if (point.isLogged && m_settings.progress)
                    m_settings.progress({index, {}, &point.progress, fraction()});
            } catch (const DivergedError& error) {
                m_problems[index] = error.what();
            }
        }
    }

    VariantResult measured(std::size_t index) const
    {
        const ExperimentVariant& variant = m_experiment.variants[index];
        const LiveRun& run = m_runs[index];
        say(index, fmt::format("measuring {}", variant.label));
        throwIfStopped(m_stop);
        const auto model = run.model();
        const auto backend = m_settings.makeBackend();
        const TrainedVariant trained{variant.config,         run.data(),     *model, *backend,
                                     m_settings.makeBackend, &run.timeline()};
        VariantResult result;
        result.name = variant.name;
        result.label = variant.label;
        result.problem = m_problems[index];
        addLastLines(RunCurves::read(run.folder()), result);
        addHeldOut(trained, result);
        for (const Measure measure : m_experiment.measures)
            addMeasure(measure, trained, result);
        std::erase_if(result.numbers,
                      [](const ExperimentNumber& number) { return !std::isfinite(number.value); });
        return result;
    }

    /// Adds the mean loss of the last log lines, and the gradients of the last one.
    static void addLastLines(const RunCurves& curves, VariantResult& result)
    {
        const std::size_t count = std::min(kLastLines, curves.lines.size());
        if (count == 0)
            return;
        double sum = 0.0;
        for (std::size_t i = curves.lines.size() - count; i < curves.lines.size(); ++i)
            sum += curves.lines[i].loss;
        result.numbers.push_back({"training_loss", sum / static_cast<double>(count)});
        for (const auto& [layer, norm] : curves.lines.back().layerNorms) {
            if (layer == "h.0")
                result.numbers.push_back({"end_first_block", norm});
        }
    }

    ExperimentResult result() const
    {
        ExperimentResult result;
        result.experiment = m_experiment.name;
        std::vector<PowerLawPoint> points;
        for (std::size_t i = 0; i < m_runs.size(); ++i) {
            result.variants.push_back(measured(i));
            const VariantResult& variant = result.variants.back();
            if (variant.problem.empty() &&
                std::ranges::count(m_experiment.measures, Measure::Size) > 0)
                points.push_back({variant.number("parameters"), variant.number("validation_loss")});
        }
        if (points.size() > 2)
            result.law = fitPowerLaw(points);
        result.conclusion = conclusionOf(m_experiment, result);
        return result;
    }

    const Experiment& m_experiment;
    const fs::path& m_folder;
    const ExperimentSettings& m_settings;
    std::stop_token m_stop;
    std::vector<LiveRun> m_runs;
    std::vector<std::string> m_problems; ///< Problem of each training run; empty if there is none.
};

} // namespace

fs::path variantFolder(const fs::path& folder, const ExperimentVariant& variant)
{
    return folder / variant.name;
}

ExperimentResult runExperiment(const Experiment& experiment, const fs::path& folder,
                               const ExperimentSettings& settings, std::stop_token stop)
{
    claimFolder(experiment, folder);
    if (auto finished = loadExperimentResult(folder))
        return std::move(*finished);
    ExperimentResult result = Runner(experiment, folder, settings, std::move(stop)).run();
    saveExperimentResult(folder, result);
    return result;
}

} // namespace headscope
