#include "ui/workers/training/run_meter.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/base/stopwatch.h"
#include "core/model/config/size_report.h"
#include "core/train/data/text_check.h"
#include "ui/widgets/text/message_text.h"
#include "ui/widgets/tr.h"
#include "ui/workers/error_sentence.h"

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr double kMeasureSeconds = 0.3;
constexpr int kMostSteps = 50;
constexpr double kQuickOperations = 4e10; ///< Maximum operations of one timed step.
/// Maximum operations of one row, beyond which nothing is timed.
constexpr double kMostOperations = 4e11;
constexpr std::uint64_t kLargestText = 256 << 20;

Batch randomBatch(std::int64_t rows, const TrainingConfig& config, std::int64_t vocabulary)
{
    Random random(1);
    Batch batch{rows, config.model.maxLen, {}, {}};
    const auto fill = [&](std::vector<TokenId>& tokens) {
        for (std::int64_t i = 0; i < rows * batch.length; ++i)
            tokens.push_back(
                static_cast<TokenId>(random.below(static_cast<std::uint64_t>(vocabulary))));
    };
    fill(batch.inputs);
    fill(batch.targets);
    if (config.model.isEncoderDecoder()) {
        batch.sourceLength = batch.length;
        fill(batch.sources);
    }
    return batch;
}

void checkText(const TrainingConfig& config)
{
    const std::string text = readFile(config.data.text, kLargestText);
    requireText(text, config.data.text);
    const std::int64_t needed = config.batchSize * config.model.maxLen;
    if (static_cast<std::int64_t>(text.size()) < needed)
        throw Error("the text has " + std::to_string(text.size()) +
                        " bytes, and one batch alone takes " + std::to_string(needed) + " tokens",
                    config.data.text, "Choose a longer text, a smaller batch or a shorter context");
}

/// Measures one configuration, step by step.
class Measurement
{
public:
    Measurement(const TrainingConfig& config, const BackendRegistry& registry,
                const std::string& device)
        : m_config(config)
        , m_registry(registry)
        , m_device(device)
    {
        m_estimate.rows = config.batchSize;
    }

    RunEstimate& estimate() { return m_estimate; }

    /// Determines sizes and errors of the data.
    void size()
    {
        m_model = m_config.model;
        if (isQuicklyPrepared(m_config))
            prepare();
        else if (!m_config.data.text.empty())
            checkText(m_config);
        if (m_model.vocabularySize == 0)
            m_model.vocabularySize = m_config.data.vocabularySize;
        m_estimate.vocabulary = m_model.vocabularySize;
        m_estimate.parameters = sizeReport(m_model).total();
        m_estimate.bytes = trainingBytes(m_model, static_cast<std::int64_t>(workerCount()));
    }

    /// Reason why no step can be timed, or "".
    QString refusal() const
    {
        const auto free = static_cast<double>(availableMemory());
        if (static_cast<double>(m_estimate.bytes) > 0.8 * free)
            return tr("Training needs %1 GB, but only %2 GB are free.")
                .arg(static_cast<double>(m_estimate.bytes) / 1e9, 0, 'f', 1)
                .arg(free / 1e9, 0, 'f', 1);
        if (operations(1) > kMostOperations)
            return tr("Not timed: one row alone takes %1 operations.")
                .arg(operations(1), 0, 'g', 2);
        return {};
    }

    template<class IsWanted>
    void time(const IsWanted& isWanted)
    {
        const double rows = kQuickOperations / operations(1);
        m_estimate.rowsTimed =
            std::clamp(static_cast<std::int64_t>(rows), std::int64_t{1}, m_config.batchSize);
        const Batch batch = batchToTime();
        TrainingState state;
        state.parameters = Model::initialised(m_model, m_config.seed).parameters();
        Trainer trainer(m_model, std::move(state), settings());
        trainer.step(batch);
        const Stopwatch watch;
        double elapsed = 0.0;
        int steps = 0;
        while (steps < kMostSteps && (steps < 2 || elapsed < kMeasureSeconds) && isWanted()) {
            trainer.step(batch);
            ++steps;
            elapsed = watch.seconds();
        }
        m_estimate.stepsTimed = steps;
        m_estimate.secondsPerStep = steps == 0 ? 0.0
                                               : elapsed / steps *
                                                     static_cast<double>(m_config.batchSize) /
                                                     static_cast<double>(m_estimate.rowsTimed);
    }

private:
    void prepare()
    {
        m_data = prepareData(m_config);
        m_model = m_data->model;
        m_estimate.baseline = taskBaseline(m_config, *m_data);
    }

    Batch batchToTime() const
    {
        if (m_data)
            return batchRows(m_data->batches->trainingBatch(m_config.seed, 0), 0,
                             m_estimate.rowsTimed);
        return randomBatch(m_estimate.rowsTimed, m_config, m_model.vocabularySize);
    }

    double operations(std::int64_t rows) const
    {
        return 6.0 * static_cast<double>(m_estimate.parameters) *
               static_cast<double>(rows * m_model.maxLen);
    }

    Trainer::Settings settings()
    {
        Trainer::Settings settings;
        settings.optimizer = m_config.optimizer;
        settings.schedule = m_config.schedule;
        settings.loss = m_config.loss;
        settings.accumulate = std::min(m_config.accumulate, m_estimate.rowsTimed);
        settings.seed = m_config.seed;
        settings.makeBackend = [this] { return m_registry.create(m_device); };
        m_estimate.device = settings.makeBackend()->describe();
        return settings;
    }

    const TrainingConfig& m_config;
    const BackendRegistry& m_registry;
    std::string m_device;
    RunEstimate m_estimate;
    ModelConfig m_model;
    std::optional<PreparedData> m_data;
};

} // namespace

bool isQuicklyPrepared(const TrainingConfig& config)
{
    return config.data.text.empty() && config.data.batches.empty() &&
           (config.data.task == TrainingTask::Repeat || config.data.task >= TrainingTask::Brackets);
}

RunMeter::RunMeter(BackendRegistry registry) : m_registry(std::move(registry)) {}

void RunMeter::measure(const TrainingConfig& config, const std::string& device)
{
    const auto work = [this, config, device](const LatestTask::Control& control) {
        Measurement measurement(config, m_registry, device);
        RunEstimate& estimate = measurement.estimate();
        try {
            measurement.size();
            control.tell([this, estimate] { emit measured(estimate); });
            estimate.problem = measurement.refusal();
            if (estimate.problem.isEmpty())
                measurement.time([&] { return !control.stop().stop_requested(); });
        } catch (const std::exception& error) {
            estimate.problem = errorSentence(error);
            estimate.isHopeless = true;
        }
        estimate.isComplete = true;
        return estimate;
    };
    m_estimate.start(work, [this](const RunEstimate& estimate) { emit measured(estimate); });
}

void RunMeter::measureBaseline(const TrainingConfig& config)
{
    m_baseline.start(
        [this, config](const LatestTask::Control& control) {
            const auto say = [&](const std::string& sentence) {
                control.tell([this, sentence] { emit reported(messageText(sentence)); });
            };
            const PreparedData data = prepareData(config, say, control.stop());
            return taskBaseline(config, data, control.stop());
        },
        [this](const TaskBaseline& baseline) { emit baselineMeasured(baseline); },
        [this](const QString& sentence) { emit baselineFailed(sentence); });
}

void RunMeter::cancelBaseline()
{
    if (!m_baseline.isRunning())
        return;
    m_baseline.cancel();
    emit baselineFailed({});
}

} // namespace headscope::ui
