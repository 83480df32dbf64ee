#include "ui/workers/training/experiment_worker.h"

#include "core/base/error.h"
#include "ui/widgets/text/message_text.h"
#include "ui/widgets/tr.h"
#include "ui/workers/error_sentence.h"

#include <QDateTime>
#include <QFileInfo>

namespace headscope::ui {

namespace {

namespace fs = std::filesystem;

constexpr int kSayEveryMs = 100;

QString wordsOf(const Experiment& experiment, const ExperimentProgress& progress)
{
    if (!progress.what.empty())
        return messageText(progress.what);
    if (progress.variant >= experiment.variants.size())
        return {};
    const QString label = QString::fromStdString(experiment.variants[progress.variant].label);
    return progress.line ? tr("training: %1, step %2").arg(label).arg(progress.line->report.step)
                         : label;
}

/// Reports progress at most every 100 ms, with the remaining time.
class Reporter
{
public:
    Reporter(const Experiment& experiment, std::function<void(const ExperimentState&)> say)
        : m_experiment(experiment)
        , m_say(std::move(say))
    {
    }

    void operator()(const ExperimentProgress& progress)
    {
        const auto now = Clock::now();
        if (!m_first) {
            m_first = {now, progress.done};
        } else if (now - m_reported < std::chrono::milliseconds(kSayEveryMs)) {
            return;
        }
        m_reported = now;
        ExperimentState state;
        state.done = progress.done;
        state.what = wordsOf(m_experiment, progress);
        const double seconds = std::chrono::duration<double>(now - m_first->first).count();
        const double gained = progress.done - m_first->second;
        if (gained > 0.01 && seconds > 1.0)
            state.secondsLeft = seconds / gained * (1.0 - progress.done);
        m_say(state);
    }

private:
    using Clock = std::chrono::steady_clock;

    const Experiment& m_experiment;
    std::function<void(const ExperimentState&)> m_say;
    std::optional<std::pair<Clock::time_point, double>> m_first;
    Clock::time_point m_reported{};
};

} // namespace

ExperimentRecord readExperiment(const Experiment& experiment, const fs::path& folder)
{
    ExperimentRecord record;
    record.experiment = experiment.name;
    for (const ExperimentVariant& variant : experiment.variants) {
        const fs::path run = variantFolder(folder, variant);
        record.variants.push_back(readRunSeries(run));
        if (record.device.empty() && fs::exists(run / "config.json"))
            record.device = RunLibrary::summary(run).device;
    }
    try {
        record.result = loadExperimentResult(folder);
    } catch (const std::exception& error) {
        record.problem = errorSentence(error);
    }
    if (record.result) {
        const QFileInfo file(QString::fromStdString((folder / "result.json").string()));
        record.finished = file.lastModified().toUTC().toString(Qt::ISODate).toStdString();
    }
    return record;
}

ExperimentWorker::ExperimentWorker(BackendRegistry registry) : m_registry(std::move(registry)) {}

ExperimentWorker::~ExperimentWorker()
{
    m_stop.request_stop();
}

void ExperimentWorker::start(const Experiment& experiment, const fs::path& folder,
                             const std::string& device)
{
    if (!m_running.empty())
        return;
    m_running = experiment.name;
    m_stop = std::stop_source();
    m_thread.run([this, &experiment, folder, device, stop = m_stop.get_token()] {
        runOnThread(experiment, folder, device, stop);
    });
}

void ExperimentWorker::runOnThread(const Experiment& experiment, const fs::path& folder,
                                   const std::string& device, std::stop_token stop)
{
    Reporter reporter(experiment, [this](const ExperimentState& state) {
        m_home.send([this, state] { emit progressed(state); });
    });
    ExperimentSettings settings;
    settings.makeBackend = [this, device] { return m_registry.create(device); };
    settings.progress = [&](const ExperimentProgress& progress) { reporter(progress); };
    QString sentence;
    try {
        fs::create_directories(folder);
        runExperiment(experiment, folder, settings, stop);
    } catch (const Cancelled&) {
        // The next start resumes from here.
    } catch (const std::exception& error) {
        sentence = errorSentence(error);
    }
    m_home.send([this, sentence = std::move(sentence)] {
        m_running.clear();
        emit ended(sentence);
    });
}

void ExperimentWorker::cancel()
{
    m_stop.request_stop();
}

void ExperimentWorker::read(const Experiment& experiment, const fs::path& folder)
{
    m_reading.start([&experiment, folder](
                        const LatestTask::Control&) { return readExperiment(experiment, folder); },
                    [this](const ExperimentRecord& record) { emit recordRead(record); });
}

} // namespace headscope::ui
