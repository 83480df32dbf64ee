#include "ui/workers/training/run_reader.h"

#include "core/base/error.h"
#include "core/experiments/task_catalogue.h"
#include "core/model/config/size_report.h"
#include "core/runs/run_lock.h"
#include "core/runs/series/checkpoint_series.h"
#include "ui/widgets/tr.h"
#include "ui/workers/error_sentence.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

namespace fs = std::filesystem;

constexpr int kReportEvery = 25; ///< Interval of progress reports, in runs, for a long list.

QString taskTitle(const TrainingConfig& config)
{
    if (const CatalogueTask* task = taskOf(config); task && !task->needsText)
        return QString::fromStdString(task->title);
    if (!config.data.text.empty())
        return QString::fromStdString(fs::path(config.data.text).filename().string());
    if (!config.data.batches.empty())
        return QString::fromStdString(fs::path(config.data.batches).filename().string());
    return tr("Own text");
}

QString modelFacts(const ModelConfig& model)
{
    const QString layers =
        model.isEncoderDecoder()
            ? QStringLiteral("%1+%2").arg(model.layers).arg(model.decoderLayerCount())
            : QString::number(model.layers);
    return tr("%1 \u00D7 %2 \u00B7 d %3").arg(layers).arg(model.heads).arg(model.dModel);
}

void describeConfig(RunEntry& entry)
{
    const RunSummary& run = entry.summary;
    const TrainingConfig config =
        trainingConfigFromJson(run.config, run.path.string(), run.path.parent_path());
    entry.task = taskTitle(config);
    entry.model = modelFacts(config.model);
    ModelConfig counted = config.model;
    if (counted.vocabularySize == 0)
        return; // determined by the tokenizer
    entry.parameters = sizeReport(counted).total();
}

/// A series has no configuration but that of its newest model.
void describeSeries(RunEntry& entry)
{
    const ModelFacts newest = readModelFacts(listSeries(entry.summary.path).back().path);
    entry.task = tr("Checkpoints of another program");
    entry.model = modelFacts(newest.config);
    entry.parameters = sizeReport(newest.config).total();
}

std::optional<double> bestLoss(const RunCurves& curves)
{
    std::optional<double> best;
    for (const LogLine& line : curves.lines)
        if (std::isfinite(line.validationLoss))
            best = std::min(best.value_or(line.validationLoss), line.validationLoss);
    return best;
}

} // namespace

RunEntry readRunEntry(const fs::path& run)
{
    RunEntry entry;
    entry.summary = RunLibrary::summary(run);
    try {
        if (entry.summary.state == RunSummary::State::Series) {
            describeSeries(entry);
            return entry;
        }
        if (!entry.summary.config.empty())
            describeConfig(entry);
        if (entry.summary.state != RunSummary::State::Damaged)
            entry.bestValidationLoss = bestLoss(RunCurves::read(run));
    } catch (const Error& error) {
        if (entry.summary.problem.empty())
            entry.summary.problem = errorSentence(error).toStdString();
    }
    return entry;
}

RunSeries readRunSeries(const fs::path& run)
{
    RunSeries series;
    series.path = run;
    try {
        if (RunLibrary::isForeignSeries(run)) {
            for (SeriesEntry& checkpoint : listSeries(run)) {
                series.snapshots.push_back({checkpoint.step, 0, false, false});
                series.snapshotPaths.push_back(std::move(checkpoint.path));
            }
            return series;
        }
        series.curves = RunCurves::read(run);
        series.heads = HeadCurves::read(run);
        const Timeline timeline(run);
        series.snapshots = timeline.snapshots();
        for (const SnapshotRecord& snapshot : series.snapshots)
            series.snapshotPaths.push_back(timeline.path(snapshot.step));
        const nlohmann::json config = RunLibrary::summary(run).config;
        series.batchSize = config.value("batch_size", std::int64_t{0});
        if (config.contains("model"))
            series.length = config.at("model").value("max_len", std::int64_t{0});
    } catch (const std::exception&) {
        // The list shows the error in its line.
    }
    return series;
}

QString whyReadOnlySeries()
{
    return tr("These checkpoints were trained by another program. They are only read.");
}

void RunReader::list(const std::vector<fs::path>& folders)
{
    m_list.start(
        [this, folders](const LatestTask::Control& control) { return read(folders, control); },
        [this](const RunList& runs) { emit listed(runs); });
}

RunReader::Stamp RunReader::stampOf(const fs::path& run)
{
    Stamp stamp;
    for (const char* file : {".", "config.json", "run.json", "log.jsonl", "events.jsonl",
                             "timeline.json", "notes.txt", "checkpoints"}) {
        std::error_code error;
        const auto time = fs::last_write_time(run / file, error);
        stamp.times.push_back(error ? fs::file_time_type::min() : time);
    }
    stamp.isTaken = RunLock::isTaken(run);
    return stamp;
}

const RunEntry& RunReader::entry(const fs::path& run)
{
    const Stamp stamp = stampOf(run);
    auto& known = m_known[run];
    if (known.second.summary.path.empty() || known.first != stamp)
        known = {stamp, readRunEntry(run)};
    return known.second;
}

/// Runs on the reader's thread.
RunList RunReader::read(const std::vector<fs::path>& folders, const LatestTask::Control& control)
{
    std::vector<fs::path> paths;
    for (const fs::path& folder : folders)
        for (fs::path& path : RunLibrary(folder).paths())
            paths.push_back(std::move(path));
    auto list = std::make_shared<std::vector<RunEntry>>();
    const int all = static_cast<int>(paths.size());
    for (const fs::path& path : paths) {
        if (control.stop().stop_requested())
            break;
        list->push_back(entry(path));
        const int done = static_cast<int>(list->size());
        if (all > kReportEvery && done % kReportEvery == 0)
            control.tell([this, done, all] { emit progressed(done, all); });
    }
    return list;
}

void RunReader::readCurves(const std::vector<fs::path>& runs)
{
    const auto read = [this, runs](const LatestTask::Control& control) {
        auto list = std::make_shared<std::vector<RunSeries>>();
        for (const fs::path& path : runs) {
            if (control.stop().stop_requested())
                break;
            list->push_back(readRunSeries(path));
            if (RunLibrary::isForeignSeries(path))
                list->back().heads = m_heads.of(path);
        }
        return RunSeriesList(list);
    };
    m_curves.start(read, [this](const RunSeriesList& series) { emit curvesRead(series); });
}

} // namespace headscope::ui
