#pragma once

#include "core/analysis/lens/tuned_lens_file.h"
#include "core/analysis/lens/tuned_lens_training.h"
#include "ui/workers/training/lens_meter.h"

#include <QString>

namespace headscope::ui {

/// Where lenses of models without a place of their own lie: in the user's data folder.
std::filesystem::path ownLensFolder();

/// How far training has come.
struct LensProgress
{
    enum class Phase { Nothing, Writing, Reading, Steps };

    Phase phase = Phase::Nothing;
    std::int64_t done = 0; ///< tokens written, or steps
    std::int64_t all = 0;
    double divergence = 0.0; ///< mean over the stages in the last step, nats

    double fraction() const
    {
        return all > 0 ? static_cast<double>(done) / static_cast<double>(all) : 0.0;
    }
};

/// Finds, trains and keeps tuned lenses on a thread of its own.
class LensTrainer : public QObject
{
    Q_OBJECT

public:
    explicit LensTrainer(QObject* parent = nullptr) : QObject(parent) {}

    ~LensTrainer() override;

    /// Looks for the file of a model: found() follows, or missing() with why where a file is there
    /// and cannot be used.
    void find(const LoadedModel& model);

    /// found() follows, or failed() (with no sentence when it was cancelled).
    void train(const LoadedModel& model, const std::vector<SourceAndTarget>& texts,
               const TunedLensSettings& settings);
    void cancel();

    bool isTraining() const { return m_isTraining; }

    bool isBusy() const { return m_waiting > 0; }

    const LensProgress& progress() const { return m_progress; }

signals:
    /// `path` is where it lies, `kept` says that it was trained just now.
    void found(const std::shared_ptr<const headscope::Model>& model,
               const headscope::ui::TunedLensPtr& lens, const QString& path, bool kept);
    void missing(const std::shared_ptr<const headscope::Model>& model, const QString& why);
    void failed(const QString& sentence);
    void advanced();

private:
    void tell(const LensProgress& progress);
    void finish(bool training);

    std::stop_source m_stop;
    bool m_isTraining = false;
    int m_waiting = 0; ///< tasks without an answer
    LensProgress m_progress;
    ReturnPath m_home;
    TaskThread m_thread; // last: its tasks use the others
};

} // namespace headscope::ui
