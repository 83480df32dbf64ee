#include "ui/session/runs/training_record.h"

#include "core/base/error.h"
#include "core/io/checkpoint.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

/// Appends points by step, replacing existing ones from the first new step on.
void append(std::vector<QPointF>& points, std::int64_t step, double value)
{
    const auto x = static_cast<double>(step);
    while (!points.empty() && points.back().x() >= x)
        points.pop_back();
    points.emplace_back(x, value);
}

/// Appends points whose value was logged; missing values are NaN.
void appendKnown(std::vector<QPointF>& points, std::int64_t step, double value)
{
    if (!std::isnan(value))
        append(points, step, value);
}

/// Record of a series: no log, its heads are yet to be measured.
TrainingRecord readSeries(const std::filesystem::path& path)
{
    Progress progress;
    const auto series =
        std::make_shared<const CheckpointSeries>(CheckpointSeries::open(path, progress));
    TrainingRecord record;
    record.folder = path;
    record.series = series;
    record.model = series->config();
    record.config.model = series->config();
    record.tokenizer = series->loadTokenizer();
    record.step = record.steps = series->checkpoints().back().step;
    record.timelineBytes = series->bytes();
    for (const SeriesCheckpoint& checkpoint : series->checkpoints())
        record.snapshots.push_back({checkpoint.step, checkpoint.bytes, false, false});
    return record;
}

} // namespace

std::filesystem::path SnapshotSource::path(std::int64_t step) const
{
    if (series) {
        const SeriesCheckpoint* const checkpoint = series->at(step);
        return checkpoint ? checkpoint->path : std::filesystem::path();
    }
    return folder / "checkpoints" / ("step-" + std::to_string(step) + ".safetensors");
}

std::shared_ptr<const Model> SnapshotSource::load(std::int64_t step, std::stop_token stop) const
{
    if (!series)
        return Timeline(folder).load(step);
    Progress progress(std::move(stop));
    return series->load(step, progress);
}

int TrainingRecord::snapshotOf(std::int64_t wanted) const
{
    const auto found =
        std::find_if(snapshots.begin(), snapshots.end(),
                     [wanted](const SnapshotRecord& mark) { return mark.step == wanted; });
    return found == snapshots.end() ? -1 : static_cast<int>(found - snapshots.begin());
}

std::optional<std::int64_t> TrainingRecord::snapshotAt(const std::filesystem::path& path) const
{
    for (const SnapshotRecord& mark : snapshots)
        if (!path.empty() && snapshotPath(mark.step).lexically_normal() == path.lexically_normal())
            return mark.step;
    return std::nullopt;
}

void TrainingRecord::take(const OpenedTraining& opened)
{
    *this = {};
    folder = opened.folder;
    config = opened.config;
    model = opened.model;
    tokenizer = opened.tokenizer;
    device = opened.device;
    settings = liveSettingsOf(opened.config);
    steps = opened.config.steps;
    heads = opened.heads;
    jumps = findJumps(heads);
    events = opened.curves.events;
    for (const LogLine& line : opened.curves.lines)
        add(line);
}

void TrainingRecord::take(const TrainingSnapshot& snapshot)
{
    step = snapshot.step;
    steps = snapshot.steps;
    settings = snapshot.settings;
    snapshots = snapshot.snapshots;
    timelineBytes = snapshot.timelineBytes;
    events.insert(events.end(), snapshot.events.begin(), snapshot.events.end());
    const std::size_t measured = heads.points().size();
    for (const LivePoint& point : snapshot.points)
        add(point);
    if (heads.points().size() != measured)
        jumps = findJumps(heads);
}

void TrainingRecord::add(const LogLine& line)
{
    step = std::max(step, line.step);
    append(loss, line.step, line.loss);
    appendKnown(validation, line.step, line.validationLoss);
    appendKnown(accuracy, line.step, line.validationAccuracy);
    appendKnown(learningRate, line.step, line.learningRate);
    appendKnown(gradientNorm, line.step, line.gradientNorm);
    for (const auto& [layer, norm] : line.layerNorms)
        appendKnown(layerNorms[layer], line.step, norm);
    for (const auto& [part, value] : line.lossParts)
        append(lossParts[part], line.step, value);
    if (!std::isnan(line.tokensPerSecond))
        tokensPerSecond = line.tokensPerSecond;
}

void TrainingRecord::add(const LivePoint& point)
{
    const TrainingProgress& progress = point.progress;
    const StepReport& report = progress.report;
    append(loss, report.step, report.loss);
    append(learningRate, report.step, report.learningRate);
    append(gradientNorm, report.step, report.gradientNorm);
    for (const auto& [part, value] : headscope::lossParts(report.parts))
        append(lossParts[part], report.step, value);
    if (progress.validationLoss)
        append(validation, report.step, *progress.validationLoss);
    if (progress.validationAccuracy)
        append(accuracy, report.step, *progress.validationAccuracy);
    for (const GradientNorm& norm : progress.layerNorms)
        append(layerNorms[norm.layer], report.step, norm.norm);
    if (point.isLogged)
        tokensPerSecond = progress.tokensPerSecond;
    secondsLeft = point.secondsLeft;
    if (point.scores)
        heads.add(*point.scores);
}

TrainingRecord readRecord(const std::filesystem::path& run, const TrainingRecord& known)
{
    if (RunLibrary::isForeignSeries(run))
        return readSeries(run);
    Timeline timeline(run);
    OpenedTraining opened;
    opened.folder = run;
    opened.curves = RunCurves::read(run);
    opened.heads = HeadCurves::read(run);
    const RunSummary summary = RunLibrary::summary(run);
    if (timeline.snapshots().empty() && summary.state == RunSummary::State::Damaged)
        throw Error(summary.problem); // nothing to show
    opened.config = trainingConfigFromJson(summary.config, (run / "config.json").string(), run);
    opened.device = summary.device;
    opened.model = opened.config.model;
    if (known.folder == run && known.tokenizer) {
        opened.model = known.model;
        opened.tokenizer = known.tokenizer;
    } else if (!timeline.snapshots().empty()) {
        const LoadedModel newest = loadCheckpoint(timeline.path(timeline.snapshots().back().step));
        opened.model = newest.model->config();
        opened.tokenizer = newest.tokenizer;
    }
    TrainingRecord record;
    record.take(opened);
    record.step = std::max(record.step, summary.step);
    record.steps = std::max(summary.steps, record.step);
    record.snapshots = timeline.snapshots();
    record.timelineBytes = timeline.bytes();
    for (const RunEvent& event : record.events)
        if (event.settings)
            record.settings = *event.settings;
    return record;
}

} // namespace headscope::ui
