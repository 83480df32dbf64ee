#include "core/model/layers/stack_builder.h"

#include "core/model/layers/add_layer.h"
#include "core/model/layers/cross_keys_layer.h"
#include "core/model/layers/embedding_layer.h"
#include "core/model/layers/expert_layer.h"
#include "core/model/layers/head_layer.h"
#include "core/model/positions/position_encodings.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace headscope {

namespace {

std::vector<ValueRef> readsOf(ValueRef in, ValueRef residual)
{
    return residual ? std::vector<ValueRef>{in, residual} : std::vector<ValueRef>{in};
}

} // namespace

TraceKey StackBuilder::global(Site site) const
{
    return {site, 0, m_parts.stack == Stack::Encoder ? Stack::Encoder : Stack::Blocks};
}

void StackBuilder::note(ValueRef value, TraceKey key)
{
    m_parts.builder.add(std::make_unique<NoteLayer>(value, key), {{value}, {}, {}, {}});
}

ValueRef StackBuilder::embed()
{
    const bool ownSourceTable =
        m_parts.stack == Stack::Encoder && m_parts.has("enc.tok_emb.weight");
    EmbeddingLayer::Parameters parameters;
    parameters.tokens = m_parts.parameter(ownSourceTable ? "enc.tok_emb.weight" : "tok_emb.weight");
    const bool headWroteIt = m_config.tieEmbeddings && m_config.languageHead;
    parameters.tokens.shared = m_parts.stack == Stack::Encoder ? !ownSourceTable : headWroteIt;
    const PositionEncoding& encoding = encodingOf(m_config);
    const auto learned = encoding.parameter(m_config);
    const ParameterRef positions =
        learned ? m_parts.parameter(m_parts.withStack(learned->name)) : ParameterRef();
    if (encoding.traits().addsVectors)
        parameters.positions = positions;
    parameters.segments = m_parts.parameter("type_emb.weight");
    if (encoding.traits().addsBias)
        m_parts.builder.add(
            std::make_unique<PositionBiasLayer>(positions, m_parts.stack == Stack::Encoder ||
                                                               !m_config.hasDecoder()),
            {});
    const ValueRef x = m_parts.query(m_config.embeddingDim());
    EmbeddingLayer::Settings settings;
    settings.place.stack = global(Site::Embed).stack;
    settings.scale = static_cast<float>(m_config.embeddingScale);
    settings.dropsOut = !m_config.embeddingNorm;
    settings.dropoutSite = m_parts.counters.dropoutSites++;
    m_parts.builder.add(std::make_unique<EmbeddingLayer>(parameters, x, settings),
                        {{}, {x}, {}, {}});
    if (!m_config.embeddingNorm)
        return widened(x);
    const ValueRef normed = m_parts.norm(m_parts.withStack("ln_emb"), x);
    m_parts.builder.add(std::make_unique<DropoutLayer>(normed, settings.dropoutSite),
                        {{normed}, {}, {}, {}});
    return widened(normed);
}

/// Embeddings in the width of the layers.
ValueRef StackBuilder::widened(ValueRef embedded)
{
    if (m_config.embeddingWidth == 0)
        return embedded;
    const ValueRef out = m_parts.query(m_config.dModel);
    m_parts.builder.add(
        std::make_unique<LinearLayer>(m_parts.linear(m_parts.withStack("emb_proj")), embedded, out),
        {{embedded}, {out}, {embedded}, {}});
    return out;
}

Sublayer StackBuilder::at(std::int64_t layer) const
{
    const char* const name =
        m_parts.stack == Stack::Blocks ? "h" : (m_parts.stack == Stack::Encoder ? "enc" : "dec");
    return {fmt::format("{}.{}", name, layer), {m_parts.stack, static_cast<int>(layer)}};
}

ValueRef StackBuilder::attentionSublayer(std::int64_t layer, ValueRef in, ValueRef residual)
{
    const Sublayer place = at(layer);
    const ValueRef context = m_attention.self(place, in);
    const TraceKey site = place.place.key(Site::AttnOut);
    const auto output = [&](ValueRef added) {
        return project(m_parts.linear(place.prefix + ".attn.o"), context, added, site);
    };
    return addsApart() ? addApart(place.prefix + ".ln1", output({}), residual, site)
                       : output(residual);
}

ValueRef StackBuilder::feedForwardSublayer(std::int64_t layer, ValueRef in, ValueRef residual)
{
    const Sublayer place = at(layer);
    const LayerSettings settings = m_config.layer(layer);
    const bool mixes = m_config.experts.count > 0 && settings.hasExperts;
    const auto output = [&](ValueRef added) {
        return mixes ? mixExperts(place, in, added) : feedForward(place, settings.dFf, in, added);
    };
    return addsApart() ? addApart(place.prefix + ".ln2", output({}), residual,
                                  place.place.key(Site::MlpOut))
                       : output(residual);
}

/// True where a norm or a factor lies between a sublayer's projection and the residual stream.
bool StackBuilder::addsApart() const
{
    return m_config.normsOutput() || m_config.residualScale != 1.0;
}

/// Adds a sublayer's output to the residual stream, through its norm and times the model's factor.
ValueRef StackBuilder::addApart(const std::string& norms, ValueRef output, ValueRef residual,
                                TraceKey site)
{
    const bool both = m_config.normPosition == NormPosition::Both;
    AddLayer::Values values;
    values.in =
        m_config.normsOutput() ? m_parts.norm(norms + (both ? "_out" : ""), output) : output;
    values.out = m_parts.query(m_config.dModel);
    values.scratch = m_parts.query(m_config.dModel);
    values.residual = connected(residual, values.out);
    m_parts.builder.add(
        std::make_unique<AddLayer>(values, static_cast<float>(m_config.residualScale), site),
        {readsOf(values.in, values.residual), {values.out}, {}, {values.scratch}});
    return values.out;
}

ValueRef StackBuilder::block(std::int64_t layer, ValueRef x, ValueRef memory)
{
    const Sublayer place = at(layer);
    const bool post = m_config.normPosition == NormPosition::Post;
    const auto before = [&](const char* norms, ValueRef in) {
        return m_config.normsInput() ? m_parts.norm(place.prefix + norms, in) : in;
    };
    const auto after = [&](const char* norms, ValueRef out) {
        return post ? m_parts.norm(place.prefix + norms, out) : out;
    };
    note(x, place.place.key(Site::ResidPre));
    const ValueRef in =
        m_config.normsAttentionInput(layer) ? m_parts.norm(place.prefix + ".ln1", x) : x;
    const bool parallel = m_config.isParallel() && m_config.dFf > 0;
    ValueRef beside;
    if (parallel)
        beside = m_config.sharedNorm ? in : m_parts.norm(place.prefix + ".ln2", x);
    ValueRef stream = after(".ln1", attentionSublayer(layer, in, x));
    note(stream, place.place.key(Site::ResidMid));
    if (memory) {
        const ValueRef crossed = m_attention.overMemory(place, before(".ln_cross", stream), memory);
        stream = after(".ln_cross", project(m_parts.linear(place.prefix + ".cross.o"), crossed,
                                            stream, place.place.key(Site::CrossOut)));
        note(stream, place.place.key(Site::ResidMidCross));
    }
    if (m_config.dFf > 0)
        stream = after(
            ".ln2", feedForwardSublayer(layer, parallel ? beside : before(".ln2", stream), stream));
    note(stream, place.place.key(Site::ResidPost));
    return stream;
}

/// The value that a sublayer adds its output to: `residual`, or none in a model without residual
/// connections, whose sublayers replace it.
ValueRef StackBuilder::connected(ValueRef residual, ValueRef out)
{
    if (!residual || !m_config.hasResidual())
        return {};
    m_parts.builder.shareGradient(residual, out);
    return residual;
}

ValueRef StackBuilder::project(const LinearRef& linear, ValueRef in, ValueRef residual,
                               TraceKey site)
{
    ResidualLayer::Values values{
        in, {}, m_parts.query(m_config.dModel), m_parts.query(m_config.dModel)};
    values.residual = connected(residual, values.out);
    m_parts.builder.add(std::make_unique<ResidualLayer>(
                            linear, values, addsApart() ? std::nullopt : std::optional(site),
                            m_parts.counters.dropoutSites++),
                        {readsOf(in, values.residual), {values.out}, {in}, {values.scratch}});
    return values.out;
}

ValueRef StackBuilder::finalNorm(ValueRef x)
{
    if (!m_config.hasFinalNorm())
        return x;
    return m_parts.norm(m_parts.stack == Stack::Encoder ? "enc.ln_f" : "ln_f", x,
                        global(Site::LnFinal));
}

void StackBuilder::keepOutput(ValueRef hidden)
{
    m_parts.builder.add(std::make_unique<OutputLayer>(), {{hidden}, {}, {hidden}, {}});
}

void StackBuilder::heads(ValueRef hidden)
{
    if (m_config.nextSentence)
        m_parts.builder.add(std::make_unique<NextSentenceLayer>(
                                m_parts.linear("pooler"), m_parts.linear("next_sentence"), hidden),
                            {{hidden}, {}, {hidden}, {}});
    if (!m_config.languageHead) {
        m_parts.builder.add(std::make_unique<OutputLayer>(hidden), {{hidden}, {}, {hidden}, {}});
        return;
    }
    if (m_config.headTransform) {
        const DenseActivationLayer::Values values{hidden, m_parts.query(m_config.embeddingDim()),
                                                  m_parts.query(m_config.embeddingDim())};
        const ActivationKind kind =
            m_config.isGated() ? ActivationKind::GeluExact : activationKind(m_config.activation);
        m_parts.builder.add(
            std::make_unique<DenseActivationLayer>(m_parts.linear("head.dense"), values, kind),
            {{hidden}, {values.hidden, values.out}, {hidden, values.hidden}, {}});
        hidden = m_parts.norm("head.ln", values.out);
    }
    // The factor of the hidden state also applies to its product, but not to the bias.
    const ParameterRef bias = m_parts.parameter("head.bias");
    const bool apart = m_config.headScale != 1.0;
    const LinearRef head =
        m_parts.linear(m_parts.parameter(m_config.tieEmbeddings ? "tok_emb.weight" : "head.weight"),
                       apart ? ParameterRef() : bias);
    m_parts.builder.add(std::make_unique<HeadLayer>(head, apart ? bias : ParameterRef(), hidden,
                                                    static_cast<float>(m_config.headScale),
                                                    static_cast<float>(m_config.logitCap)),
                        {{hidden}, {}, {hidden}, {}});
}

FeedForwardRef StackBuilder::feedForwardRef(const std::string& prefix, std::int64_t width)
{
    FeedForwardRef part;
    part.kind = activationKind(m_config.activation);
    part.gated = m_config.isGated();
    part.clamped = m_config.activation == Activation::ClampedSwiGlu;
    part.width = width;
    part.expand =
        part.gated ? m_parts.fused(prefix + ".gate", 2 * width) : m_parts.linear(prefix + ".fc1");
    part.contract = m_parts.linear(prefix + (part.gated ? ".down" : ".fc2"));
    return part;
}

ValueRef StackBuilder::feedForward(const Sublayer& at, std::int64_t width, ValueRef in,
                                   ValueRef residual)
{
    const FeedForwardRef part = feedForwardRef(at.prefix, width);
    FeedForwardLayer::Values values;
    values.in = in;
    values.out = m_parts.query(m_config.dModel);
    values.residual = connected(residual, values.out);
    values.hidden = m_parts.query(part.gated ? 2 * part.width : part.width);
    values.active = m_parts.query(part.width);
    values.dHidden = m_parts.query(part.gated ? 2 * part.width : part.width);
    values.dActive = m_parts.query(part.width);
    values.scratch = m_parts.query(m_config.dModel);
    std::vector<ValueRef> temps{values.active, values.dHidden, values.scratch};
    if (part.gated)
        temps.push_back(values.dActive);
    m_parts.builder.add(
        std::make_unique<FeedForwardLayer>(part, values, at.place, m_parts.counters.dropoutSites++,
                                           !addsApart()),
        {readsOf(in, values.residual), {values.out, values.hidden}, {in, values.hidden}, temps});
    return values.out;
}

SharedExpert StackBuilder::sharedExpert(const Sublayer& at)
{
    const ExpertSettings& experts = m_config.experts;
    const std::string prefix = at.prefix + ".shared";
    const std::int64_t hidden = experts.sharedWidth * (m_config.isGated() ? 2 : 1);
    SharedExpert::Values values;
    values.hidden = m_parts.query(hidden);
    values.result = m_parts.query(m_config.dModel);
    values.active = m_parts.query(experts.sharedWidth);
    values.dHidden = m_parts.query(hidden);
    values.dActive = m_parts.query(experts.sharedWidth);
    values.dResult = m_parts.query(m_config.dModel);
    if (!experts.sharedGate)
        return {feedForwardRef(prefix, experts.sharedWidth), {}, values};
    values.factor = m_parts.query(1);
    values.dFactor = m_parts.query(1);
    return {feedForwardRef(prefix, experts.sharedWidth), m_parts.linear(prefix + ".scale"), values};
}

ValueRef StackBuilder::mixExperts(const Sublayer& at, ValueRef in, ValueRef residual)
{
    ExpertLayer::Settings settings;
    settings.place = at.place;
    settings.router = m_parts.linear(at.prefix + ".router");
    settings.topK = m_config.experts.topK;
    settings.normalised = m_config.experts.normalised;
    settings.notesOutput = !addsApart();
    settings.slot = m_parts.counters.expertLayers++;
    for (std::int64_t expert = 0; expert < m_config.experts.count; ++expert)
        settings.experts.push_back(
            feedForwardRef(fmt::format("{}.expert.{}", at.prefix, expert), m_config.expertWidth()));
    if (m_config.experts.sharedWidth > 0)
        settings.shared = sharedExpert(at);
    settings.dropoutSite = m_parts.counters.dropoutSites++;
    const std::int64_t chosen = m_config.experts.topK;
    const std::int64_t active = chosen * m_config.expertWidth();
    const std::int64_t hidden = active * (m_config.isGated() ? 2 : 1);
    ExpertLayer::Values values;
    values.in = in;
    values.out = m_parts.query(m_config.dModel);
    values.residual = connected(residual, values.out);
    values.probabilities = m_parts.query(m_config.experts.count);
    values.weights = m_parts.query(m_config.experts.count);
    values.gathered = m_parts.query(chosen * m_config.dModel);
    values.hidden = m_parts.query(hidden);
    values.results = m_parts.query(chosen * m_config.dModel);
    values.active = m_parts.query(active);
    values.dHidden = m_parts.query(hidden);
    values.dActive = m_parts.query(active);
    values.dGathered = m_parts.query(chosen * m_config.dModel);
    values.dWeights = m_parts.query(m_config.experts.count);
    values.scratch = m_parts.query(m_config.dModel);
    std::vector<ValueRef> made{values.out,      values.probabilities, values.weights,
                               values.gathered, values.hidden,        values.results};
    std::vector<ValueRef> temps{values.active,    values.dHidden,  values.dActive,
                                values.dGathered, values.dWeights, values.scratch};
    if (settings.shared) {
        std::ranges::copy(settings.shared->values().made(), std::back_inserter(made));
        std::ranges::copy(settings.shared->values().scratch(), std::back_inserter(temps));
    }
    std::vector<ValueRef> kept = made;
    kept.front() = in;
    m_parts.builder.add(std::make_unique<ExpertLayer>(std::move(settings), values),
                        {readsOf(in, values.residual), made, kept, temps});
    return values.out;
}

} // namespace headscope
