#include "ui/pages/runs/runs_table.h"

#include "ui/pages/shared/runs/run_form_content.h"
#include "ui/widgets/tr.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace headscope::ui {

namespace {

QString lossText(const std::optional<double>& loss)
{
    return loss ? number(*loss, 3) : QStringLiteral("\u2013");
}

QString stepText(const RunSummary& run)
{
    return run.steps == 0 ? count(run.step) : tr("%1 of %2").arg(count(run.step), count(run.steps));
}

FactRow::Dot dotOf(RunSummary::State state)
{
    switch (state) {
    case RunSummary::State::Running:
        return FactRow::Dot::Live;
    case RunSummary::State::Finished:
        return FactRow::Dot::Good;
    case RunSummary::State::Stopped:
    case RunSummary::State::Series:
        return FactRow::Dot::Quiet;
    case RunSummary::State::Diverged:
    case RunSummary::State::Damaged:
        return FactRow::Dot::Bad;
    }
    return FactRow::Dot::None;
}

QStringList textsOf(const RunEntry& entry)
{
    const RunSummary& run = entry.summary;
    const bool isDamaged = run.state == RunSummary::State::Damaged;
    const bool hasSeed = !isDamaged && run.state != RunSummary::State::Series;
    return {QString::fromStdString(run.name),
            entry.task,
            entry.model,
            isDamaged ? QStringLiteral("\u2013") : stepText(run),
            lossText(run.validationLoss),
            lossText(entry.bestValidationLoss),
            hasSeed ? QString::number(run.seed) : QStringLiteral("\u2013"),
            QString::fromStdString(run.device),
            dayText(run.started),
            stateText(run.state)};
}

/// Comparison as -1, 0 or 1; unknown values come last in either direction.
int compared(const std::optional<double>& a, const std::optional<double>& b, bool rising)
{
    if (!a || !b)
        return a ? -1 : b ? 1 : 0;
    const int order = *a < *b ? -1 : *a > *b ? 1 : 0;
    return rising ? order : -order;
}

std::optional<double> numberOf(const RunEntry& run, int column)
{
    const RunSummary& summary = run.summary;
    switch (column) {
    case RunsOptions::Step:
        return static_cast<double>(summary.step);
    case RunsOptions::Loss:
        return summary.validationLoss;
    case RunsOptions::Best:
        return run.bestValidationLoss;
    case RunsOptions::Seed:
        return static_cast<double>(summary.seed);
    case RunsOptions::Model:
        return static_cast<double>(run.parameters);
    case RunsOptions::State:
        return static_cast<double>(summary.state);
    default:
        return std::nullopt;
    }
}

bool isText(int column)
{
    return column == RunsOptions::Name || column == RunsOptions::Task ||
           column == RunsOptions::Device || column == RunsOptions::Started;
}

int compareTexts(const RunEntry& a, const RunEntry& b, const RunsOptions& options)
{
    const QString left = options.column == RunsOptions::Started
                             ? QString::fromStdString(a.summary.started)
                             : textsOf(a).value(options.column);
    const QString right = options.column == RunsOptions::Started
                              ? QString::fromStdString(b.summary.started)
                              : textsOf(b).value(options.column);
    const int order = QString::localeAwareCompare(left, right);
    return options.rising ? order : -order;
}

bool matches(const RunEntry& run, const QString& filter)
{
    QString all = textsOf(run).join(QLatin1Char(' ')) + QLatin1Char(' ') +
                  QString::fromStdString(run.summary.notes) + QLatin1Char(' ') + runId(run);
    const QStringList words = filter.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(), [&](const QString& word) {
        return all.contains(word, Qt::CaseInsensitive);
    });
}

QString shortened(const std::string& value)
{
    return value.empty() ? QStringLiteral("\u2013") : QString::fromStdString(value);
}

} // namespace

QString runId(const RunEntry& run)
{
    return QString::fromStdString(run.summary.path.string());
}

QString stateText(RunSummary::State state)
{
    switch (state) {
    case RunSummary::State::Running:
        return tr("running");
    case RunSummary::State::Finished:
        return tr("done");
    case RunSummary::State::Stopped:
        return tr("stopped");
    case RunSummary::State::Diverged:
        return tr("diverged");
    case RunSummary::State::Damaged:
        return tr("damaged");
    case RunSummary::State::Series:
        return tr("series");
    }
    return {};
}

std::vector<FactColumn> runColumns()
{
    return {{tr("Run"), tr("Name of its folder"), 120, false, true},
            {tr("Task"), tr("Training task"), 110, false, true},
            {tr("Model"), tr("Layers \u00D7 heads \u00B7 width; sorted by parameters"), 104},
            {tr("Step"), tr("Completed updates, of those configured"), 128, true},
            {tr("Loss"), tr("Newest validation loss, in nats per token"), 72, true},
            {tr("Best"), tr("Lowest validation loss"), 72, true},
            {tr("Seed"), tr("Same seed and device, same numbers"), 64, true},
            {tr("Device"), tr("Device that computed attention"), 80},
            {tr("Started"), tr("Local time"), 136},
            {tr("State"), tr("Running: a process is writing it now"), 104}};
}

std::vector<const RunEntry*> shownRuns(const std::vector<RunEntry>& runs,
                                       const RunsOptions& options)
{
    std::vector<const RunEntry*> shown;
    for (const RunEntry& run : runs)
        if (matches(run, options.filter))
            shown.push_back(&run);
    std::stable_sort(shown.begin(), shown.end(), [&](const RunEntry* a, const RunEntry* b) {
        const int order = isText(options.column)
                              ? compareTexts(*a, *b, options)
                              : compared(numberOf(*a, options.column), numberOf(*b, options.column),
                                         options.rising);
        return order != 0 ? order < 0 : a->summary.name < b->summary.name;
    });
    return shown;
}

std::vector<FactRow> runRows(const std::vector<const RunEntry*>& runs, const QStringList& chosen)
{
    std::vector<FactRow> rows;
    for (const RunEntry* run : runs) {
        FactRow row;
        row.id = runId(*run);
        row.texts = textsOf(*run);
        row.toolTip =
            run->summary.problem.empty() ? row.id : QString::fromStdString(run->summary.problem);
        row.dot = dotOf(run->summary.state);
        row.hue = static_cast<int>(chosen.indexOf(row.id));
        rows.push_back(std::move(row));
    }
    return rows;
}

QString runFacts(const RunEntry& run)
{
    const RunSummary& summary = run.summary;
    if (summary.state == RunSummary::State::Damaged)
        return QString::fromStdString(summary.problem);
    QStringList facts{run.task, run.model};
    if (run.parameters > 0)
        facts << tr("%1 parameters").arg(count(run.parameters));
    if (summary.state != RunSummary::State::Series)
        facts << tr("seed %1").arg(summary.seed);
    if (!summary.device.empty())
        facts << QString::fromStdString(summary.device);
    if (summary.validationAccuracy)
        facts << tr("accuracy %1").arg(number(*summary.validationAccuracy, 3));
    if (summary.origin)
        facts << tr("forked from %1 at step %2")
                     .arg(QString::fromStdString(
                              std::filesystem::path(summary.origin->run).filename().string()),
                          count(summary.origin->step));
    return facts.join(QStringLiteral(" \u00B7 "));
}

std::vector<FactColumn> differenceColumns(const RunEntry& first, const RunEntry& second)
{
    return {{tr("Setting"), tr("Only settings that differ"), 120, false, true},
            {QString::fromStdString(first.summary.name), {}, 84, true},
            {QString::fromStdString(second.summary.name), {}, 84, true}};
}

std::vector<FactRow> differenceRows(const RunEntry& first, const RunEntry& second)
{
    std::vector<FactRow> rows;
    for (const ConfigDifference& difference :
         compareConfigs(first.summary.config, second.summary.config)) {
        FactRow row;
        row.id = QString::fromStdString(difference.key);
        row.texts = {row.id, shortened(difference.first), shortened(difference.second)};
        row.toolTip = row.texts.join(QStringLiteral(" \u00B7 "));
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace headscope::ui
