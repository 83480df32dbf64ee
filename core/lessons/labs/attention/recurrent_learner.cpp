#include "core/lessons/labs/attention/recurrent_learner.h"

#include <cmath>

namespace headscope {

namespace {

/// Same number of layers as the transformer.
constexpr std::int64_t kRecurrentLayers = 2;

RecurrentConfig configOf(RecurrentKind kind, const RecallLearner::Settings& settings)
{
    RecurrentConfig config;
    config.kind = kind;
    config.vocabularySize = settings.vocabularySize;
    config.layers = kRecurrentLayers;
    return withParameters(config, settings.parameters);
}

double normOf(TensorView values)
{
    double squares = 0.0;
    for (std::int64_t i = 0; i < values.shape[0]; ++i)
        squares += std::pow(static_cast<double>(values(i)), 2);
    return std::sqrt(squares);
}

/// Gradient of the last position of one sequence that the first embedded token gets when
/// backpropagation through time ends at `firstStep`.
class FirstTokenGradient
{
public:
    FirstTokenGradient(RecurrentKind kind, std::int64_t tokens)
        : m_model(RecurrentModel::initialised(configOf(kind), 1))
        , m_ids(static_cast<std::size_t>(tokens), 0)
        , m_targets(m_ids.size(), kIgnoreIndex)
        , m_pass(m_model.config())
        , m_gradients(m_model.values().size())
    {
        m_targets.back() = 1;
    }

    double norm(std::int64_t firstStep)
    {
        const RecurrentText text{m_ids, 1};
        RecurrentMemory memory = m_model.emptyMemory();
        m_pass.forward(m_model, text, memory);
        m_pass.loss(m_targets, 1.0F);
        m_pass.backward(m_model, text, m_gradients, firstStep);
        return normOf(m_pass.inputGradients()[0][0]);
    }

private:
    /// A cell that begins nearly open, so that the gradient stays above the smallest number.
    static RecurrentConfig configOf(RecurrentKind kind)
    {
        RecurrentConfig config;
        config.kind = kind;
        config.vocabularySize = 2;
        config.hidden = 4;
        config.forgetBias = 6.0;
        return config;
    }

    RecurrentModel m_model;
    std::vector<TokenId> m_ids;
    std::vector<TokenId> m_targets;
    RecurrentPass m_pass;
    std::vector<float> m_gradients;
};

} // namespace

std::int64_t recurrentPathLength(RecurrentKind kind, std::int64_t tokens)
{
    FirstTokenGradient gradient(kind, tokens);
    for (std::int64_t transitions = 0; transitions < tokens; ++transitions)
        if (gradient.norm(tokens - 1 - transitions) > 0.0)
            return transitions + 1;
    return -1;
}

RecurrentLearner::RecurrentLearner(RecurrentKind kind, const Settings& settings)
    : m_trainer(RecurrentModel::initialised(configOf(kind, settings), settings.seed),
                {recallOptimizer(), recallSchedule(settings.steps)})
    , m_pass(m_trainer.model().config())
{
}

std::string RecurrentLearner::name() const
{
    return m_trainer.model().config().kind == RecurrentKind::Lstm ? "lstm" : "rnn";
}

std::string RecurrentLearner::title() const
{
    return name() == "lstm" ? "LSTM" : "RNN";
}

std::int64_t RecurrentLearner::parameters() const
{
    return std::ssize(m_trainer.model().values());
}

StepReport RecurrentLearner::step(const Batch& batch)
{
    return m_trainer.step(batch);
}

TargetCounts RecurrentLearner::measure(const Batch& batch)
{
    return m_trainer.measure(batch);
}

std::vector<double> RecurrentLearner::gradientByDistance(const Batch& batch)
{
    const auto ids = positionByPosition(batch.inputs, batch.length, 0, batch.rows);
    const auto targets = positionByPosition(batch.targets, batch.length, 0, batch.rows);
    const RecurrentModel& model = m_trainer.model();
    RecurrentMemory memory = model.emptyMemory(batch.rows);
    std::vector<float> gradients(model.values().size());
    m_pass.forward(model, {ids, batch.rows}, memory);
    m_pass.loss(targets, 1.0F);
    m_pass.backward(model, {ids, batch.rows}, gradients);
    std::vector<double> norms(static_cast<std::size_t>(batch.length), 0.0);
    for (std::int64_t distance = 0; distance < batch.length; ++distance)
        for (std::int64_t row = 0; row < batch.rows; ++row)
            norms[static_cast<std::size_t>(distance)] +=
                normOf(m_pass.inputGradients()[batch.length - 1 - distance][row]) /
                static_cast<double>(batch.rows);
    return norms;
}

void RecurrentLearner::readAtOnce(std::span<const TokenId> ids)
{
    RecurrentMemory memory = m_trainer.model().emptyMemory();
    m_pass.forward(m_trainer.model(), {ids, 1}, memory);
}

std::size_t RecurrentLearner::readOneByOne(std::span<const TokenId> ids)
{
    RecurrentMemory memory = m_trainer.model().emptyMemory();
    for (std::size_t i = 0; i < ids.size(); ++i)
        m_pass.forward(m_trainer.model(), {ids.subspan(i, 1), 1}, memory);
    return memory.byteCount();
}

std::int64_t RecurrentLearner::pathLength(std::int64_t tokens)
{
    return recurrentPathLength(m_trainer.model().config().kind, tokens);
}

double RecurrentLearner::mixing(std::int64_t tokens, std::int64_t width) const
{
    const std::int64_t gates = gatesOf(m_trainer.model().config().kind);
    return static_cast<double>(tokens) * static_cast<double>(gates * width * width);
}

std::int64_t RecurrentLearner::width() const
{
    return m_trainer.model().config().hidden;
}

} // namespace headscope
