#include "core/analysis/causal/base_pass.h"

#include "core/analysis/lens/frozen_norm.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/model/positions/layer_ropes.h"
#include "core/model/weights/model_norm.h"
#include "core/ops/kernels.h"
#include "core/ops/linear.h"
#include "core/trace/trace_recorder.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <thread>

namespace headscope {

namespace {

constexpr Site kOutputs[] = {Site::ResidPre,      Site::Z,      Site::AttnOut,
                             Site::ResidMid,      Site::CrossZ, Site::CrossOut,
                             Site::ResidMidCross, Site::MlpOut, Site::ResidPost};
constexpr Site kAttention[] = {Site::Query, Site::Key, Site::Value, Site::Pattern};

std::vector<TraceKey> keptKeys(const ModelConfig& config, Kept kept)
{
    std::vector<TraceKey> keys;
    for (int layer = 0; layer < static_cast<int>(layerCount(config, config.mainStack())); ++layer) {
        for (const Site site : kOutputs)
            keys.push_back({site, layer, config.mainStack()});
        if (kept == Kept::Attention)
            for (const Site site : kAttention)
                keys.push_back({site, layer, config.mainStack()});
    }
    std::sort(keys.begin(), keys.end());
    return keys;
}

void addTo(Tensor& sum, const Tensor& part)
{
    kernels().add(part.data(), sum.data(), static_cast<std::int64_t>(sum.size()));
}

void normalise(const Model& model, const std::string& name, Tensor& x)
{
    applyNorm(model.config(), model.parameters(), name, x.view(), x.view());
}

/// Columns [d, d_v] of one head.
Tensor headColumns(TensorView weight, std::int64_t head, std::int64_t width)
{
    Tensor columns({weight.shape[0], width});
    for (std::int64_t row = 0; row < weight.shape[0]; ++row)
        std::copy_n(weight[row].data + head * width, width, columns.view()[row].data);
    return columns;
}

} // namespace

std::unique_ptr<AttentionBackend> makeBackend(const BackendFactory& backends)
{
    return backends ? backends() : std::make_unique<CpuAttention>();
}

BasePass::BasePass(std::shared_ptr<const ResumedForward> resumed, const CausalText& text,
                   const GradientTarget& metric, const BackendFactory& backends, Kept kept,
                   std::stop_token stop, const Tensor* embedded)
    : m_resumed(std::move(resumed))
    , m_target(metric)
    , m_ids(text.ids)
    , m_segments(text.segments)
    , m_source(text.source)
{
    checkMetric(config(), m_ids, metric);
    if (laterTokensCannotMatter()) {
        const auto count = static_cast<std::size_t>(*metricRow(metric, tokens()) + 1);
        m_ids.resize(count);
        m_segments.resize(std::min(m_segments.size(), count));
    }
    const auto backend = makeBackend(backends);
    run(*backend, kept, std::move(stop), embedded);
    m_metric = metricOf(m_target, m_ids, m_logits.view());
}

bool BasePass::laterTokensCannotMatter() const
{
    return metricRow(m_target, tokens()) && config().hasDecoder() && config().causal &&
           turningLength(config(), tokens()) == 0;
}

bool BasePass::readsLastRowAlone() const
{
    const auto row = metricRow(m_target, tokens());
    return row && *row == tokens() - 1;
}

ResumedText BasePass::text() const
{
    return {m_ids, m_segments, m_memory.empty() ? TensorView() : m_memory.view()};
}

void BasePass::run(AttentionBackend& backend, Kept kept, std::stop_token stop,
                   const Tensor* embedded)
{
    TraceRecorder recorder(keptKeys(config(), kept), tokens(), nullptr);
    ForwardOptions options;
    options.observer = &recorder;
    options.segments = m_segments;
    options.lastLogitsOnly = readsLastRowAlone();
    options.stop = stop;
    KvCache cache(config());
    if (config().isEncoderDecoder()) {
        ForwardOptions plain;
        plain.stop = stop;
        model().encode(m_source, backend, cache, plain);
        m_memory = Tensor(cache.memory().shape);
        std::copy_n(cache.memory().data, m_memory.size(), m_memory.data());
    }
    if (embedded != nullptr) {
        Resumption begin{{Site::ResidPre, 0, stack()}, Tensor({tokens(), config().dModel})};
        std::copy_n(embedded->data(), begin.stream.size(), begin.stream.data());
        m_logits = logitsAfter(begin, backend, std::move(stop), {}, &recorder);
    } else {
        m_logits = model().forward(m_ids, backend, cache, options);
    }
    m_activations = recorder.take();
}

double BasePass::plainSeconds(AttentionBackend& backend, std::stop_token stop) const
{
    ForwardOptions options;
    options.segments = m_segments;
    options.lastLogitsOnly = readsLastRowAlone();
    options.stop = stop;
    const Stopwatch watch;
    KvCache cache(config());
    if (config().isEncoderDecoder())
        model().encode(m_source, backend, cache, {nullptr, nullptr, std::move(stop), {}, false});
    model().forward(m_ids, backend, cache, options);
    return watch.seconds();
}

std::shared_ptr<const Tensor> BasePass::find(Site site, int layer) const
{
    const auto found = m_activations.find({site, layer, stack()});
    return found == m_activations.end() ? nullptr : found->second;
}

const Tensor& BasePass::at(Site site, int layer) const
{
    const auto found = find(site, layer);
    if (!found)
        throw ShapeError(
            fmt::format("the forward pass retained no {}", toString({site, layer, stack()})),
            "BasePass");
    return *found;
}

Tensor BasePass::logitsAfter(const Resumption& from, AttentionBackend& backend,
                             std::stop_token stop, const Interventions& interventions,
                             ActivationObserver* observer) const
{
    ForwardOptions options;
    options.stop = std::move(stop);
    options.interventions = &interventions;
    options.observer = observer;
    options.lastLogitsOnly = readsLastRowAlone();
    return m_resumed->forward(text(), from.from, from.stream.view(), backend, options);
}

double BasePass::after(const Resumption& from, AttentionBackend& backend, std::stop_token stop,
                       const Interventions& interventions) const
{
    const Tensor logits = logitsAfter(from, backend, std::move(stop), interventions);
    return metricOf(m_target, m_ids, logits.view());
}

std::string BasePass::blockName(int layer) const
{
    return fmt::format("{}.{}", stack() == Stack::Decoder ? "dec" : "h", layer);
}

/// y = x + sublayer (the sublayer alone without residual connections), after its norm in blocks that
/// normalise there. A parallel MLP has been
/// computed from the same x and is added unchanged.
Resumption BasePass::withSublayer(Site site, int layer, const Tensor& output) const
{
    const bool attends = site == Site::AttnOut;
    const bool crosses = site == Site::CrossOut;
    const Site beforeMlp = find(Site::ResidMidCross, layer) ? Site::ResidMidCross : Site::ResidMid;
    const Site before = attends ? Site::ResidPre : (crosses ? Site::ResidMid : beforeMlp);
    const Site after = attends ? Site::ResidMid : (crosses ? Site::ResidMidCross : Site::ResidPost);
    Resumption result{{after, layer, stack()}, output};
    if (config().hasResidual())
        addTo(result.stream, at(before, layer));
    if (attends && config().isParallel()) {
        result.from.site = Site::ResidPost;
        addTo(result.stream, at(Site::MlpOut, layer));
    }
    if (config().normPosition == NormPosition::Post)
        normalise(model(), blockName(layer) + (attends ? ".ln1" : (crosses ? ".ln_cross" : ".ln2")),
                  result.stream);
    return result;
}

Tensor BasePass::headZ(int layer, int head, bool cross) const
{
    const TensorView z = at(cross ? Site::CrossZ : Site::Z, layer).view();
    Tensor rows({z.shape[0], z.shape[2]});
    for (std::int64_t row = 0; row < z.shape[0]; ++row)
        std::copy_n(&z(row, head, 0), z.shape[2], rows.view()[row].data);
    return rows;
}

/// What the attention sublayer adds with another z of one head, where a norm or a factor follows
/// its projection.
Tensor BasePass::addedWithHead(int layer, int head, const Tensor& z) const
{
    const TensorView all = at(Site::Z, layer).view();
    Tensor changed({tokens(), all.shape[1] * all.shape[2]});
    std::copy_n(all.data, changed.size(), changed.data());
    for (std::int64_t row = 0; row < tokens(); ++row)
        std::copy_n(z.view()[row].data, all.shape[2],
                    changed.view()[row].data + head * all.shape[2]);
    const std::string block = blockName(layer);
    const TensorView bias = parameterOrNothing(model(), block + ".attn.o.bias");
    Tensor added({tokens(), config().dModel});
    linear(changed.view(), model().parameters().view(block + ".attn.o.weight"), bias, added.view());
    if (config().normsOutput())
        normalise(model(), attentionOutputNorm(config(), block), added);
    const auto scale = static_cast<float>(config().residualScale);
    std::transform(added.data(), added.data() + added.size(), added.data(),
                   [scale](float value) { return scale * value; });
    return added;
}

Resumption BasePass::withHead(int layer, int head, const Tensor& z, bool cross) const
{
    if (config().normsOutput() || config().residualScale != 1.0)
        return withSublayer(Site::AttnOut, layer, addedWithHead(layer, head, z));
    const Site site = cross ? Site::CrossOut : Site::AttnOut;
    const std::int64_t width = z.shape()[1];
    Tensor difference = headZ(layer, head, cross);
    for (std::size_t i = 0; i < difference.size(); ++i)
        difference.data()[i] = z.data()[i] - difference.data()[i];
    const std::string name = blockName(layer) + (cross ? ".cross.o.weight" : ".attn.o.weight");
    const Tensor weight = headColumns(model().parameters().view(name), head, width);
    Tensor change({tokens(), config().dModel});
    linear(difference.view(), weight.view(), {}, change.view());
    addTo(change, at(site, layer));
    return withSublayer(site, layer, change);
}

void forEachPass(std::size_t count, const BackendFactory& backends, Progress& progress,
                 const std::function<void(std::size_t index, AttentionBackend& backend)>& body)
{
    const std::size_t parts = std::max<std::size_t>(1, std::min(count, workerCount()));
    const auto caller = std::this_thread::get_id();
    std::atomic<std::uint64_t> done = 0;
    progress.expect(count);
    parallelFor(parts, parts, [&](std::size_t begin, std::size_t end, std::size_t) {
        const auto backend = makeBackend(backends);
        for (std::size_t part = begin; part < end; ++part)
            for (std::size_t index = part; index < count; index += parts) {
                progress.requireGoingOn();
                body(index, *backend);
                ++done;
                if (std::this_thread::get_id() == caller)
                    progress.add(done.exchange(0));
            }
    });
    progress.add(done.exchange(0));
}

} // namespace headscope
