#include "core/analysis/causal/ablation_sweep.h"

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/base/stopwatch.h"
#include "core/trace/trace_recorder.h"

#include <algorithm>

namespace headscope {

namespace {

/// The z of some texts, from which means and samples are taken: by layer, self and cross.
class References
{
public:
    References(const BasePass& base, const AblationRequest& request, const BackendFactory& backends,
               std::stop_token stop)
    {
        if (request.replacement == Replacement::Zero)
            return;
        for (const CausalText& text : request.references)
            m_texts.push_back(record(base, text, backends, stop));
        const bool wasCut = base.tokens() < static_cast<std::int64_t>(request.text.ids.size());
        if (m_texts.empty() && request.replacement == Replacement::Mean && wasCut)
            m_texts.push_back(record(base, request.text, backends, stop));
    }

    /// Replacement [n, d_v] for the z of a head.
    Tensor replacement(const BasePass& base, const HeadId& head,
                       const AblationRequest& request) const
    {
        Tensor z = base.headZ(head.layer, head.head, head.attention == AttentionKind::Cross);
        if (request.replacement == Replacement::Zero)
            std::fill_n(z.data(), z.size(), 0.0F);
        else if (request.replacement == Replacement::Mean)
            fillMean(rowsOf(base, head), head.head, z);
        else
            resample(rowsOf(base, head), head, request.seed, z);
        return z;
    }

private:
    using Rows = std::vector<TensorView>; ///< One z [n, heads, d_v] per text.

    static Trace::Activations record(const BasePass& base, const CausalText& text,
                                     const BackendFactory& backends, std::stop_token stop)
    {
        const Model& model = base.model();
        std::vector<TraceKey> keys;
        for (int layer = 0; base.find(Site::Z, layer); ++layer) {
            keys.push_back({Site::Z, layer, base.stack()});
            keys.push_back({Site::CrossZ, layer, base.stack()});
        }
        std::sort(keys.begin(), keys.end());
        TraceRecorder recorder(keys, static_cast<std::int64_t>(text.ids.size()), nullptr);
        const auto backend = makeBackend(backends);
        KvCache cache(model.config());
        ForwardOptions options;
        options.stop = std::move(stop);
        if (model.config().isEncoderDecoder())
            model.encode(text.source, *backend, cache, options);
        options.observer = &recorder;
        options.segments = text.segments;
        options.lastLogitsOnly = true;
        model.forward(text.ids, *backend, cache, options);
        return recorder.take();
    }

    Rows rowsOf(const BasePass& base, const HeadId& head) const
    {
        const Site site = contextKey(head.attention, head.layer).site;
        if (m_texts.empty())
            return {base.at(site, head.layer).view()};
        Rows rows;
        for (const Trace::Activations& text : m_texts)
            rows.push_back(text.at({site, head.layer, base.stack()})->view());
        return rows;
    }

    static void fillMean(const Rows& texts, int head, Tensor& z)
    {
        const std::int64_t width = z.shape()[1];
        std::vector<double> sums(static_cast<std::size_t>(width));
        double count = 0.0;
        for (const TensorView& rows : texts)
            for (std::int64_t row = 0; row < rows.shape[0]; ++row, count += 1.0)
                for (std::int64_t channel = 0; channel < width; ++channel)
                    sums[static_cast<std::size_t>(channel)] +=
                        static_cast<double>(rows(row, head, channel));
        for (std::int64_t row = 0; row < z.shape()[0]; ++row)
            for (std::int64_t channel = 0; channel < width; ++channel)
                z.view()(row, channel) =
                    static_cast<float>(sums[static_cast<std::size_t>(channel)] / count);
    }

    /// Samples from the text itself: from any other position up to the last one that matters.
    void resample(const Rows& texts, const HeadId& head, std::uint64_t seed, Tensor& z) const
    {
        const auto stream = static_cast<std::uint64_t>(
            4 * head.layer + (head.attention == AttentionKind::Cross ? 1 : 0));
        Random random(seed, (stream << 20) + static_cast<std::uint64_t>(head.head));
        for (std::int64_t row = 0; row < z.shape()[0]; ++row) {
            const TensorView& from = texts[random.below(texts.size())];
            const auto count = static_cast<std::uint64_t>(from.shape[0]);
            auto other =
                static_cast<std::int64_t>(random.below(m_texts.empty() ? count - 1 : count));
            if (m_texts.empty() && other >= row)
                ++other;
            std::copy_n(&from(other, head.head, 0), z.shape()[1], z.view()[row].data);
        }
    }

    std::vector<Trace::Activations> m_texts; ///< Reference texts; empty: the text itself.
};

void check(const AblationRequest& request, std::int64_t tokens)
{
    const bool own = request.references.empty();
    if (request.replacement == Replacement::Resample && own && tokens < 2)
        throw Error("resampling needs a second position to take a head's output from", "ablation",
                    "Give a longer text, or other texts to sample from");
    for (const CausalText& text : request.references)
        if (text.ids.empty())
            throw Error("a reference text without tokens", "ablation", "Leave it out");
}

std::vector<HeadEffect> headsOf(const BasePass& base)
{
    std::vector<HeadEffect> heads;
    for (int layer = 0; base.find(Site::Z, layer); ++layer)
        for (const AttentionKind kind : {selfAttentionOf(base.stack()), AttentionKind::Cross})
            if (const auto z = base.find(contextKey(kind, layer).site, layer))
                for (int head = 0; head < static_cast<int>(z->shape()[1]); ++head)
                    heads.push_back({{kind, layer, head}, 0.0, 0.0});
    return heads;
}

} // namespace

const char* nameOf(Replacement replacement)
{
    constexpr const char* kNames[] = {"zero", "mean", "resample"};
    return kNames[static_cast<int>(replacement)];
}

std::optional<Replacement> parseReplacement(std::string_view name)
{
    for (const auto replacement : {Replacement::Zero, Replacement::Mean, Replacement::Resample})
        if (name == nameOf(replacement))
            return replacement;
    return std::nullopt;
}

double AblationSweep::ratioToPlainPasses() const
{
    return seconds / (static_cast<double>(heads.size()) * plainSeconds);
}

AblationSweep ablationSweep(std::shared_ptr<const ResumedForward> model,
                            const AblationRequest& request, const BackendFactory& backends,
                            Progress& progress)
{
    const Stopwatch watch;
    const BasePass base(std::move(model), request.text, request.metric, backends, Kept::Outputs,
                        progress.stop());
    check(request, base.tokens());
    const References references(base, request, backends, progress.stop());
    AblationSweep sweep;
    sweep.before = base.metric();
    sweep.plainSeconds = base.plainSeconds(*makeBackend(backends), progress.stop());
    sweep.heads = headsOf(base);
    forEachPass(sweep.heads.size(), backends, progress,
                [&](std::size_t index, AttentionBackend& backend) {
                    HeadEffect& effect = sweep.heads[index];
                    const auto& [attention, layer, head] = effect.head;
                    const bool cross = attention == AttentionKind::Cross;
                    const Tensor z = references.replacement(base, effect.head, request);
                    effect.metric =
                        base.after(base.withHead(layer, head, z, cross), backend, progress.stop());
                    effect.effect = effect.metric - sweep.before;
                });
    sweep.seconds = watch.seconds();
    return sweep;
}

} // namespace headscope
