#include "core/model/model.h"

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/model/forward_pass.h"
#include "core/model/packed_model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <mutex>

namespace headscope {

/// Packed when the first forward pass asks, so that models that are only saved or trained on cost
/// nothing. Shared by copies of a Model.
struct Model::Packed
{
    std::once_flag once;
    std::unique_ptr<const PackedModel> model;
};

namespace {

[[noreturn]] void refuse(const std::string& problem)
{
    throw ShapeError(problem, "Model::forward");
}

void checkIds(const ModelConfig& config, std::span<const TokenId> ids, const KvCache& cache)
{
    const auto count = static_cast<std::int64_t>(ids.size());
    if (count > config.maxLen)
        refuse(fmt::format("{} tokens where max_len is {}", count, config.maxLen));
    if (!cache.fits(config))
        refuse("the cache was made for another model");
    if (cache.size() > count)
        refuse(fmt::format("{} tokens with a cache of {}", count, cache.size()));
    for (const TokenId id : ids)
        if (id < 0 || id >= config.vocabularySize)
            refuse(fmt::format("token id {} in a vocabulary of {}", id, config.vocabularySize));
}

void checkInterventions(const ModelConfig& config, const Interventions& interventions,
                        std::size_t tokens)
{
    const std::size_t cells = interventions.maskCells.size();
    if (cells != 0 && cells != tokens * tokens)
        refuse(fmt::format("a mask of {} cells for {} tokens", cells, tokens));
    if (interventions.mask && interventions.mask->window < 0)
        refuse(fmt::format("a window of {} tokens", interventions.mask->window));
    for (const Interventions::Head& head : interventions.ablatedHeads)
        if (head.layer < 0 || head.layer >= config.layers || head.head < 0 ||
            head.head >= config.heads)
            refuse(fmt::format("no head L{}H{} among {} layers of {} heads", head.layer, head.head,
                               config.layers, config.heads));
}

/// Standard deviation of a matrix's first values; negative for what is no matrix.
double initialDeviation(const ModelConfig& config, const ParameterSpec& spec)
{
    if (spec.shape.rank() != 2)
        return -1.0;
    if (config.initialisation == Initialisation::Normal)
        return config.initStd;
    // Embedding rows have d_model entries, so the last axis is right for both kinds of matrix.
    return 1.0 / std::sqrt(static_cast<double>(spec.shape[1]));
}

} // namespace

Model::Model(ModelConfig config, ParameterSet parameters)
    : m_config(config)
    , m_parameters(std::move(parameters))
    , m_packed(std::make_shared<Packed>())
{
    const std::vector<ParameterSpec> expected = parameterLayout(m_config);
    if (m_parameters.specs().size() != expected.size())
        throw ShapeError(fmt::format("{} parameters where {} were expected",
                                     m_parameters.specs().size(), expected.size()),
                         "Model");
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const ParameterSpec& got = m_parameters.specs()[i];
        if (got.name != expected[i].name || got.shape != expected[i].shape)
            throw ShapeError(fmt::format("parameter \"{}\" {} where \"{}\" {} was expected",
                                         got.name, got.shape.toString(), expected[i].name,
                                         expected[i].shape.toString()),
                             "Model");
    }
}

Model Model::initialised(const ModelConfig& config, std::uint64_t seed)
{
    ParameterSet parameters(config);
    std::uint64_t stream = 0;
    for (const ParameterSpec& spec : parameters.specs()) {
        Random random(seed, stream++);
        const MutableTensorView view = parameters.view(spec);
        const std::span<float> values(view.data,
                                      static_cast<std::size_t>(spec.shape.elementCount()));
        const double deviation = initialDeviation(config, spec);
        if (deviation >= 0.0)
            std::generate(values.begin(), values.end(),
                          [&] { return static_cast<float>(deviation * random.normal()); });
        else if (spec.name.find("ln") != std::string::npos && spec.name.ends_with(".weight"))
            std::fill(values.begin(), values.end(), 1.0F);
    }
    return {config, std::move(parameters)};
}

const PackedModel& Model::packed() const
{
    std::call_once(m_packed->once, [this] {
        m_packed->model = std::make_unique<const PackedModel>(m_config, m_parameters);
    });
    return *m_packed->model;
}

Tensor Model::forward(std::span<const TokenId> ids, AttentionBackend& backend, KvCache& cache,
                      ActivationObserver* observer, const Interventions& interventions,
                      std::stop_token stop) const
{
    checkIds(m_config, ids, cache);
    checkInterventions(m_config, interventions, ids.size());
    if (static_cast<std::int64_t>(ids.size()) == cache.size())
        return Tensor({0, m_config.vocabularySize});
    const ForwardOperands operands{m_config, m_parameters,  packed(),       ids, backend, cache,
                                   observer, interventions, std::move(stop)};
    return ForwardPass(operands).run();
}

} // namespace headscope
