#pragma once

#include "core/analysis/lens/tuned_lens_file.h"
#include "core/analysis/lens/tuned_lens_training.h"
#include "ui/workers/training/lens_meter.h"

#include <QString>

namespace headscope::ui {

/// Folder in the user's data folder for the lenses of models without a folder of their own.
std::filesystem::path ownLensFolder();

/// Progress of training.
struct LensProgress
{
    enum class Phase { Nothing, Writing, Reading, Steps };

    Phase phase = Phase::Nothing;
    std::int64_t done = 0; ///< Number of tokens written, or of steps.
    std::int64_t all = 0;
    double divergence = 0.0; ///< Mean divergence over the stages in the last step, in nats.

    double fraction() const
    {
        return all > 0 ? static_cast<double>(done) / static_cast<double>(all) : 0.0;
    }
};

/// Finds, trains and caches tuned lenses in its own thread.
class LensTrainer : public QObject
{
    Q_OBJECT

public:
    ~LensTrainer() override;

    /// Looks for the lens file of a model. Ends with found(), or with missing() and the reason why
    /// an existing file is unusable.
    void find(const LoadedModel& model);

    /// Ends with found() or failed(), whose sentence is empty after cancellation.
    void train(const LoadedModel& model, const std::vector<SourceAndTarget>& texts,
               const TunedLensSettings& settings);
    void cancel();

    bool isTraining() const { return m_isTraining; }

    bool isBusy() const { return m_waiting > 0; }

    const LensProgress& progress() const { return m_progress; }

signals:
    /// Emitted with the lens and the `path` of its file; `kept` is true for one that was just
    /// trained.
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
    int m_waiting = 0; ///< Number of tasks without an answer.
    LensProgress m_progress;
    ReturnPath m_home;
    TaskThread m_thread; // Declared last, as its tasks use the other members.
};

} // namespace headscope::ui
