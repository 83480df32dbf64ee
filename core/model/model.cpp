#include "core/model/model.h"

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/model/pass/intervention_check.h"
#include "core/model/pass/model_pass.h"
#include "core/model/pass/pass_interventions.h"
#include "core/model/positions/layer_ropes.h"
#include "core/model/weights/packed_model.h"
#include "core/model/weights/running_statistics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <mutex>

namespace headscope {

/// Packed on the first forward pass, so that models that are only saved or trained cost nothing.
/// Shared by copies of a Model.
struct Model::Packed
{
    std::once_flag once;
    std::unique_ptr<const PackedModel> model;
    std::shared_ptr<const Model> base; ///< Model whose matrices are shared; null: none.
};

namespace {

[[noreturn]] void refuse(const std::string& problem)
{
    throw ShapeError(problem, "Model::forward");
}

void checkTokens(const ModelConfig& config, std::span<const TokenId> ids)
{
    if (std::ssize(ids) > config.maxLen)
        refuse(fmt::format("{} tokens, but max_len is {}", ids.size(), config.maxLen));
    for (const TokenId id : ids)
        if (id < 0 || id >= config.vocabularySize)
            refuse(fmt::format("token id {} is outside a vocabulary of {} tokens", id,
                               config.vocabularySize));
}

void checkIds(const ModelConfig& config, std::span<const TokenId> ids, const KvCache& cache)
{
    checkTokens(config, ids);
    if (!cache.fits(config))
        refuse("the cache was made for a different model");
    if (cache.size() > std::ssize(ids))
        refuse(fmt::format("{} tokens, but the cache already holds {}", ids.size(), cache.size()));
}

void checkOptions(const ModelConfig& config, const ForwardOptions& options, std::size_t tokens,
                  std::int64_t sourceTokens)
{
    if (options.interventions)
        checkInterventions(config, static_cast<std::int64_t>(tokens), *options.interventions,
                           sourceTokens);
    if (!options.segments.empty() && options.segments.size() != tokens)
        refuse(fmt::format("{} segments for {} tokens", options.segments.size(), tokens));
    for (const std::int32_t segment : options.segments)
        if (segment < 0 || segment >= std::max<std::int64_t>(config.tokenTypes, 1))
            refuse(
                fmt::format("segment {} is not among {} token types", segment, config.tokenTypes));
}

/// Reuses the memory of the thread's last forward pass. The encoder has its own.
Workspace& workspaceOfThisThread(bool encoder)
{
    thread_local Workspace workspaces[2];
    return workspaces[encoder ? 1 : 0];
}

/// Standard deviation of a matrix's initial values; negative for parameters that are not matrices.
double initialDeviation(const ModelConfig& config, const ParameterSpec& spec)
{
    if (spec.shape.rank() != 2)
        return -1.0;
    if (config.initialisation == Initialisation::Normal)
        return config.initStd;
    // Embedding rows have d_model entries, so the last axis is right for both kinds of matrix.
    return 1.0 / std::sqrt(static_cast<double>(spec.shape[1]));
}

/// True for a norm's gamma: the only weights with one axis.
bool isScale(const ParameterSpec& spec)
{
    return spec.shape.rank() == 1 && spec.name.ends_with(".weight");
}

} // namespace

Model::Model(ModelConfig config, ParameterSet parameters)
    : m_config(config)
    , m_parameters(std::move(parameters))
    , m_program(std::make_shared<const ModelProgram>(m_config))
    , m_packed(std::make_shared<Packed>())
{
    const std::vector<ParameterSpec> expected = parameterLayout(m_config);
    if (m_parameters.specs().size() != expected.size())
        throw ShapeError(fmt::format("{} parameters, but {} were expected",
                                     m_parameters.specs().size(), expected.size()),
                         "Model");
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const ParameterSpec& got = m_parameters.specs()[i];
        if (got.name != expected[i].name || got.shape != expected[i].shape)
            throw ShapeError(fmt::format("parameter \"{}\" {}, but \"{}\" {} was expected",
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
        if (isRunningStatistic(spec.name)) { // takes no random numbers: other norms start alike
            if (spec.name.ends_with(kRunningVariance))
                std::fill_n(parameters.view(spec).data, spec.shape.elementCount(), 1.0F);
            continue;
        }
        Random random(seed, stream++);
        const MutableTensorView view = parameters.view(spec);
        const std::span<float> values(view.data,
                                      static_cast<std::size_t>(spec.shape.elementCount()));
        const double deviation = initialDeviation(config, spec);
        if (deviation >= 0.0)
            std::generate(values.begin(), values.end(),
                          [&] { return static_cast<float>(deviation * random.normal()); });
        else if (isScale(spec) && config.norm != Norm::RmsUnitOffset)
            std::fill(values.begin(), values.end(), 1.0F);
    }
    return {config, std::move(parameters)};
}

Model::Model(const std::shared_ptr<const Model>& base, ParameterSet parameters,
             std::vector<WeightEdit> edits)
    : m_config(base->m_config)
    , m_precision(base->m_precision)
    , m_parameters(std::move(parameters))
    , m_edits(std::move(edits))
    , m_program(base->m_program)
    , m_packed(std::make_shared<Packed>())
{
    m_packed->base = base;
}

Model Model::replaced(const std::shared_ptr<const Model>& base,
                      std::vector<ReplacedParameter> parameters, std::vector<WeightEdit> edits)
{
    const std::shared_ptr<const ParameterSet> shared(base, &base->m_parameters);
    return {base, ParameterSet(shared, std::move(parameters)), std::move(edits)};
}

Model Model::rounded(const std::shared_ptr<const Model>& base, WeightPrecision precision)
{
    const std::shared_ptr<const ParameterSet> shared(base, &base->m_parameters);
    Model model(base, ParameterSet(shared, {}), base->m_edits);
    model.m_precision = precision;
    model.m_packed->base = nullptr; // none of its matrices can be shared
    return model;
}

const PackedModel& Model::packed() const
{
    std::call_once(m_packed->once, [this] {
        m_packed->model =
            m_packed->base
                ? std::make_unique<const PackedModel>(*m_program, m_parameters, m_precision,
                                                      m_packed->base->packed())
                : std::make_unique<const PackedModel>(*m_program, m_parameters, m_precision);
    });
    return *m_packed->model;
}

void Model::pack() const
{
    packed();
}

Tensor Model::forward(std::span<const TokenId> ids, AttentionBackend& backend, KvCache& cache,
                      ActivationObserver* observer, const Interventions& interventions,
                      std::stop_token stop) const
{
    ForwardOptions options;
    options.observer = observer;
    options.interventions = &interventions;
    options.stop = std::move(stop);
    return forward(ids, backend, cache, options);
}

Tensor Model::forward(std::span<const TokenId> ids, AttentionBackend& backend, KvCache& cache,
                      const ForwardOptions& options) const
{
    checkIds(m_config, ids, cache);
    checkOptions(m_config, options, ids.size(), cache.sourceTokens());
    const bool twoStacks = m_config.isEncoderDecoder();
    if (twoStacks && !cache.memory())
        refuse("no source has been encoded");
    const auto tokens = std::ssize(ids);
    const std::int64_t old = m_config.hasDecoder() ? cache.size() : 0;
    // Dynamic scaling rotates all keys by a different table whenever a text beyond the original
    // length grows or shrinks.
    const std::int64_t turned = turningLength(m_config, tokens);
    const bool rebuilt = old > 0 && cache.turnedFor() != turned;
    if (tokens == old && !rebuilt)
        return Tensor({0, m_config.languageHead ? m_config.vocabularySize : m_config.dModel});
    const std::int64_t first = rebuilt ? 0 : old;
    if (rebuilt)
        cache.setTurnedFor(-1);
    if (m_config.hasDecoder())
        cache.reserve(tokens);

    ModelPass pass(m_config, m_program->main, workspaceOfThisThread(false), backend);
    prepare(pass, options);
    pass.causal = m_config.hasDecoder() && m_config.causal;
    pass.cache = m_config.hasDecoder() ? &cache : nullptr;
    pass.texts.queryTokens = tokens - first;
    pass.texts.firstPosition = first;
    pass.texts.ids = ids.subspan(first);
    pass.texts.segments = options.segments;
    pass.texts.memoryTokens = cache.sourceTokens();
    pass.wantsLogits = true;
    pass.lastLogitsOnly = options.lastLogitsOnly;
    if (twoStacks) {
        const TensorView memory = cache.memory();
        pass.memory = {const_cast<float*>(memory.data), memory.shape}; // only read
    }
    pass.forward();
    m_parameters.requireUnchanged();
    cache.truncate(m_config.hasDecoder() ? first : cache.size());
    if (m_config.hasDecoder())
        cache.grow(tokens - first);
    cache.setTurnedFor(turned);
    if (twoStacks)
        cache.markCrossReady();
    return resultOf(pass, tokens - old);
}

void Model::encode(std::span<const TokenId> source, AttentionBackend& backend, KvCache& cache,
                   const ForwardOptions& options) const
{
    if (!m_program->encoder)
        refuse("only an encoder-decoder encodes a source");
    if (source.empty())
        refuse("an empty source");
    if (!cache.fits(m_config))
        refuse("the cache was made for a different model");
    const Interventions inEncoder =
        options.interventions ? encoderPart(*options.interventions) : Interventions();
    ForwardOptions inner = options;
    inner.interventions = &inEncoder;
    checkText(source, inner, std::ssize(source));
    ModelPass pass(m_config, *m_program->encoder, workspaceOfThisThread(true), backend);
    prepare(pass, inner);
    pass.causal = false;
    pass.texts.queryTokens = std::ssize(source);
    pass.texts.ids = source;
    pass.forward();
    m_parameters.requireUnchanged();
    const TensorView result = pass.value(m_program->encoderOutput);
    Tensor memory(result.shape);
    std::copy_n(result.data, memory.size(), memory.data());
    cache.setMemory(std::move(memory));
}

void Model::checkText(std::span<const TokenId> ids, const ForwardOptions& options,
                      std::int64_t sourceTokens) const
{
    checkTokens(m_config, ids);
    checkOptions(m_config, options, ids.size(), sourceTokens);
}

void Model::prepare(ModelPass& pass, const ForwardOptions& options) const
{
    pass.stored = m_parameters.stored();
    if (pass.stored == nullptr)
        pass.parameters = m_parameters.values().data();
    pass.packed = &packed().linears;
    pass.tables = &m_program->positions;
    pass.observer = options.observer;
    pass.interventions = options.interventions;
    pass.changes = options.interventions && options.interventions->changeActivations();
    pass.stop = options.stop;
    pass.products = options.products;
}

Tensor Model::resultOf(const ModelPass& pass, std::int64_t rows) const
{
    const MutableTensorView all =
        m_config.languageHead ? MutableTensorView(pass.workspace.logits.data(),
                                                  {pass.lastLogitsOnly ? 1 : pass.texts.queryTokens,
                                                   m_config.vocabularySize})
                              : pass.value(m_program->output);
    const std::int64_t count = std::min(rows, all.shape[0]);
    Tensor result({count, all.shape[1]});
    std::copy_n(all.data + (all.shape[0] - count) * all.shape[1], result.size(), result.data());
    return result;
}

} // namespace headscope
