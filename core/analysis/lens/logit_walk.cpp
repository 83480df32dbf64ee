#include "core/analysis/lens/logit_walk.h"

#include "core/base/error.h"
#include "core/model/pass/site_shape.h"
#include "core/text/text_pair.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace headscope {

namespace {

/// Differences from what the model computes that are more than rounding, of the largest channel.
constexpr double kReplaced = 1e-4;

std::string inStack(const ModelConfig& config, const std::string& name)
{
    return (mainStack(config) == Stack::Decoder ? "dec." : "") + name;
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

std::vector<float> plus(std::vector<float> stream, const float* added)
{
    for (std::size_t channel = 0; channel < stream.size(); ++channel)
        stream[channel] += added[channel];
    return stream;
}

std::vector<double> widened(const std::vector<float>& row)
{
    return {row.begin(), row.end()};
}

} // namespace

LogitWalk::LogitWalk(const Trace& trace, const Model& model, const LogitTarget& target)
    : m_trace(trace)
    , m_model(model)
    , m_config(model.config())
    , m_stack(mainStack(model.config()))
    , m_target(checked(model, trace, target))
    , m_layers(static_cast<int>(layerCount(m_config, m_stack)))
{
}

LogitAttribution LogitWalk::all()
{
    fromLogits();
    for (int layer = m_layers - 1; layer >= 0; --layer)
        throughBlock(layer);
    throughEmbeddings();
    LogitAttribution result;
    result.target = m_target;
    result.layers = m_layers;
    result.heads = static_cast<int>(m_config.heads);
    result.parts.assign(m_parts.rbegin(), m_parts.rend());
    result.logit = recordedLogit();
    return result;
}

const float* LogitWalk::row(TraceKey key) const
{
    const auto found = find(key);
    if (!found)
        throw Error(fmt::format("the trace holds no {}", toString(key)), "logit attribution",
                    "Trace the heads' outputs and all that is added to the stream");
    return found->view()[m_target.position].data;
}

std::string LogitWalk::prefix(int layer) const
{
    return fmt::format("{}.{}", m_stack == Stack::Decoder ? "dec" : "h", layer);
}

std::vector<float> LogitWalk::stream(Site site, int layer) const
{
    const float* const first = row(at(site, layer));
    return {first, first + width()};
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

/// What stands in the place of what was computed, unless that is rounding.
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

/// Back through a norm on x whose recorded output `is`.
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

double LogitWalk::recordedLogit() const
{
    const float* const logits = row({Site::Logits, 0});
    return double{logits[m_target.token]} -
           (m_target.other ? double{logits[*m_target.other]} : 0.0);
}

std::vector<float> LogitWalk::lastStream() const
{
    return m_layers > 0 ? stream(Site::ResidPost, m_layers - 1) : embedded();
}

double LogitWalk::headBias() const
{
    const TensorView bias = parameterOrNothing(m_model, "head.bias");
    if (!bias)
        return 0.0;
    return double{bias(m_target.token)} - (m_target.other ? double{bias(*m_target.other)} : 0.0);
}

/// headScale (W_U[t] - W_U[u]), then back through the final norm.
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
    if (parameterOrNothing(m_model, "head.bias"))
        add(LogitPartKind::HeadBias, -1, headBias());
    if (m_config.hasFinalNorm())
        throughFinalNorm();
}

void LogitWalk::throughFinalNorm()
{
    const std::vector<float> last = lastStream();
    const TraceKey key{Site::LnFinal, 0};
    if (find(key)) {
        throughNorm("ln_f", LogitNorm::Final, -1, last, {row(key), row(key) + width()});
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

/// What lies between this block's last sum and the next block: nothing, unless a patch does.
void LogitWalk::beforeBlockEnd(int layer)
{
    if (layer + 1 < m_layers)
        addReplaced(layer, stream(Site::ResidPre, layer + 1),
                    widened(stream(Site::ResidPost, layer)));
}

std::vector<float> LogitWalk::beforeMlp(int layer) const
{
    return stream(hasCross() ? Site::ResidMidCross : Site::ResidMid, layer);
}

void LogitWalk::throughMlp(int layer)
{
    if (m_config.dFf == 0) {
        addReplaced(layer, stream(Site::ResidPost, layer), widened(beforeMlp(layer)));
        return;
    }
    const float* const added = row(at(Site::MlpOut, layer));
    closeSublayer(layer, plus(beforeMlp(layer), added), stream(Site::ResidPost, layer), ".ln2",
                  LogitNorm::Second);
    add(LogitPartKind::Mlp, layer, along(m_direction, added));
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
    const std::vector<float> before = stream(cross ? Site::ResidMid : Site::ResidPre, layer);
    const float* const added = row(at(cross ? Site::CrossOut : Site::AttnOut, layer));
    closeSublayer(layer, plus(before, added),
                  stream(cross ? Site::ResidMidCross : Site::ResidMid, layer),
                  cross ? ".ln_cross" : ".ln1", cross ? LogitNorm::Cross : LogitNorm::First);
}

std::vector<float> LogitWalk::segmentRow() const
{
    if (m_config.tokenTypes == 0)
        return {};
    const std::vector<std::int32_t> segments =
        m_config.tokenTypes > 1 ? segmentsOf(m_trace.tokens()) : std::vector<std::int32_t>();
    const auto place = static_cast<std::size_t>(m_target.position);
    return parameterRow(m_model, "type_emb.weight", place < segments.size() ? segments[place] : 0);
}

/// Token, position and segment, before any norm.
std::vector<float> LogitWalk::embedded() const
{
    const float* const token = row({Site::Embed, 0});
    std::vector<float> sum(token, token + width());
    if (const auto positions = find({Site::PosEmbed, 0}))
        sum = plus(std::move(sum), positions->view()[m_target.position].data);
    const std::vector<float> segment = segmentRow();
    return segment.empty() ? sum : plus(std::move(sum), segment.data());
}

void LogitWalk::throughEmbeddings()
{
    const std::vector<float> sum = embedded();
    const std::vector<float> first = m_layers > 0 ? stream(Site::ResidPre, 0) : sum;
    if (m_config.embeddingNorm)
        throughNorm(inStack(m_config, "ln_emb"), LogitNorm::Embedding, -1, sum, first);
    else
        addReplaced(-1, first, widened(sum));
    const std::vector<float> segment = segmentRow();
    if (!segment.empty())
        add(LogitPartKind::SegmentEmbedding, -1, along(m_direction, segment.data()));
    if (const auto positions = find({Site::PosEmbed, 0}))
        add(LogitPartKind::PositionEmbedding, -1,
            along(m_direction, positions->view()[m_target.position].data));
    add(LogitPartKind::TokenEmbedding, -1, along(m_direction, row({Site::Embed, 0})));
}

} // namespace headscope
