#include "core/lessons/labs/attention/transformer_learner.h"

#include "core/lessons/labs/attention/attention_parts.h"
#include "core/model/pass/gradient_trace.h"

namespace headscope {

namespace {

Trainer trainerOf(const RecallLearner::Settings& settings, const LabContext& context)
{
    const ModelConfig config = TransformerLearner::configFor(settings);
    Trainer::Settings trainer;
    trainer.optimizer = recallOptimizer();
    trainer.schedule = recallSchedule(settings.steps);
    trainer.seed = settings.seed;
    trainer.makeBackend = [&context] { return backendOf(context); };
    return Trainer(config, initialState(config, settings.seed), std::move(trainer));
}

/// Adds up the norms of the gradients of the embedded tokens, counted from the end.
class EmbeddedGradients final : public ActivationObserver
{
public:
    explicit EmbeddedGradients(std::vector<double>& norms) : m_norms(norms) {}

    bool wants(TraceKey key) const override { return key.site == Site::ResidPre && key.layer == 0; }

    void record(TraceKey, TensorView gradient, std::int64_t) override
    {
        const std::int64_t count = gradient.shape[0];
        for (std::int64_t position = 0; position < count; ++position)
            m_norms[static_cast<std::size_t>(count - 1 - position)] += rowNorm(gradient[position]);
    }

private:
    std::vector<double>& m_norms;
};

} // namespace

ModelConfig TransformerLearner::configFor(const Settings& settings)
{
    ModelConfig config;
    config.vocabularySize = settings.vocabularySize;
    config.dModel = settings.width;
    config.heads = 2;
    config.layers = 2;
    config.dFf = 4 * settings.width;
    config.maxLen = settings.longestText;
    config.positions = Positions::Learned;
    config.tieEmbeddings = false;
    config.headBias = true;
    return config;
}

TransformerLearner::TransformerLearner(const Settings& settings, const LabContext& context)
    : m_trainer(trainerOf(settings, context))
    , m_backend(backendOf(context))
{
}

std::int64_t TransformerLearner::parameters() const
{
    return parameterCount(m_trainer.config());
}

StepReport TransformerLearner::step(const Batch& batch)
{
    return m_trainer.step(batch);
}

TargetCounts TransformerLearner::measure(const Batch& batch)
{
    return m_trainer.measure(batch);
}

const Model& TransformerLearner::model()
{
    if (!m_model || m_modelStep != m_trainer.state().step) {
        m_model = m_trainer.snapshot();
        m_modelStep = m_trainer.state().step;
    }
    return *m_model;
}

std::vector<double> TransformerLearner::gradientByDistance(const Batch& batch)
{
    std::vector<double> norms(static_cast<std::size_t>(batch.length), 0.0);
    EmbeddedGradients gradients(norms);
    const auto length = static_cast<std::size_t>(batch.length);
    for (std::size_t row = 0; row < static_cast<std::size_t>(batch.rows); ++row) {
        const std::span<const TokenId> ids(batch.inputs.data() + row * length, length);
        GradientTarget target;
        target.kind = GradientTarget::Kind::Loss;
        target.targets.assign(batch.targets.begin() + static_cast<std::ptrdiff_t>(row * length),
                              batch.targets.begin() +
                                  static_cast<std::ptrdiff_t>((row + 1) * length));
        traceGradients(model(), {ids}, target, *m_backend, gradients);
    }
    for (double& norm : norms)
        norm /= static_cast<double>(batch.rows);
    return norms;
}

void TransformerLearner::readAtOnce(std::span<const TokenId> ids)
{
    KvCache cache(model().config());
    model().forward(ids, *m_backend, cache);
}

std::size_t TransformerLearner::readOneByOne(std::span<const TokenId> ids)
{
    KvCache cache(model().config());
    for (std::size_t count = 1; count <= ids.size(); ++count)
        model().forward(ids.first(count), *m_backend, cache);
    const auto perPosition = [](TensorView all) { return all.shape[0] * all.shape[2]; };
    std::int64_t floats = 0;
    for (int layer = 0; layer < model().config().layers; ++layer)
        floats += perPosition(cache.keys(layer)) + perPosition(cache.values(layer));
    return static_cast<std::size_t>(floats * cache.size()) * sizeof(float);
}

std::int64_t TransformerLearner::pathLength(std::int64_t tokens)
{
    AttentionMask causal;
    causal.causal = true;
    return layersToReach(causal, tokens);
}

double TransformerLearner::mixing(std::int64_t tokens, std::int64_t width) const
{
    const double pairs = 0.5 * static_cast<double>(tokens) * static_cast<double>(tokens + 1);
    return 2.0 * pairs * static_cast<double>(width);
}

std::int64_t TransformerLearner::width() const
{
    return m_trainer.config().dModel;
}

} // namespace headscope
