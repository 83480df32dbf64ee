#include "core/analysis/lens/logit_walk.h"

#include "core/base/error.h"
#include "core/model/pass/site_shape.h"
#include "core/ops/linear.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace headscope {

namespace {

/// Differences from the model's own computation above rounding, relative to the largest channel.
constexpr double kReplaced = 1e-4;

std::string inStack(const ModelConfig& config, const std::string& name)
{
    return (config.mainStack() == Stack::Decoder ? "dec." : "") + name;
}

LogitTarget checked(const Model& model, const Trace& trace, LogitTarget target)
{
    const std::string why = whyNoLogitAttribution(model.config());
    if (!why.empty())
        throw Error(why, "logit attribution");
    const auto tokens = static_cast<std::int64_t>(trace.tokens().size());
    if (target.position == -1)
        target.position = tokens - 1;
    if (target.position < 0 || target.position >= tokens)
        throw ShapeError(fmt::format("no position {} among {} tokens", target.position, tokens),
                         "logit attribution");
    for (const TokenId token : {target.token, target.other.value_or(target.token)})
        if (token < 0 || token >= model.config().vocabularySize)
            throw ShapeError(fmt::format("no token {} in a vocabulary of {}", token,
                                         model.config().vocabularySize),
                             "logit attribution");
    return target;
}

/// The target's logit before the cap, of which the parts are summands: atanh undoes the cap.
double uncapped(const ModelConfig& config, const float* logits, const LogitTarget& target)
{
    const double cap = config.logitCap;
    const auto of = [&](TokenId token) {
        const double logit = double{logits[token]};
        return cap > 0.0 ? cap * std::atanh(logit / cap) : logit;
    };
    return of(target.token) - (target.other ? of(*target.other) : 0.0);
}

std::vector<double> widened(const std::vector<float>& row)
{
    return {row.begin(), row.end()};
}

} // namespace

LogitWalk::LogitWalk(const Trace& trace, const Model& model, const LogitTarget& target)
    : m_model(model)
    , m_config(model.config())
    , m_target(checked(model, trace, target))
    , m_recorded(trace, model, m_target.position)
{
}

LogitAttribution LogitWalk::all()
{
    fromLogits();
    for (int layer = m_recorded.layers() - 1; layer >= 0; --layer)
        throughBlock(layer);
    throughEmbeddings();
    LogitAttribution result;
    result.target = m_target;
    result.layers = m_recorded.layers();
    result.heads = static_cast<int>(m_config.heads);
    result.parts.assign(m_parts.rbegin(), m_parts.rend());
    result.logit = uncapped(m_config, m_recorded.row({Site::Logits, 0}), m_target);
    return result;
}

std::string LogitWalk::prefix(int layer) const
{
    return fmt::format("{}.{}", stack() == Stack::Decoder ? "dec" : "h", layer);
}

void LogitWalk::add(LogitPartKind kind, int layer, double value, bool cross)
{
    LogitPart part;
    part.kind = kind;
    part.layer = layer;
    part.cross = cross;
    part.value = value;
    m_parts.push_back(part);
}

/// Adds the difference of a replaced row from the computed one, unless that is rounding.
void LogitWalk::addReplaced(int layer, const std::vector<float>& is,
                            const std::vector<double>& computed)
{
    double largest = 0.0;
    double difference = 0.0;
    double value = 0.0;
    for (std::size_t channel = 0; channel < is.size(); ++channel) {
        const double extra = double{is[channel]} - computed[channel];
        largest = std::max(largest, std::abs(double{is[channel]}));
        difference = std::max(difference, std::abs(extra));
        value += m_direction[channel] * extra;
    }
    if (difference > kReplaced * std::max(largest, 1e-3))
        add(LogitPartKind::Replaced, layer, value);
}

/// Goes back through a norm of x whose recorded output is `is`.
void LogitWalk::throughNorm(const std::string& name, LogitNorm which, int layer,
                            const std::vector<float>& x, const std::vector<float>& is)
{
    const FrozenNorm frozen = frozenNorm(m_config, x);
    addReplaced(layer, is, normedRow(m_model, name, frozen, x));
    addNormBias(which, layer, pullThroughNorm(m_model, name, frozen, m_direction));
}

void LogitWalk::addNormBias(LogitNorm norm, int layer, double value)
{
    if (!m_config.hasNormBias())
        return;
    add(LogitPartKind::NormBias, layer, value);
    m_parts.back().norm = norm;
}

/// Value at the target token, minus that at the other one.
double LogitWalk::ofTarget(const float* values) const
{
    return double{values[m_target.token]} -
           (m_target.other ? double{values[*m_target.other]} : 0.0);
}

/// Starts with headScale (W_U[t] - W_U[u]), then goes back through the final norm.
void LogitWalk::fromLogits()
{
    const std::string table = m_config.tieEmbeddings ? "tok_emb.weight" : "head.weight";
    const std::vector<float> row = parameterRow(m_model, table, m_target.token);
    m_direction.assign(row.begin(), row.end());
    if (m_target.other) {
        const std::vector<float> other = parameterRow(m_model, table, *m_target.other);
        for (std::size_t channel = 0; channel < other.size(); ++channel)
            m_direction[channel] -= double{other[channel]};
    }
    for (double& value : m_direction)
        value *= m_config.headScale;
    if (const TensorView bias = parameterOrNothing(m_model, "head.bias"))
        add(LogitPartKind::HeadBias, -1, ofTarget(bias.data));
    if (m_config.hasFinalNorm())
        throughFinalNorm();
}

void LogitWalk::throughFinalNorm()
{
    const std::vector<float> last = m_recorded.last();
    const TraceKey key{Site::LnFinal, 0};
    if (m_recorded.has(key)) {
        const float* const normed = m_recorded.row(key);
        throughNorm("ln_f", LogitNorm::Final, -1, last, {normed, normed + last.size()});
        return;
    }
    const FrozenNorm frozen = frozenNorm(m_config, last);
    addNormBias(LogitNorm::Final, -1, pullThroughNorm(m_model, "ln_f", frozen, m_direction));
}

void LogitWalk::throughBlock(int layer)
{
    beforeBlockEnd(layer);
    throughMlp(layer);
    for (const bool cross : {true, false}) {
        if (cross && !hasCross())
            continue;
        beforeAttention(layer, cross);
        throughAttention(layer, cross);
    }
}

/// Accounts for a patch between this block's last sum and the next block, if any.
void LogitWalk::beforeBlockEnd(int layer)
{
    if (layer + 1 < m_recorded.layers())
        addReplaced(layer, m_recorded.at(Site::ResidPre, layer + 1),
                    widened(m_recorded.at(Site::ResidPost, layer)));
}

void LogitWalk::throughMlp(int layer)
{
    if (m_config.dFf == 0) {
        addReplaced(layer, m_recorded.at(Site::ResidPost, layer),
                    widened(m_recorded.beforeMlp(layer)));
        return;
    }
    const float* const added = m_recorded.row(Site::MlpOut, layer);
    closeSublayer(layer, sublayerSum(m_recorded.beforeMlp(layer), added),
                  m_recorded.at(Site::ResidPost, layer), ".ln2", LogitNorm::Second);
    add(LogitPartKind::Mlp, layer, along(m_direction, added));
    leaveSublayer();
}

/// What the stream is after a sublayer and before a norm: without residual connections what was
/// added.
std::vector<float> LogitWalk::sublayerSum(std::vector<float> before, const float* added) const
{
    if (!m_config.hasResidual())
        std::ranges::fill(before, 0.0F);
    return plus(std::move(before), added);
}

/// Without residual connections nothing before a sublayer reaches the logits past it.
void LogitWalk::leaveSublayer()
{
    if (!m_config.hasResidual())
        std::ranges::fill(m_direction, 0.0);
}

void LogitWalk::closeSublayer(int layer, const std::vector<float>& sum,
                              const std::vector<float>& is, const char* norm, LogitNorm which)
{
    if (isPost())
        throughNorm(prefix(layer) + norm, which, layer, sum, is);
    else
        addReplaced(layer, is, widened(sum));
}

void LogitWalk::beforeAttention(int layer, bool cross)
{
    const std::vector<float> before = m_recorded.at(cross ? Site::ResidMid : Site::ResidPre, layer);
    const float* const added = m_recorded.row(cross ? Site::CrossOut : Site::AttnOut, layer);
    closeSublayer(layer, sublayerSum(before, added),
                  m_recorded.at(cross ? Site::ResidMidCross : Site::ResidMid, layer),
                  cross ? ".ln_cross" : ".ln1", cross ? LogitNorm::Cross : LogitNorm::First);
}

void LogitWalk::throughEmbeddings()
{
    const std::vector<float> sum = m_recorded.embedded();
    const std::vector<float> first =
        m_recorded.layers() > 0 ? m_recorded.at(Site::ResidPre, 0) : sum;
    if (m_config.embeddingNorm)
        throughNorm(inStack(m_config, "ln_emb"), LogitNorm::Embedding, -1, sum, first);
    else
        addReplaced(-1, first, widened(sum));
    const std::vector<float> segment = m_recorded.segmentEmbedding();
    if (!segment.empty())
        add(LogitPartKind::SegmentEmbedding, -1, along(m_direction, segment.data()));
    if (const TraceKey positions{Site::PosEmbed, 0}; m_recorded.has(positions))
        add(LogitPartKind::PositionEmbedding, -1, along(m_direction, m_recorded.row(positions)));
    add(LogitPartKind::TokenEmbedding, -1, along(m_direction, m_recorded.row({Site::Embed, 0})));
}

Direction LogitWalk::towardsHeads(int wanted, bool cross)
{
    fromLogits();
    for (int layer = m_recorded.layers() - 1; layer > wanted; --layer)
        throughBlock(layer);
    beforeBlockEnd(wanted);
    throughMlp(wanted);
    if (hasCross()) {
        beforeAttention(wanted, true);
        if (!cross)
            throughAttention(wanted, true);
    }
    if (!cross)
        beforeAttention(wanted, false);
    throughOutput(wanted, cross);
    return pulledBack(wanted, cross);
}

double LogitWalk::headValue(const Direction& pulled, const float* z, std::int64_t head) const
{
    const auto channels = static_cast<std::int64_t>(pulled.size()) / m_config.heads;
    double sum = 0.0;
    for (std::int64_t channel = head * channels; channel < (head + 1) * channels; ++channel)
        sum += pulled[static_cast<std::size_t>(channel)] * double{z[channel]};
    return sum;
}

/// Sets the factors of the attention output before what is done to it on its way to the residual
/// stream: a norm, whose statistics are frozen, and a factor. Returns the effect of the norm's beta.
double LogitWalk::throughOutput(int layer, bool cross)
{
    m_added = m_direction;
    for (double& value : m_added)
        value *= m_config.residualScale;
    if (!m_config.normsOutput())
        return 0.0;
    return pullThroughNorm(m_model, attentionOutputNorm(m_config, prefix(layer)),
                           frozenNorm(m_config, projectedHeads(layer, cross)), m_added);
}

/// Output of W_O and its bias for the recorded z.
std::vector<float> LogitWalk::projectedHeads(int layer, bool cross) const
{
    const float* const z = m_recorded.row(cross ? Site::CrossZ : Site::Z, layer);
    const TensorView weight =
        m_model.parameters().view(prefix(layer) + (cross ? ".cross.o" : ".attn.o") + ".weight");
    const TensorView bias = outputBias(m_model, {stack(), layer, cross});
    std::vector<float> output(static_cast<std::size_t>(weight.shape[0]));
    linear({z, {1, weight.shape[1]}}, weight, bias, {output.data(), {1, weight.shape[0]}});
    return output;
}

/// Product direction (W_O)^T.
Direction LogitWalk::pulledBack(int layer, bool cross) const
{
    const TensorView weight = // [d, heads * channels]
        m_model.parameters().view(prefix(layer) + (cross ? ".cross.o" : ".attn.o") + ".weight");
    Direction pulled(static_cast<std::size_t>(weight.shape[1]));
    for (std::int64_t channel = 0; channel < weight.shape[0]; ++channel) {
        const double factor = m_added[static_cast<std::size_t>(channel)];
        const float* const from = weight[channel].data;
        for (std::size_t column = 0; column < pulled.size(); ++column)
            pulled[column] += factor * double{from[column]};
    }
    return pulled;
}

/// Only searched where the parts do not sum to the recorded output.
void LogitWalk::addReplacedOutput(int layer, bool cross, double parts)
{
    const float* const is = m_recorded.row(cross ? Site::CrossOut : Site::AttnOut, layer);
    const double whole = along(m_direction, is);
    double size = 0.0;
    for (std::int64_t channel = 0; channel < m_recorded.width(); ++channel)
        size += std::abs(m_direction[static_cast<std::size_t>(channel)] * double{is[channel]});
    if (std::abs(whole - parts) > kReplaced * std::max(size, std::abs(parts)))
        add(LogitPartKind::Replaced, layer, whole - parts);
}

void LogitWalk::throughAttention(int layer, bool cross)
{
    const double normBias = throughOutput(layer, cross);
    const Direction pulled = pulledBack(layer, cross);
    const float* const z = m_recorded.row(cross ? Site::CrossZ : Site::Z, layer);
    const SublayerIndex place{stack(), layer, cross};
    const TensorView bias = outputBias(m_model, place);
    const double biasValue = normBias + (bias ? along(m_added, bias.data) : 0.0);
    std::vector<double> values;
    for (std::int64_t head = 0; head < m_config.heads; ++head)
        values.push_back(headValue(pulled, z, head));
    addReplacedOutput(layer, cross, std::accumulate(values.begin(), values.end(), biasValue));
    if (bias || normBias != 0.0)
        add(LogitPartKind::AttentionBias, layer, biasValue, cross);
    for (std::size_t head = values.size(); head-- > 0;) {
        add(LogitPartKind::Head, layer, values[head], cross);
        m_parts.back().head = static_cast<int>(head);
    }
    leaveSublayer();
}

} // namespace headscope
