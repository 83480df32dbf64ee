#pragma once

#include "core/runs/head_curves.h"
#include "core/runs/run_library.h"
#include "core/runs/timeline.h"
#include "ui/workers/tasks/latest_task.h"

#include <QString>

#include <map>
#include <memory>
#include <vector>

namespace headscope::ui {

/// A run on disk, with what its configuration says about it.
struct RunEntry
{
    RunSummary summary;
    QString task;                ///< "Reverse", or the name of the text file
    QString model;               ///< "2 × 4 · d 64"
    std::int64_t parameters = 0; ///< 0: not known
    std::optional<double> bestValidationLoss;
};

/// All curves of one run.
struct RunSeries
{
    std::filesystem::path path;
    RunCurves curves;
    HeadCurves heads;
    std::vector<Moment> moments; ///< its snapshots
    std::int64_t batchSize = 0;  ///< as configured; events say what it became
    std::int64_t length = 0;     ///< most positions of a row
};

using RunList = std::shared_ptr<const std::vector<RunEntry>>;
using RunSeriesList = std::shared_ptr<const std::vector<RunSeries>>;

RunEntry readRunEntry(const std::filesystem::path& run);   ///< never throws
RunSeries readRunSeries(const std::filesystem::path& run); ///< empty for a damaged run

/// Reads runs on threads of its own, those that did not change since only once. Of several wishes
/// the newest counts.
class RunReader : public QObject
{
    Q_OBJECT

public:
    explicit RunReader(QObject* parent = nullptr);

    void list(const std::vector<std::filesystem::path>& folders);
    void readCurves(const std::vector<std::filesystem::path>& runs);

signals:
    void listed(const headscope::ui::RunList& runs); ///< by folder, then by name
    void progressed(int done, int of);               ///< of a long list
    void curvesRead(const headscope::ui::RunSeriesList& series);

private:
    /// What a run's files were when it was read.
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

    std::map<std::filesystem::path, std::pair<Stamp, RunEntry>> m_known; ///< of the list's thread
    LatestTask m_list;
    LatestTask m_curves;
};

} // namespace headscope::ui
