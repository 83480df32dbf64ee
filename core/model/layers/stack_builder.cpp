#include "core/model/layers/stack_builder.h"

#include "core/model/layers/cross_keys_layer.h"
#include "core/model/layers/embedding_layer.h"
#include "core/model/layers/expert_layer.h"
#include "core/model/layers/head_layer.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

StackBuilder::StackBuilder(const ModelConfig& config, Stack stack, BuildCounters& counters)
    : m_config(config)
    , m_stack(stack)
    , m_counters(counters)
{
    for (ParameterSpec& spec : parameterLayout(config))
        m_specs.emplace(spec.name, std::move(spec));
}

ParameterRef StackBuilder::parameter(const std::string& name) const
{
    const auto found = m_specs.find(name);
    if (found == m_specs.end())
        return {};
    return {found->second.offset, found->second.shape, true, false};
}

LinearRef StackBuilder::linear(ParameterRef weight, ParameterRef bias)
{
    LinearRef ref{weight, bias, m_counters.linears.size()};
    m_counters.linears.push_back(ref);
    return ref;
}

LinearRef StackBuilder::linear(const std::string& name)
{
    return linear(parameter(name + ".weight"), parameter(name + ".bias"));
}

LinearRef StackBuilder::fused(const std::string& first, std::int64_t out)
{
    ParameterRef weight = parameter(first + ".weight");
    ParameterRef bias = parameter(first + ".bias");
    weight.shape = {out, weight.shape[1]};
    bias.shape = {out};
    return linear(weight, bias);
}

NormRef StackBuilder::normRef(const std::string& name) const
{
    return {m_config.norm, static_cast<float>(m_config.normEpsilon), parameter(name + ".weight"),
            parameter(name + ".bias")};
}

/// Encoder-decoders have tables of both stacks under the stack's name.
std::string StackBuilder::withStack(const std::string& name) const
{
    if (m_stack == Stack::Blocks)
        return name;
    return (m_stack == Stack::Encoder ? "enc." : "dec.") + name;
}

TraceKey StackBuilder::global(Site site) const
{
    return {site, 0, m_stack == Stack::Encoder ? Stack::Encoder : Stack::Blocks};
}

float StackBuilder::scoreScale() const
{
    return m_config.scaleScores
               ? static_cast<float>(1.0 / std::sqrt(static_cast<double>(m_config.queryDim())))
               : 1.0F;
}

void StackBuilder::note(ValueRef value, TraceKey key)
{
    m_builder.add(std::make_unique<NoteLayer>(value, key), {{value}, {}, {}, {}});
}

ValueRef StackBuilder::norm(NormRef norm, ValueRef in, std::optional<TraceKey> site)
{
    NormLayer::Values values;
    values.in = in;
    values.out = query(norm.gamma.shape[0]);
    values.mean = query(1);
    values.deviation = query(1);
    m_builder.add(std::make_unique<NormLayer>(norm, values, site),
                  {{in},
                   {values.out, values.mean, values.deviation},
                   {in, values.mean, values.deviation},
                   {}});
    return values.out;
}

ValueRef StackBuilder::norm(const std::string& name, ValueRef in, std::optional<TraceKey> site)
{
    return norm(normRef(name), in, site);
}

ValueRef StackBuilder::embed()
{
    const bool ownSourceTable = m_stack == Stack::Encoder && m_specs.contains("enc.tok_emb.weight");
    EmbeddingLayer::Parameters parameters;
    parameters.tokens = parameter(ownSourceTable ? "enc.tok_emb.weight" : "tok_emb.weight");
    const bool headWroteIt = m_config.tieEmbeddings && m_config.languageHead;
    parameters.tokens.shared = m_stack == Stack::Encoder ? !ownSourceTable : headWroteIt;
    parameters.positions = parameter(withStack("pos_emb.weight"));
    parameters.segments = parameter("type_emb.weight");
    const ParameterRef relative = parameter(withStack("rel_bias.weight"));
    if (relative)
        m_builder.add(std::make_unique<RelativeBiasLayer>(relative, m_stack == Stack::Encoder ||
                                                                        !m_config.hasDecoder()),
                      {});
    const ValueRef x = query(m_config.dModel);
    EmbeddingLayer::Settings settings;
    settings.place.stack = global(Site::Embed).stack;
    settings.scale = static_cast<float>(m_config.embeddingScale);
    settings.dropsOut = !m_config.embeddingNorm;
    settings.dropoutSite = m_counters.dropoutSites++;
    m_builder.add(std::make_unique<EmbeddingLayer>(parameters, x, settings), {{}, {x}, {}, {}});
    if (!m_config.embeddingNorm)
        return x;
    const ValueRef normed = norm(withStack("ln_emb"), x);
    m_builder.add(std::make_unique<DropoutLayer>(normed, settings.dropoutSite),
                  {{normed}, {}, {}, {}});
    return normed;
}

StackBuilder::Sublayer StackBuilder::at(std::int64_t layer) const
{
    const char* const name =
        m_stack == Stack::Blocks ? "h" : (m_stack == Stack::Encoder ? "enc" : "dec");
    return {fmt::format("{}.{}", name, layer), {m_stack, static_cast<int>(layer)}};
}

ValueRef StackBuilder::attentionSublayer(std::int64_t layer, ValueRef in, ValueRef residual)
{
    const Sublayer place = at(layer);
    const ValueRef context = m_config.isLatent() ? attendLatent(place, in) : attend(place, in);
    return project(linear(place.prefix + ".attn.o"), context, residual,
                   place.place.key(Site::AttnOut));
}

ValueRef StackBuilder::feedForwardSublayer(std::int64_t layer, ValueRef in, ValueRef residual)
{
    return m_config.experts.count > 0 ? mixExperts(at(layer), in, residual)
                                      : feedForward(at(layer), in, residual);
}

ValueRef StackBuilder::block(std::int64_t layer, ValueRef x, ValueRef memory)
{
    const Sublayer place = at(layer);
    const bool pre = m_config.normPosition == NormPosition::Pre;
    const auto before = [&](const char* norms, ValueRef in) {
        return pre ? norm(place.prefix + norms, in) : in;
    };
    const auto after = [&](const char* norms, ValueRef out) {
        return pre ? out : norm(place.prefix + norms, out);
    };
    note(x, place.place.key(Site::ResidPre));
    const ValueRef in = before(".ln1", x);
    const bool parallel = m_config.parallelResidual && m_config.dFf > 0;
    const ValueRef beside = parallel ? norm(place.prefix + ".ln2", x) : ValueRef();
    ValueRef stream = after(".ln1", attentionSublayer(layer, in, x));
    note(stream, place.place.key(Site::ResidMid));
    if (memory) {
        const ValueRef crossed = attendMemory(place, before(".ln_cross", stream), memory);
        stream = after(".ln_cross", project(linear(place.prefix + ".cross.o"), crossed, stream,
                                            place.place.key(Site::CrossOut)));
        note(stream, place.place.key(Site::ResidMidCross));
    }
    if (m_config.dFf > 0)
        stream = after(
            ".ln2", feedForwardSublayer(layer, parallel ? beside : before(".ln2", stream), stream));
    note(stream, place.place.key(Site::ResidPost));
    return stream;
}

ValueRef StackBuilder::project(const LinearRef& linear, ValueRef in, ValueRef residual,
                               TraceKey site)
{
    const ResidualLayer::Values values{in, residual, query(m_config.dModel),
                                       query(m_config.dModel)};
    m_builder.shareGradient(residual, values.out);
    m_builder.add(std::make_unique<ResidualLayer>(linear, values, site, m_counters.dropoutSites++),
                  {{in, residual}, {values.out}, {in}, {values.scratch}});
    return values.out;
}

ValueRef StackBuilder::finalNorm(ValueRef x)
{
    if (!m_config.hasFinalNorm())
        return x;
    return norm(m_stack == Stack::Encoder ? "enc.ln_f" : "ln_f", x, global(Site::LnFinal));
}

void StackBuilder::keepOutput(ValueRef hidden)
{
    m_builder.add(std::make_unique<OutputLayer>(), {{hidden}, {}, {hidden}, {}});
}

void StackBuilder::heads(ValueRef hidden)
{
    if (m_config.nextSentence)
        m_builder.add(
            std::make_unique<NextSentenceLayer>(linear("pooler"), linear("next_sentence"), hidden),
            {{hidden}, {}, {hidden}, {}});
    if (!m_config.languageHead) {
        m_builder.add(std::make_unique<OutputLayer>(hidden), {{hidden}, {}, {hidden}, {}});
        return;
    }
    if (m_config.headTransform) {
        const DenseActivationLayer::Values values{hidden, query(m_config.dModel),
                                                  query(m_config.dModel)};
        const ActivationKind kind =
            m_config.isGated() ? ActivationKind::GeluExact : activationKind(m_config.activation);
        m_builder.add(std::make_unique<DenseActivationLayer>(linear("head.dense"), values, kind),
                      {{hidden}, {values.hidden, values.out}, {hidden, values.hidden}, {}});
        hidden = norm("head.ln", values.out);
    }
    // What multiplies the hidden state multiplies its product too, but not the bias.
    const ParameterRef bias = parameter("head.bias");
    const bool apart = m_config.headScale != 1.0;
    const LinearRef head =
        linear(parameter(m_config.tieEmbeddings ? "tok_emb.weight" : "head.weight"),
               apart ? ParameterRef() : bias);
    m_builder.add(std::make_unique<HeadLayer>(head, apart ? bias : ParameterRef(), hidden,
                                              static_cast<float>(m_config.headScale)),
                  {{hidden}, {}, {hidden}, {}});
}

FeedForwardRef StackBuilder::feedForwardRef(const std::string& prefix)
{
    FeedForwardRef part;
    part.kind = activationKind(m_config.activation);
    part.gated = m_config.isGated();
    part.width = m_config.dFf;
    part.expand = part.gated ? fused(prefix + ".gate", 2 * m_config.dFf) : linear(prefix + ".fc1");
    part.contract = linear(prefix + (part.gated ? ".down" : ".fc2"));
    return part;
}

ValueRef StackBuilder::feedForward(const Sublayer& at, ValueRef in, ValueRef residual)
{
    const FeedForwardRef part = feedForwardRef(at.prefix);
    FeedForwardLayer::Values values;
    values.in = in;
    values.residual = residual;
    values.out = query(m_config.dModel);
    values.hidden = query(part.gated ? 2 * part.width : part.width);
    values.active = query(part.width);
    values.dHidden = query(part.gated ? 2 * part.width : part.width);
    values.dActive = query(part.width);
    values.scratch = query(m_config.dModel);
    std::vector<ValueRef> temps{values.active, values.dHidden, values.scratch};
    if (part.gated)
        temps.push_back(values.dActive);
    m_builder.shareGradient(residual, values.out);
    m_builder.add(
        std::make_unique<FeedForwardLayer>(part, values, at.place, m_counters.dropoutSites++),
        {{in, residual}, {values.out, values.hidden}, {in, values.hidden}, temps});
    return values.out;
}

ValueRef StackBuilder::mixExperts(const Sublayer& at, ValueRef in, ValueRef residual)
{
    ExpertLayer::Settings settings;
    settings.place = at.place;
    settings.router = linear(at.prefix + ".router");
    settings.topK = m_config.experts.topK;
    settings.slot = m_counters.expertLayers++;
    for (std::int64_t expert = 0; expert < m_config.experts.count; ++expert)
        settings.experts.push_back(feedForwardRef(fmt::format("{}.expert.{}", at.prefix, expert)));
    settings.dropoutSite = m_counters.dropoutSites++;
    const std::int64_t chosen = m_config.experts.topK;
    const std::int64_t hidden = chosen * m_config.dFf * (m_config.isGated() ? 2 : 1);
    ExpertLayer::Values values;
    values.in = in;
    values.residual = residual;
    values.out = query(m_config.dModel);
    values.probabilities = query(m_config.experts.count);
    values.weights = query(m_config.experts.count);
    values.gathered = query(chosen * m_config.dModel);
    values.hidden = query(hidden);
    values.results = query(chosen * m_config.dModel);
    values.active = query(chosen * m_config.dFf);
    values.dHidden = query(hidden);
    values.dActive = query(chosen * m_config.dFf);
    values.dGathered = query(chosen * m_config.dModel);
    values.dWeights = query(m_config.experts.count);
    values.scratch = query(m_config.dModel);
    const std::vector<ValueRef> made{values.out,      values.probabilities, values.weights,
                                     values.gathered, values.hidden,        values.results};
    std::vector<ValueRef> kept = made;
    kept.front() = in;
    m_builder.shareGradient(residual, values.out);
    m_builder.add(std::make_unique<ExpertLayer>(std::move(settings), values),
                  {{in, residual},
                   made,
                   kept,
                   {values.active, values.dHidden, values.dActive, values.dGathered,
                    values.dWeights, values.scratch}});
    return values.out;
}

} // namespace headscope
