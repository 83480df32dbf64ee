#include "core/train/trainer.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/positions.h"
#include "core/train/optimizer.h"
#include "core/train/training_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <utility>

namespace headscope {

namespace {

void requireLayout(const ModelConfig& config, const ParameterSet& set, const char* what)
{
    const std::vector<ParameterSpec> expected = parameterLayout(config);
    const bool fits =
        std::equal(expected.begin(), expected.end(), set.specs().begin(), set.specs().end(),
                   [](const auto& a, const auto& b) {
                       return a.name == b.name && a.shape == b.shape && a.offset == b.offset;
                   });
    if (!fits)
        throw ShapeError(fmt::format("Trainer: the {} do not fit the model configuration", what));
}

TrainingState checkedState(const ModelConfig& config, TrainingState state)
{
    config.validate();
    requireLayout(config, state.parameters, "parameters");
    for (ParameterSet* moment : {&state.firstMoment, &state.secondMoment}) {
        if (moment->specs().empty() && state.step == 0)
            *moment = ParameterSet(config);
        requireLayout(config, *moment, "optimizer moments");
    }
    return state;
}

void checkBatch(const ModelConfig& config, const Batch& batch, const char* name)
{
    if (batch.rows < 1 || batch.length < 1 || batch.length > config.maxLen)
        throw ShapeError(fmt::format("{}: a batch of {} rows of {} tokens where rows have 1 to {}",
                                     name, batch.rows, batch.length, config.maxLen));
    const std::size_t size = batch.inputs.size();
    const auto length = static_cast<std::size_t>(batch.length);
    if (size % length != 0 || size / length != static_cast<std::size_t>(batch.rows) ||
        batch.targets.size() != size)
        throw ShapeError(fmt::format("{}: {} inputs and {} targets in a batch of {} x {}", name,
                                     size, batch.targets.size(), batch.rows, batch.length));
    const auto outside = [&](TokenId id) { return id < 0 || id >= config.vocabularySize; };
    for (std::size_t i = 0; i < size; ++i) {
        const TokenId target = batch.targets[i];
        if (outside(batch.inputs[i]) || (target != kIgnoredTarget && outside(target)))
            throw ShapeError(fmt::format("{}: row {}, position {} has input {} and target {} in a "
                                         "vocabulary of {}",
                                         name, i / length, i % length, batch.inputs[i], target,
                                         config.vocabularySize));
    }
}

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

struct Trainer::Impl
{
    Impl(const ModelConfig& modelConfig, TrainingState initial, Settings wanted)
        : config(modelConfig)
        , state(checkedState(modelConfig, std::move(initial)))
        , settings(std::move(wanted))
        , optimizer(settings.optimizer, state.parameters)
        , weights(bindWeights(config, std::as_const(state.parameters)))
        , losses(workerCount(), 0.0)
    {
        if (!settings.makeBackend)
            throw ShapeError("Trainer: no attention backend was given");
        if (config.positions == Positions::Sinusoidal)
            sinusoids = sinusoidalPositions(config.maxLen, config.dModel, config.sinusoidalBase);
        for (std::size_t worker = 0; worker < workerCount(); ++worker)
            passes.emplace_back(config, sinusoids, settings.makeBackend());
    }

    /// Gradient buffers, one a worker: taken at the first backward pass, so evaluation needs none.
    void prepareGradients()
    {
        if (!gradients.empty())
            return;
        gradients.assign(workerCount(), ParameterSet(config));
        for (ParameterSet& part : gradients)
            bound.push_back(bindWeights(config, part));
    }

    PassInputs slice(const Batch& batch, std::size_t begin, std::size_t end) const
    {
        const auto length = static_cast<std::size_t>(batch.length);
        PassInputs inputs;
        inputs.ids = std::span(batch.inputs).subspan(begin * length, (end - begin) * length);
        inputs.targets = std::span(batch.targets).subspan(begin * length, (end - begin) * length);
        inputs.firstRow = static_cast<std::int64_t>(begin);
        inputs.rows = static_cast<std::int64_t>(end - begin);
        inputs.length = batch.length;
        inputs.seed = settings.seed;
        inputs.step = static_cast<std::uint64_t>(state.step);
        return inputs;
    }

    std::size_t partCount(const Batch& batch) const
    {
        return std::min(workerCount(), static_cast<std::size_t>(batch.rows));
    }

    std::int64_t countTargets(const Batch& batch, const char* name) const
    {
        checkBatch(config, batch, name);
        const std::int64_t kept = keptTargets(batch.targets);
        if (kept == 0)
            throw ShapeError(fmt::format("{}: every target of the batch is ignored", name));
        return kept;
    }

    double meanLoss(std::size_t parts, std::int64_t kept) const
    {
        const auto end = losses.begin() + static_cast<std::ptrdiff_t>(parts);
        return std::accumulate(losses.begin(), end, 0.0) / static_cast<double>(kept);
    }

    /// Leaves d mean loss / d parameters of each part in `gradients`.
    double backward(const Batch& batch, const char* name)
    {
        const std::int64_t kept = countTargets(batch, name);
        prepareGradients();
        const std::size_t parts = partCount(batch);
        parallelFor(static_cast<std::size_t>(batch.rows), parts,
                    [&](std::size_t begin, std::size_t end, std::size_t part) {
                        PassInputs inputs = slice(batch, begin, end);
                        inputs.lossScale = 1.0F / static_cast<float>(kept);
                        inputs.dropout = config.dropout > 0.0;
                        losses[part] = passes[part].forwardBackward(weights, inputs, bound[part]);
                    });
        return meanLoss(parts, kept);
    }

    double evaluate(const Batch& batch)
    {
        const std::int64_t kept = countTargets(batch, "Trainer::evaluate");
        const std::size_t parts = partCount(batch);
        parallelFor(static_cast<std::size_t>(batch.rows), parts,
                    [&](std::size_t begin, std::size_t end, std::size_t part) {
                        losses[part] = passes[part].forward(weights, slice(batch, begin, end));
                    });
        return meanLoss(parts, kept);
    }

    double sumGradients(const Batch& batch)
    {
        return optimizer.sumGradients(std::span(gradients).first(partCount(batch)));
    }

    ModelConfig config;
    TrainingState state;
    Settings settings;
    Optimizer optimizer;
    DecoderWeights<const float> weights; ///< into state.parameters
    Tensor sinusoids;
    std::vector<TrainingPass> passes;
    std::vector<ParameterSet> gradients;
    std::vector<DecoderWeights<float>> bound; ///< into gradients
    std::vector<double> losses;               ///< sum over each worker's rows
};

Trainer::Trainer(const ModelConfig& config, TrainingState state, Settings settings)
    : m_impl(std::make_unique<Impl>(config, std::move(state), std::move(settings)))
{
}

Trainer::~Trainer() = default;

StepReport Trainer::step(const Batch& batch)
{
    const auto start = std::chrono::steady_clock::now();
    Impl& impl = *m_impl;
    StepReport report;
    report.loss = impl.backward(batch, "Trainer::step");
    report.gradientNorm = impl.sumGradients(batch);
    if (!std::isfinite(report.loss) || !std::isfinite(report.gradientNorm))
        throw Error(fmt::format("training diverged: loss {}, gradient norm {}", report.loss,
                                report.gradientNorm),
                    fmt::format("step {}", impl.state.step + 1),
                    "Lower the learning rate or clip the gradients; the parameters are those of "
                    "the step before");
    report.learningRate =
        impl.settings.schedule.rate(impl.settings.optimizer.learningRate, impl.state.step);
    impl.optimizer.update(impl.state, impl.gradients[0], report.learningRate, report.gradientNorm);
    report.step = ++impl.state.step;
    report.tokens = batch.rows * batch.length;
    report.seconds = secondsSince(start);
    return report;
}

double Trainer::evaluate(const Batch& batch)
{
    return m_impl->evaluate(batch);
}

const TrainingState& Trainer::state() const
{
    return m_impl->state;
}

const ModelConfig& Trainer::config() const
{
    return m_impl->config;
}

std::shared_ptr<const Model> Trainer::snapshot() const
{
    return std::make_shared<const Model>(m_impl->config, m_impl->state.parameters);
}

double Trainer::lossAndGradients(const Batch& batch, ParameterSet& gradients)
{
    const double loss = m_impl->backward(batch, "Trainer::lossAndGradients");
    m_impl->sumGradients(batch);
    gradients = m_impl->gradients[0];
    return loss;
}

} // namespace headscope
