#pragma once

#include "core/runs/head_curves.h"
#include "core/runs/run_library.h"
#include "core/runs/timeline.h"
#include "ui/workers/tasks/latest_task.h"
#include "ui/workers/training/measured_heads.h"

#include <QString>

#include <map>
#include <memory>
#include <vector>

namespace headscope::ui {

/// A run on disk, with facts from its configuration.
struct RunEntry
{
    RunSummary summary;
    QString task;                ///< Task, such as "Reverse", or the name of the text file.
    QString model;               ///< Model size, such as "2 × 4 · d 64".
    std::int64_t parameters = 0; ///< Number of parameters; 0: not known.
    std::optional<double> bestValidationLoss;
};

/// All curves of one run.
struct RunSeries
{
    std::filesystem::path path;
    RunCurves curves;
    HeadCurves heads; ///< Of a series: read by RunReader, as far as they were measured.
    std::vector<SnapshotRecord> snapshots;            ///< Snapshots of the run.
    std::vector<std::filesystem::path> snapshotPaths; ///< Path of each snapshot.
    std::int64_t batchSize = 0; ///< Configured batch size; events record later changes.
    std::int64_t length = 0;    ///< Maximum length of a row in tokens.
};

using RunList = std::shared_ptr<const std::vector<RunEntry>>;
using RunSeriesList = std::shared_ptr<const std::vector<RunSeries>>;

RunEntry readRunEntry(const std::filesystem::path& run); ///< Reads a run's entry; never throws.
/// Reads a run's curves; empty for a damaged run.
RunSeries readRunSeries(const std::filesystem::path& run);

/// Reason why a series of checkpoints cannot be trained, changed or deleted.
QString whyReadOnlySeries();

/// Reads runs in background threads and caches those that have not changed. The newest request
/// counts.
class RunReader : public QObject
{
    Q_OBJECT

public:
    void list(const std::vector<std::filesystem::path>& folders);
    void readCurves(const std::vector<std::filesystem::path>& runs);

signals:
    /// Emitted with the runs, sorted by folder, then by name.
    void listed(const headscope::ui::RunList& runs);
    void progressed(int done, int of); ///< Emitted with the progress of a long list.
    void curvesRead(const headscope::ui::RunSeriesList& series);

private:
    /// Modification times of a run's files when it was read.
    struct Stamp
    {
        std::vector<std::filesystem::file_time_type> times;
        bool isTaken = false;

        friend bool operator==(const Stamp&, const Stamp&) = default;
    };

    static Stamp stampOf(const std::filesystem::path& run);
    const RunEntry& entry(const std::filesystem::path& run);
    RunList read(const std::vector<std::filesystem::path>& folders,
                 const LatestTask::Control& control);

    /// Entries already read; used on the list's thread only.
    std::map<std::filesystem::path, std::pair<Stamp, RunEntry>> m_known;
    MeasuredHeads m_heads; ///< Of series; used on the curves' thread only.
    LatestTask m_list;
    LatestTask m_curves;
};

} // namespace headscope::ui
