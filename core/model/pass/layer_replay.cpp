#include "core/model/pass/layer_replay.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/model/layers/embedding_layer.h"
#include "core/model/pass/model_pass.h"
#include "core/model/pass/model_program.h"
#include "core/model/pass/pass_interventions.h"
#include "core/model/positions/layer_ropes.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

/// Rows computed at a time, which bounds the memory of a pass over a whole layer.
constexpr std::int64_t kRowsAtATime = 512;

/// Copies the rows [first, first + count) of one activation, then has seen enough.
class RowCopy : public ActivationObserver
{
public:
    RowCopy(TraceKey key, std::int64_t first, std::int64_t count, float* destination)
        : m_key(key)
        , m_first(first)
        , m_count(count)
        , m_destination(destination)
    {
    }

    bool isDone() const { return m_isDone; }

    bool wants(TraceKey key) const override { return key == m_key; }

    void record(TraceKey, TensorView activation, std::int64_t firstRow) override
    {
        float* destination = m_destination;
        for (std::int64_t row = m_first; row < m_first + m_count; ++row)
            destination = copyPacked(activation[row - firstRow], destination);
        m_isDone = true;
    }

private:
    TraceKey m_key;
    std::int64_t m_first;
    std::int64_t m_count;
    float* m_destination;
    bool m_isDone = false;
};

bool isBetweenLayers(Site site)
{
    return site == Site::ResidPre || site == Site::ResidPost;
}

/// Copies rows of [heads, n, channels] to [rows, heads, channels].
void copyRows(TensorView heads, std::int64_t first, Tensor& destination)
{
    const MutableTensorView rows = destination.view();
    for (std::int64_t row = 0; row < rows.shape[0]; ++row)
        for (std::int64_t head = 0; head < rows.shape[1]; ++head)
            std::copy_n(&heads(head, first + row, 0), rows.shape[2], &rows(row, head, 0));
}

} // namespace

struct LayerReplay::Stretch
{
    TraceKey from;         ///< Retained stream.
    std::size_t begin = 0; ///< Layer of the program after that stream.
    std::size_t end = 0;
};

/// Tokens that a replay computes, and those of them that are wanted.
struct LayerReplay::Span
{
    std::int64_t firstComputed = 0;
    std::int64_t computed = 0;
    std::int64_t first = 0;
    std::int64_t count = 0;
    const RetainedAttention* attention = nullptr; ///< Null: all tokens are computed.
};

std::vector<TraceKey> LayerReplay::streams(const ModelConfig& config)
{
    std::vector<TraceKey> keys;
    for (int layer = 0; layer < config.layers; ++layer)
        keys.push_back({Site::ResidPre, layer, Stack::Blocks});
    keys.push_back({Site::ResidPost, static_cast<int>(config.layers) - 1, Stack::Blocks});
    return keys;
}

bool LayerReplay::canCompute(const ModelConfig& config, TraceKey key)
{
    if (config.isEncoderDecoder() || config.layers == 0 || hasQueryRowsPerHead(key.site))
        return false;
    return isPerLayer(key.site) || key.site == Site::LnFinal || key.site == Site::Logits;
}

LayerReplay::LayerReplay(RetainedPass pass, std::span<const TraceKey> omitted)
    : m_pass(std::move(pass))
{
    const auto& layers = m_pass.model->program().main.layers();
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        if (const auto* note = dynamic_cast<const NoteLayer*>(layers[layer].get()))
            if (isBetweenLayers(note->key().site))
                m_places.emplace(note->key(), layer);
    for (const TraceKey key : streams(m_pass.model->config()))
        if (!m_pass.streams.contains(key))
            throw ShapeError(fmt::format("{} was not retained", toString(key)), "LayerReplay");
    m_extents.tokens = m_pass.tokens;
    if (const auto& positions = m_pass.interventions.positions)
        m_extents.replaced = positions->kind;
    std::ranges::copy_if(omitted, std::back_inserter(m_keys), [&](TraceKey key) {
        return siteShape(m_pass.model->config(), key, m_extents).has_value();
    });
}

std::optional<Shape> LayerReplay::shapeOf(TraceKey key) const
{
    if (!std::ranges::binary_search(m_keys, key))
        return std::nullopt;
    return siteShape(m_pass.model->config(), key, m_extents);
}

/// The stream after a layer is the one before the next, unless an intervention changes the latter.
const Tensor* LayerReplay::sameStream(TraceKey key) const
{
    const TraceKey next{Site::ResidPre, key.layer + 1, key.stack};
    const auto found = m_pass.streams.find(next);
    const bool same = key.site == Site::ResidPost && found != m_pass.streams.end() &&
                      !isChanged(m_pass.interventions, next);
    return same ? found->second.get() : nullptr;
}

LayerReplay::Stretch LayerReplay::stretchOf(TraceKey key) const
{
    const auto last = static_cast<int>(m_pass.model->config().layers) - 1;
    const TraceKey end{Site::ResidPost, last, Stack::Blocks};
    Stretch stretch;
    stretch.from = isPerLayer(key.site) ? TraceKey{Site::ResidPre, key.layer, key.stack} : end;
    stretch.begin = m_places.at(stretch.from) + 1;
    stretch.end = isPerLayer(key.site) ? m_places.at({Site::ResidPost, key.layer, key.stack}) + 1
                                       : m_pass.model->program().main.layers().size();
    return stretch;
}

/// Null where a layer's operands are not those that it projects: keys made from latents.
const RetainedAttention* LayerReplay::retainedIn(int layer) const
{
    const auto found = m_pass.attention.find({Site::Pattern, layer, Stack::Blocks});
    const bool isKnown = found != m_pass.attention.end() && found->second->values() &&
                         !m_pass.model->config().isLatent();
    return isKnown ? found->second.get() : nullptr;
}

/// Null where other tokens have to be computed too.
const RetainedAttention* LayerReplay::attentionOf(const Stretch& stretch) const
{
    const RetainedAttention* const retained = retainedIn(stretch.from.layer);
    const bool turns =
        !m_pass.interventions.positions && turningLength(m_pass.model->config(), m_pass.tokens) > 0;
    return retained != nullptr && retained->canBeCut() && !turns ? retained : nullptr;
}

/// Retained operands [heads, n, channels], where these are the activation.
TensorView LayerReplay::operandsOf(TraceKey key) const
{
    const RetainedAttention* const retained =
        isPerLayer(key.site) ? retainedIn(key.layer) : nullptr;
    if (retained == nullptr)
        return {};
    switch (key.site) {
    case Site::RotatedQuery:
        return retained->queries();
    case Site::RotatedKey:
        return retained->keys();
    case Site::Value:
        return retained->values();
    default:
        return {};
    }
}

Tensor LayerReplay::rows(TraceKey key, std::int64_t first, std::int64_t count) const
{
    const auto whole = shapeOf(key);
    if (!whole || first < 0 || count < 0 || first + count > m_pass.tokens)
        throw ShapeError(fmt::format("rows {} to {} of {}", first, first + count, toString(key)),
                         "LayerReplay::rows");
    Tensor result(whole->withRows(count));
    if (count == 0)
        return result;
    const std::int64_t width = std::ssize(result) / count;
    if (const Tensor* const stream = sameStream(key)) {
        std::copy_n(stream->data() + first * width, result.size(), result.data());
        return result;
    }
    if (const TensorView heads = operandsOf(key)) {
        copyRows(heads, first, result);
        return result;
    }
    const Stretch stretch = stretchOf(key);
    const RetainedAttention* const attention = attentionOf(stretch);
    if (isPerLayer(key.site) && attention == nullptr) {
        replay(key, stretch, {0, m_pass.tokens, first, count}, result.data());
        return result;
    }
    for (std::int64_t done = 0; done < count; done += kRowsAtATime) {
        const std::int64_t next = std::min(kRowsAtATime, count - done);
        replay(key, stretch, {first + done, next, first + done, next, attention},
               result.data() + done * width);
    }
    return result;
}

void LayerReplay::replay(TraceKey key, const Stretch& stretch, const Span& span,
                         float* destination) const
{
    const ModelConfig& config = m_pass.model->config();
    const Program& program = m_pass.model->program().main;
    Workspace workspace; // its own: the thread's would keep this memory
    CpuAttention backend;
    RowCopy copy(key, span.first, span.count, destination);
    ForwardOptions options;
    options.observer = &copy;
    options.interventions = &m_pass.interventions;
    ModelPass pass(config, program, workspace, backend);
    m_pass.model->prepare(pass, options);
    pass.causal = config.hasDecoder() && config.causal;
    pass.attended = span.attention;
    pass.texts.queryTokens = span.computed;
    pass.texts.firstPosition = span.firstComputed;
    pass.wantsLogits = true;
    pass.prepare();
    prepareBiases(pass);
    const auto* note = dynamic_cast<const NoteLayer*>(program.layers()[stretch.begin - 1].get());
    const MutableTensorView stream = pass.value(note->value());
    std::copy_n(m_pass.streams.at(stretch.from)->view()[span.firstComputed].data,
                stream.shape.elementCount(), stream.data);
    for (std::size_t layer = stretch.begin; layer < stretch.end && !copy.isDone(); ++layer)
        pass.forwardOne(layer);
    if (!copy.isDone())
        throw Error(fmt::format("no layer computes {}", toString(key)), "LayerReplay");
}

} // namespace headscope
