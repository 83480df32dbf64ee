#include "core/train/recurrent_trainer.h"

#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/tensor/largest.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope {

namespace {

void requirePlain(const Batch& batch)
{
    if (!batch.sources.empty() || !batch.mask.empty() || !batch.keyMask.empty() ||
        !batch.segments.empty() || !batch.nextSentence.empty())
        throw ShapeError("RecurrentTrainer: a batch with more than inputs and targets", {},
                         "Choose a task of one text per row");
    const auto size = static_cast<std::size_t>(batch.rows * batch.length);
    if (size == 0 || batch.inputs.size() != size || batch.targets.size() != size)
        throw ShapeError("RecurrentTrainer: a batch whose sizes do not fit");
}

/// Number of targets whose logit is the largest of their row.
std::int64_t rightOf(TensorView logits, std::span<const TokenId> targets)
{
    std::int64_t right = 0;
    for (std::size_t row = 0; row < targets.size(); ++row) {
        if (targets[row] == kIgnoreIndex)
            continue;
        const float* const values = logits[static_cast<std::int64_t>(row)].data;
        right += largestIndex({values, static_cast<std::size_t>(logits.shape[1])}) == targets[row];
    }
    return right;
}

} // namespace

std::vector<TokenId> positionByPosition(const std::vector<TokenId>& tokens, std::int64_t length,
                                        std::int64_t first, std::int64_t rows)
{
    std::vector<TokenId> result;
    result.reserve(static_cast<std::size_t>(rows * length));
    for (std::int64_t position = 0; position < length; ++position)
        for (std::int64_t row = first; row < first + rows; ++row)
            result.push_back(tokens[static_cast<std::size_t>(row * length + position)]);
    return result;
}

RecurrentTrainer::RecurrentTrainer(RecurrentModel model, Settings settings)
    : m_model(std::move(model))
    , m_settings(settings)
    , m_optimizer(settings.optimizer, m_model.layout())
    , m_firstMoment(Shape{std::ssize(m_model.values())})
    , m_secondMoment(m_firstMoment.shape())
{
    for (std::size_t worker = 0; worker < workerCount(); ++worker)
        m_workers.push_back({RecurrentPass(m_model.config()), Tensor(m_firstMoment.shape())});
}

/// Calls body(worker, text, targets) for each worker's rows; resets the sums of all.
template<class Body>
void RecurrentTrainer::split(const Batch& batch, const Body& body)
{
    requirePlain(batch);
    for (Worker& worker : m_workers) {
        worker.loss = 0.0;
        worker.right = 0;
    }
    const auto rows = static_cast<std::size_t>(batch.rows);
    const std::size_t parts = std::min(rows, m_workers.size());
    parallelFor(rows, parts, [&](std::size_t begin, std::size_t end, std::size_t part) {
        const auto first = static_cast<std::int64_t>(begin);
        const auto count = static_cast<std::int64_t>(end - begin);
        const auto ids = positionByPosition(batch.inputs, batch.length, first, count);
        const auto targets = positionByPosition(batch.targets, batch.length, first, count);
        body(m_workers[part], RecurrentText{ids, count}, targets);
    });
}

double RecurrentTrainer::backward(const Batch& batch)
{
    for (Worker& worker : m_workers) // a small batch leaves some without rows
        std::ranges::fill(worker.gradients.values(), 0.0F);
    const auto targetCount =
        static_cast<double>(std::max<std::int64_t>(1, keptTargets(batch.targets)));
    const auto scale = static_cast<float>(1.0 / targetCount);
    split(batch, [&](Worker& worker, const RecurrentText& text, std::span<const TokenId> targets) {
        RecurrentMemory memory = m_model.emptyMemory(text.rows);
        worker.pass.forward(m_model, text, memory);
        worker.loss = worker.pass.loss(targets, scale);
        worker.pass.backward(m_model, text, worker.gradients.values());
    });
    std::vector<std::span<float>> parts;
    double loss = 0.0;
    for (Worker& worker : m_workers) {
        parts.push_back(worker.gradients.values());
        loss += worker.loss;
    }
    m_norm = m_optimizer.sumGradients(std::span<const std::span<float>>(parts));
    return loss / targetCount;
}

StepReport RecurrentTrainer::step(const Batch& batch)
{
    const Stopwatch watch;
    StepReport report;
    report.loss = report.parts.token = backward(batch);
    report.gradientNorm = m_norm;
    if (!std::isfinite(report.loss) || !std::isfinite(m_norm))
        throw TrainingDiverged("training diverged", {}, "Lower the learning rate", {});
    report.learningRate = m_settings.schedule.rate(m_settings.optimizer.learningRate, m_step);
    m_optimizer.update({m_model.values(), m_firstMoment.values(), m_secondMoment.values(), m_step},
                       std::as_const(m_workers[0].gradients).values(), report.learningRate, m_norm);
    report.step = ++m_step;
    report.tokens = batch.rows * batch.length;
    report.seconds = watch.seconds();
    return report;
}

double RecurrentTrainer::lossAndGradients(const Batch& batch, std::span<float> gradients)
{
    const double loss = backward(batch);
    std::ranges::copy(std::as_const(m_workers[0].gradients).values(), gradients.begin());
    return loss;
}

TargetCounts RecurrentTrainer::measure(const Batch& batch)
{
    split(batch, [&](Worker& worker, const RecurrentText& text, std::span<const TokenId> targets) {
        RecurrentMemory memory = m_model.emptyMemory(text.rows);
        worker.right = rightOf(worker.pass.forward(m_model, text, memory), targets);
        worker.loss = worker.pass.loss(targets, 1.0F);
    });
    TargetCounts counts;
    counts.targets = keptTargets(batch.targets);
    for (const Worker& worker : m_workers) {
        counts.loss += worker.loss;
        counts.right += worker.right;
    }
    counts.loss /= static_cast<double>(std::max<std::int64_t>(1, counts.targets));
    return counts;
}

} // namespace headscope
