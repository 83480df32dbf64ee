#include "core/train/training_benchmark.h"

#include "core/base/error.h"
#include "core/base/median.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/base/stopwatch.h"
#include "core/train/trainer.h"

#include <algorithm>

namespace headscope {

namespace {

TrainingBenchmarkCase benchmarkCase(const char* name, const ModelConfig& model, std::int64_t rows)
{
    return {name, model, rows, model.maxLen};
}

ModelConfig decoder(std::int64_t vocabulary, std::int64_t width, std::int64_t heads,
                    std::int64_t layers)
{
    ModelConfig model;
    model.vocabularySize = vocabulary;
    model.dModel = width;
    model.heads = heads;
    model.layers = layers;
    model.dFf = 4 * width;
    model.activation = Activation::GeluTanh; // as in the programs it is compared with
    return model;
}

Batch randomBatch(const TrainingBenchmarkCase& shape)
{
    Random random(1);
    Batch batch{shape.rows, shape.length, {}, {}};
    const auto vocabulary = static_cast<std::uint64_t>(shape.model.vocabularySize);
    for (std::int64_t i = 0; i < shape.rows * shape.length; ++i) {
        batch.inputs.push_back(static_cast<TokenId>(random.below(vocabulary)));
        batch.targets.push_back(static_cast<TokenId>(random.below(vocabulary)));
    }
    return batch;
}

/// 6 operations per weight and token in the matrix products; half of causal attention is skipped.
double flopPerStep(const TrainingBenchmarkCase& shape)
{
    const ModelConfig& c = shape.model;
    const double d = static_cast<double>(c.dModel);
    const double layers = static_cast<double>(c.layers);
    const double tokens = static_cast<double>(shape.rows * shape.length);
    const double weights = layers * (4.0 * d * d + 2.0 * d * static_cast<double>(c.dFf)) +
                           static_cast<double>(c.vocabularySize) * d;
    return 6.0 * tokens * (weights + layers * static_cast<double>(shape.length) * d);
}

class TimedCase
{
public:
    TimedCase(const TrainingBenchmarkCase& shape,
              const std::function<std::unique_ptr<AttentionBackend>()>& makeBackend)
        : m_batch(randomBatch(shape))
    {
        m_timing.shape = shape;
        m_timing.threads = workerCount();
        m_timing.flopPerStep = flopPerStep(shape);
        Trainer::Settings settings;
        settings.makeBackend = makeBackend;
        m_timing.backend = makeBackend()->describe();
        m_trainer = std::make_unique<Trainer>(shape.model, initialState(shape.model, 1), settings);
        m_trainer->step(m_batch);
        m_trainer->step(m_batch);
    }

    void round(double seconds, const std::stop_token& stop)
    {
        const Stopwatch watch;
        int steps = 0;
        double elapsed = 0.0;
        do {
            m_trainer->step(m_batch);
            ++steps;
            elapsed = watch.seconds();
        } while (elapsed < seconds && !stop.stop_requested());
        m_timing.seconds.push_back(elapsed / steps);
    }

    TrainingTiming result() const
    {
        TrainingTiming timing = m_timing;
        timing.medianSeconds = median(timing.seconds);
        timing.tokensPerSecond =
            static_cast<double>(m_batch.rows * m_batch.length) / timing.medianSeconds;
        return timing;
    }

private:
    Batch m_batch;
    TrainingTiming m_timing;
    std::unique_ptr<Trainer> m_trainer;
};

} // namespace

std::vector<TrainingBenchmarkCase> trainingBenchmarkCases()
{
    ModelConfig toy = decoder(512, 64, 4, 2);
    ModelConfig small = decoder(1024, 128, 4, 4);
    ModelConfig mini = decoder(2048, 256, 8, 6);
    toy.maxLen = 32;
    small.maxLen = 64;
    mini.maxLen = 128;
    return {benchmarkCase("toy", toy, 16), benchmarkCase("small", small, 16),
            benchmarkCase("mini", mini, 8)};
}

std::vector<TrainingTiming>
benchmarkTraining(const std::vector<TrainingBenchmarkCase>& cases, int rounds,
                  const std::function<std::unique_ptr<AttentionBackend>()>& makeBackend,
                  double secondsPerRound, std::stop_token stop,
                  const std::function<void(double)>& progress)
{
    if (rounds < 1 || !makeBackend)
        throw ShapeError(
            "benchmarkTraining: at least one round and an attention backend are needed");
    std::vector<TimedCase> timed;
    for (const TrainingBenchmarkCase& shape : cases)
        timed.emplace_back(shape, makeBackend);
    for (int round = 0; round < rounds && !(round > 0 && stop.stop_requested()); ++round) {
        for (std::size_t i = 0; i < timed.size(); ++i) {
            timed[i].round(secondsPerRound, stop);
            if (progress)
                progress((round + static_cast<double>(i + 1) / static_cast<double>(timed.size())) /
                         rounds);
        }
    }
    std::vector<TrainingTiming> results;
    for (const TimedCase& one : timed)
        results.push_back(one.result());
    return results;
}

} // namespace headscope
