#include "core/train/trainer.h"

#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/model/config/size_report.h"
#include "core/model/pass/activation_bytes.h"
#include "core/ops/kernels.h"
#include "core/train/data/batch_check.h"
#include "core/train/data/batch_part.h"
#include "core/train/measures/divergence.h"
#include "core/train/measures/gradient_norms.h"
#include "core/train/optimizer.h"
#include "core/train/running_statistics.h"
#include "core/train/training_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

std::uint64_t bytesOf(const ParameterSet& set)
{
    return set.values().size_bytes();
}

TrainingState checkedState(const ModelConfig& config, TrainingState state,
                           const Trainer::Settings& settings)
{
    config.validate();
    requireLayout(config, state.parameters, "parameters");
    const auto whole =
        static_cast<std::uint64_t>(trainingBytes(config, static_cast<std::int64_t>(workerCount())));
    const std::uint64_t present =
        bytesOf(state.parameters) + bytesOf(state.firstMoment) + bytesOf(state.secondMoment);
    requireMemory(whole - std::min(whole, present),
                  fmt::format("training {} parameters", state.parameters.parameterCount()),
                  settings.freeMemory());
    for (ParameterSet* mark : {&state.firstMoment, &state.secondMoment}) {
        if (mark->specs().empty() && state.step == 0)
            *mark = ParameterSet(config);
        requireLayout(config, *mark, "optimizer moments");
    }
    return state;
}

} // namespace

struct Trainer::Impl
{
    Impl(const ModelConfig& modelConfig, TrainingState initial, Settings wanted)
        : config(modelConfig)
        , settings(std::move(wanted))
        , state(checkedState(modelConfig, std::move(initial), settings))
        , optimizer(settings.optimizer, state.parameters)
        , statistics(state.parameters.specs())
        , program(std::make_shared<const ModelProgram>(config))
        , losses(workerCount())
    {
        if (!settings.makeBackend)
            throw ShapeError("Trainer: no attention backend was given");
        if (settings.accumulate < 1)
            throw ShapeError(fmt::format("Trainer: a batch in {} parts", settings.accumulate), {},
                             "Give 1 or more");
        if (settings.batchPart && !statistics.isEmpty())
            throw Error("BatchNorm needs the whole batch in one process", "Trainer",
                        "Train in one process, or set norm to \"layer\"");
        for (std::size_t worker = 0; worker < workerCount(); ++worker)
            passes.emplace_back(config, program, settings.makeBackend());
    }

    /// Called before memory for the activations of a batch larger than any before is allocated.
    void requireRoom(const Batch& batch)
    {
        const std::int64_t parts = std::min(settings.accumulate, batch.rows);
        const std::int64_t rows = (batch.rows + parts - 1) / parts;
        const std::int64_t bytes =
            activationBytes(*program, rows * batch.length, rows * batch.sourceLength);
        if (bytes <= activations)
            return;
        requireMemory(static_cast<std::uint64_t>(bytes),
                      fmt::format("a batch of {} x {} tokens", rows, batch.length),
                      settings.freeMemory());
        activations = bytes;
    }

    /// Allocates gradient buffers, one per worker, at the first backward pass, so evaluation needs
    /// none.
    void prepareGradients()
    {
        if (!gradients.empty())
            return;
        gradients.assign(workerCount(), ParameterSet(config));
        if (settings.accumulate > 1)
            sum = ParameterSet(config);
    }

    /// Inputs that are the same for all rows of a batch.
    PassInputs inputsOf(const Batch& batch, const char* name) const
    {
        checkBatch(config, batch, name);
        const std::int64_t kept = keptTargets(batch.targets, settings.loss.convention);
        const std::int64_t pairs = keptTargets(batch.nextSentence);
        if (kept == 0 && pairs == 0)
            throw ShapeError(fmt::format("{}: every target of the batch is ignored", name));
        if (kept > 0 && !config.languageHead)
            throw ShapeError(fmt::format("{}: {} token targets for a model without a language head",
                                         name, kept));
        PassInputs inputs{batch};
        inputs.parameters = std::as_const(state.parameters).values().data();
        inputs.lossScale = 1.0F / static_cast<float>(std::max<std::int64_t>(kept, 1));
        inputs.nextSentenceScale = 1.0F / static_cast<float>(std::max<std::int64_t>(pairs, 1));
        if (program->expertLayers > 0)
            inputs.balanceScale = config.experts.balanceCoefficient /
                                  static_cast<double>(program->expertLayers * batch.rows);
        inputs.loss = settings.loss;
        inputs.seed = settings.seed;
        inputs.step = static_cast<std::uint64_t>(state.step);
        return inputs;
    }

    /// Workers that may share the rows of a training pass: moments of a batch need all of them.
    std::size_t trainingWorkers() const { return statistics.isEmpty() ? workerCount() : 1; }

    /// Runs rows [first, first + count), split over at most so many workers; returns the number of
    /// workers used.
    template<class Work>
    std::size_t split(const PassInputs& shared, std::int64_t first, std::int64_t count,
                      std::size_t workers, const Work& work)
    {
        const std::size_t parts = std::min(workers, static_cast<std::size_t>(count));
        if (parts == 0)
            return 0;
        parallelFor(count, parts, [&](std::size_t begin, std::size_t end, std::size_t part) {
            PassInputs inputs = shared;
            inputs.firstRow = first + static_cast<std::int64_t>(begin);
            inputs.rows = static_cast<std::int64_t>(end - begin);
            losses[part] = work(inputs, part);
        });
        return parts;
    }

    PassLosses total(std::size_t parts) const
    {
        return std::accumulate(losses.begin(), losses.begin() + static_cast<std::ptrdiff_t>(parts),
                               PassLosses());
    }

    LossParts meansOf(const PassLosses& sums, const PassInputs& inputs) const
    {
        LossParts means;
        means.token = sums.token * static_cast<double>(inputs.lossScale);
        if (!inputs.batch.nextSentence.empty())
            means.nextSentence = sums.nextSentence * static_cast<double>(inputs.nextSentenceScale);
        if (program->expertLayers > 0)
            means.balance =
                sums.balance / static_cast<double>(program->expertLayers * inputs.batch.rows);
        return means;
    }

    /// Half-open range of the rows of a batch that this process computes.
    std::pair<std::int64_t, std::int64_t> ownRows(const Batch& batch) const
    {
        const BatchPart* const part = settings.batchPart.get();
        if (part == nullptr)
            return {0, batch.rows};
        return {batch.rows * part->part() / part->parts(),
                batch.rows * (part->part() + 1) / part->parts()};
    }

    void notifyOthers(const Batch& batch, bool withGradients)
    {
        if (settings.batchPart)
            settings.batchPart->begin({config, batch, std::as_const(state.parameters).values(),
                                       settings.loss, settings.accumulate, settings.seed,
                                       state.step, withGradients});
    }

    /// Runs rows [first, last), and leaves their gradients in gradients[0] and the norm in `norm`.
    PassLosses backwardRows(const PassInputs& shared, std::int64_t first, std::int64_t last)
    {
        PassLosses sums;
        const std::int64_t all = last - first;
        const std::int64_t count = std::min(settings.accumulate, all);
        statistics.clear();
        for (std::int64_t part = 0; part < count; ++part) {
            const std::int64_t begin = first + all * part / count;
            const std::int64_t rows = first + all * (part + 1) / count - begin;
            const std::size_t used = split(shared, begin, rows, trainingWorkers(),
                                           [&](const PassInputs& inputs, std::size_t worker) {
                                               return passes[worker].forwardBackward(
                                                   inputs, gradients[worker].values().data());
                                           });
            if (!statistics.isEmpty())
                statistics.take(gradients[0].values());
            sums += total(used);
            norm = optimizer.sumGradients(std::span(gradients).first(used));
            if (count > 1)
                norm = addToSum(part == 0);
        }
        if (count > 1)
            std::swap(gradients[0], sum);
        return sums;
    }

    void sumOverProcesses(bool isEmpty, PassLosses& sums)
    {
        if (isEmpty) // more processes than rows
            std::ranges::fill(gradients[0].values(), 0.0F);
        settings.batchPart->sum(gradients[0].values(), sums);
        norm = optimizer.sumGradients(std::span(gradients).first(1));
    }

    /// The whole loss and its parts; leaves d loss / d parameters in gradients[0] and its norm in
    /// `norm`.
    LossParts backward(const Batch& batch, const char* name)
    {
        PassInputs shared = inputsOf(batch, name);
        shared.dropout = true;
        requireRoom(batch);
        prepareGradients();
        notifyOthers(batch, true);
        const auto [first, last] = ownRows(batch);
        PassLosses sums = backwardRows(shared, first, last);
        if (settings.batchPart)
            sumOverProcesses(first == last, sums);
        return meansOf(sums, shared);
    }

    /// Computes sum (+)= gradients[0]; returns its norm.
    double addToSum(bool first)
    {
        if (first) {
            std::copy_n(gradients[0].values().data(), sum.values().size(), sum.values().data());
            return norm;
        }
        std::array<const float*, 1> other{gradients[0].values().data()};
        return std::sqrt(
            kernels().reduce(sum.values().data(), other.data(), 1, 0, std::ssize(sum.values())));
    }

    TargetCounts measure(const Batch& batch)
    {
        const PassInputs shared = inputsOf(batch, "Trainer::measure");
        notifyOthers(batch, false);
        const auto [first, last] = ownRows(batch);
        const std::size_t used = split(shared, first, last - first, workerCount(),
                                       [&](const PassInputs& inputs, std::size_t worker) {
                                           return passes[worker].forward(inputs);
                                       });
        PassLosses sums = total(used);
        if (settings.batchPart)
            settings.batchPart->sum({}, sums);
        return {meansOf(sums, shared).token, keptTargets(batch.targets), sums.right};
    }

    double wholeLoss(const LossParts& parts) const
    {
        return parts.token + parts.nextSentence.value_or(0.0) +
               config.experts.balanceCoefficient * parts.balance.value_or(0.0);
    }

    [[noreturn]] void diverged(const Batch& batch, double loss)
    {
        const Model model(config, state.parameters);
        const std::string where = firstNonFinite(model, passes[0].backend(), batch, gradients[0]);
        throw TrainingDiverged(fmt::format("training diverged: loss {:.4g}, gradient norm {:.4g}{}",
                                           loss, norm, where.empty() ? "" : ", first in " + where),
                               fmt::format("step {}", state.step + 1),
                               "Lower the learning rate or clip the gradients; the parameters are "
                               "those of the step before",
                               where);
    }

    ModelConfig config;
    Settings settings;
    TrainingState state;
    Optimizer optimizer;
    RunningStatistics statistics;
    std::shared_ptr<const ModelProgram> program;
    std::vector<TrainingPass> passes;
    std::vector<ParameterSet> gradients;
    ParameterSet sum;               ///< Sum over the parts of an accumulated batch.
    std::vector<PassLosses> losses; ///< Losses of each worker's rows.
    double norm = 0.0;
    std::int64_t activations = 0; ///< Activation bytes of the largest batch so far.
};

TrainingState initialState(const ModelConfig& config, std::uint64_t seed)
{
    return {0, Model::initialised(config, seed).parameters(), {}, {}};
}

Trainer::Trainer(const ModelConfig& config, TrainingState state, Settings settings)
    : m_impl(std::make_unique<Impl>(config, std::move(state), std::move(settings)))
{
}

Trainer::~Trainer() = default;

StepReport Trainer::step(const Batch& batch)
{
    const Stopwatch watch;
    Impl& impl = *m_impl;
    StepReport report;
    report.parts = impl.backward(batch, "Trainer::step");
    report.loss = impl.wholeLoss(report.parts);
    report.gradientNorm = impl.norm;
    if (!std::isfinite(report.loss) || !std::isfinite(report.gradientNorm) ||
        report.loss > impl.settings.largestLoss)
        impl.diverged(batch, report.loss);
    report.learningRate =
        impl.settings.schedule.rate(impl.settings.optimizer.learningRate, impl.state.step);
    impl.optimizer.update(impl.state, impl.gradients[0], report.learningRate, report.gradientNorm);
    if (!impl.statistics.isEmpty())
        impl.statistics.update(impl.state.parameters.values());
    report.step = ++impl.state.step;
    report.tokens = batch.rows * batch.length;
    report.seconds = watch.seconds();
    return report;
}

double Trainer::evaluate(const Batch& batch)
{
    return m_impl->measure(batch).loss;
}

TargetCounts Trainer::measure(const Batch& batch)
{
    return m_impl->measure(batch);
}

std::vector<GradientNorm> Trainer::gradientNorms() const
{
    return m_impl->gradients.empty() ? std::vector<GradientNorm>()
                                     : normsByLayer(m_impl->gradients[0]);
}

void Trainer::setLearningRate(double peak)
{
    m_impl->settings.optimizer.learningRate = peak;
}

const TrainingState& Trainer::state() const
{
    return m_impl->state;
}

TrainingState Trainer::takeState()
{
    return std::move(m_impl->state);
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
    const LossParts parts = m_impl->backward(batch, "Trainer::lossAndGradients");
    gradients = m_impl->gradients[0];
    return m_impl->wholeLoss(parts);
}

void Trainer::computeGradients(const Batch& batch)
{
    m_impl->backward(batch, "Trainer::computeGradients");
}

void Trainer::setParameters(std::span<const float> values, std::int64_t step)
{
    const auto own = m_impl->state.parameters.values();
    if (values.size() != own.size())
        throw ShapeError(fmt::format("Trainer::setParameters: {} numbers for {} parameters",
                                     values.size(), own.size()));
    std::ranges::copy(values, own.begin());
    m_impl->state.step = step;
}

} // namespace headscope
