#include "ui/workers/training/training_worker.h"

#include "ui/widgets/text/message_text.h"

namespace headscope::ui {

TrainingWorker::TrainingWorker(BackendRegistry registry)
{
    TrainingListener listener;
    listener.stateChanged = [this](TrainingPhase state) {
        m_home.send([this, state] { emit stateChanged(state); });
    };
    listener.reported = [this](const std::string& sentence) {
        m_home.send([this, sentence] { emit reported(messageText(sentence)); });
    };
    listener.opened = [this](const OpenedTraining& run) {
        m_home.send([this, run] { emit opened(run); });
    };
    listener.published = [this](const TrainingSnapshotPtr& snapshot) {
        m_home.send([this, snapshot] { emit published(snapshot); });
    };
    listener.failed = [this](const QString& sentence) {
        m_home.send([this, sentence] { emit failed(sentence); });
    };
    listener.diverged = [this](std::int64_t step, const QString& sentence,
                               std::optional<std::int64_t> lastGood) {
        const std::optional<qint64> good = lastGood;
        m_home.send([this, step, sentence, good] { emit diverged(step, sentence, good); });
    };
    m_runner = std::make_unique<TrainingRunner>(std::move(registry), std::move(listener));
}

} // namespace headscope::ui
