#include "ui/pages/shared/maps/attributed_maps.h"

#include "core/analysis/flow/attention_flow.h"
#include "core/analysis/flow/value_contributions.h"
#include "core/analysis/flow/value_norms.h"
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/stop.h"
#include "ui/pages/shared/maps/gradient_run.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/readable.h"
#include "ui/widgets/tr.h"
#include "ui/workers/error_sentence.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

/// Inputs and results of one variant's maps.
class Making
{
public:
    Making(const ViewSnapshot& view, Variant variant, const AttributedChoice& choice,
           const std::stop_token& stop, const std::function<void(double)>& progress)
        : m_viewSnapshot(view)
        , m_variant(variant)
        , m_choice(choice)
        , m_trace(view.trace(variant))
        , m_part(view.selection.part)
        , m_stop(stop)
        , m_progress(progress)
    {
    }

    AttributedRunPtr made()
    {
        m_result.problem = obstacle();
        if (!m_result.problem.isEmpty() || !m_trace)
            return std::make_shared<const AttributedRun>(std::move(m_result));
        try {
            m_result.unit.assign(static_cast<std::size_t>(m_trace->layerCount(m_part)), 0.0);
            make();
            m_result.trace = replaced();
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& error) {
            m_result.problem = errorSentence(error);
        }
        return std::make_shared<const AttributedRun>(std::move(m_result));
    }

private:
    QString obstacle() const
    {
        if (needsGradient(m_choice.kind))
            return whyNoGradient(m_viewSnapshot, m_variant);
        if (isOfWholeLayer(m_choice.kind) && m_part == AttentionKind::Cross)
            return tr("Not defined for cross-attention: rollout and flow follow self-attention "
                      "from layer to layer.");
        if (!isOfWholeLayer(m_choice.kind) && !m_viewSnapshot.model(m_variant).model)
            return tr("Not defined for a captured trace: it needs the model's weights.");
        const auto tokens = m_trace ? m_trace->tokens().size() : 0;
        if (m_choice.kind == MapKind::Flow && tokens > kMostFlowTokens)
            return tr("Attention flow is limited to texts of %1 tokens; this one has %2.")
                .arg(kMostFlowTokens)
                .arg(tokens);
        return {};
    }

    void make()
    {
        switch (m_choice.kind) {
        case MapKind::ValueNorm:
        case MapKind::ValueAware:
            makeFromValues();
            break;
        case MapKind::GradientAttention:
        case MapKind::IntegratedAttention:
            makeFromGradients();
            break;
        case MapKind::Rollout:
            makeRollout();
            break;
        case MapKind::Flow:
            makeFlow();
            break;
        default:
            break;
        }
    }

    std::vector<int> layers() const
    {
        if (m_choice.layer)
            return {*m_choice.layer};
        std::vector<int> all;
        for (int layer = 0; layer < m_trace->layerCount(m_part); ++layer)
            all.push_back(layer);
        return all;
    }

    const Model& model() const { return *m_viewSnapshot.model(m_variant).model; }

    void tell(double fraction) const
    {
        throwIfStopped(m_stop);
        if (m_progress)
            m_progress(fraction);
    }

    void makeFromValues()
    {
        const std::vector<int> all = layers();
        for (std::size_t i = 0; i < all.size(); ++i) {
            tell(static_cast<double>(i) / static_cast<double>(all.size()));
            const SublayerIndex place{stackOf(m_part), all[i], m_part == AttentionKind::Cross};
            const Tensor map = m_choice.kind == MapKind::ValueNorm
                                   ? valueNorms(*m_trace, model(), place, m_stop)
                                   : valueContributions(*m_trace, model(), place, m_stop).heads;
            keep(all[i], rowsToOne(map.view()));
        }
    }

    void makeFromGradients()
    {
        CpuAttention backend;
        const GradientInputs inputs = gradientInputs(m_viewSnapshot, m_variant);
        const TokenId token = *mostLikelyNext(*m_trace, -1);
        m_result.target = labelOf(token, m_viewSnapshot.model(m_variant));
        GradientTarget target;
        target.token = token;
        AttributionRun pass = inputs.run(backend, target);
        pass.stop = m_stop;
        if (m_choice.kind == MapKind::GradientAttention) {
            GradientAttention gradients = gradientTimesAttention(pass);
            for (const int layer : layers())
                keepScaled(layer, gradients.maps.at(patternKey(m_part, layer)));
            return;
        }
        integrate(pass);
    }

    void integrate(AttributionRun& pass)
    {
        const std::vector<int> all = layers();
        double worst = 0.0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            pass.progress = [&](double part) {
                tell((static_cast<double>(i) + part) / static_cast<double>(all.size()));
            };
            const TraceKey key = patternKey(m_part, all[i]);
            IntegratedAttention got = integratedAttention(pass, {&key, 1});
            keepScaled(all[i], got.maps.at(key));
            worst = std::max(worst, std::abs(got.path.gap()));
            if (all.size() == 1)
                m_result.note = tr("The cells of all heads sum to %1 logits; without this "
                                   "layer's attention the logit falls by %2 (%3 steps).")
                                    .arg(signedNumber(got.path.sum, 3),
                                         signedNumber(got.path.full - got.path.baseline, 3))
                                    .arg(got.path.steps);
        }
        if (all.size() > 1)
            m_result.note = tr("Each layer's cells sum to its attention's effect on the logit, "
                               "to within %1.")
                                .arg(number(worst, 3));
    }

    RolloutRule rule() const { return rolloutRule(m_viewSnapshot, m_variant); }

    std::vector<Tensor> mixings() const
    {
        return layerMixings(*m_trace, stackOf(m_part), rule(), m_stop);
    }

    void makeRollout()
    {
        const std::vector<Tensor> rolled =
            attentionRollout(*m_trace, stackOf(m_part), rule(), m_stop);
        for (const int layer : layers())
            keepForAllHeads(layer, rolled[static_cast<std::size_t>(layer)]);
    }

    void makeFlow()
    {
        const std::vector<Tensor> mixing = mixings();
        const std::vector<int> all = layers();
        const std::int64_t tokens = mixing.empty() ? 0 : mixing.front().shape()[0];
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto upTo = static_cast<std::size_t>(all[i]) + 1;
            Tensor flow({tokens, tokens});
            for (std::int64_t query = 0; query < tokens; ++query) {
                tell((static_cast<double>(i) +
                      static_cast<double>(query) / static_cast<double>(tokens)) /
                     static_cast<double>(all.size()));
                const std::vector<double> row =
                    attentionFlowToAll(std::span(mixing).first(upTo), query, m_stop);
                std::transform(row.begin(), row.end(), flow.view()[query].data,
                               [](double value) { return static_cast<float>(value); });
            }
            keepForAllHeads(all[i], flow);
        }
    }

    void keep(int layer, Tensor map)
    {
        m_maps[patternKey(m_part, layer)] = std::make_shared<const Tensor>(std::move(map));
    }

    void keepForAllHeads(int layer, const Tensor& map)
    {
        const int heads = m_trace->headCount(m_part);
        Tensor all({heads, map.shape()[0], map.shape()[1]});
        for (int head = 0; head < heads; ++head)
            std::copy(map.values().begin(), map.values().end(), all.view()[head].data);
        keep(layer, std::move(all));
    }

    /// Divides by the largest sum of magnitudes in any row of any head.
    void keepScaled(int layer, Tensor map)
    {
        const std::int64_t width = map.shape()[2];
        double largest = 0.0;
        for (std::size_t row = 0; row * static_cast<std::size_t>(width) < map.size(); ++row) {
            const float* const first = map.data() + row * static_cast<std::size_t>(width);
            double sum = 0.0;
            for (std::int64_t key = 0; key < width; ++key)
                sum += std::abs(double{first[key]});
            largest = std::max(largest, sum);
        }
        for (float& value : map.values())
            value = largest > 0.0 ? static_cast<float>(double{value} / largest) : 0.0F;
        m_result.unit[static_cast<std::size_t>(layer)] = largest;
        keep(layer, std::move(map));
    }

    /// Layers that were not requested keep their patterns, so that layers and heads keep their
    /// indices.
    TracePtr replaced() const
    {
        Trace::Activations activations = m_trace->activations();
        Trace::RetainedPatterns kept = m_trace->retainedPatterns();
        for (int layer = 0; layer < m_trace->layerCount(m_part); ++layer) {
            const TraceKey key = patternKey(m_part, layer);
            const auto found = m_maps.find(key);
            if (found == m_maps.end())
                continue;
            kept.erase(key);
            activations[key] = found->second;
        }
        return std::make_shared<const Trace>(m_trace->tokens(), std::move(activations),
                                             m_trace->info(), m_trace->sourceTokens(),
                                             std::move(kept), m_trace->omitted());
    }

    const ViewSnapshot& m_viewSnapshot;
    Variant m_variant;
    AttributedChoice m_choice;
    TracePtr m_trace;
    AttentionKind m_part;
    std::stop_token m_stop;
    std::function<void(double)> m_progress;
    AttributedRun m_result;
    Trace::Activations m_maps;
};

} // namespace

RolloutRule rolloutRule(const ViewSnapshot& view, Variant variant)
{
    RolloutRule rule;
    const auto& model = view.model(variant).model;
    if (model && !model->config().hasResidual())
        rule.residual = 0.0;
    return rule;
}

AttributedRuns attributedRuns(const ViewSnapshot& view, const AttributedChoice& choice,
                              const std::stop_token& stop,
                              const std::function<void(double)>& progress)
{
    AttributedRuns runs;
    if (view.shown != Variant::B)
        runs.a = Making(view, Variant::A, choice, stop, progress).made();
    if (view.shown != Variant::A)
        runs.b = Making(view, Variant::B, choice, stop, progress).made();
    return runs;
}

ViewSnapshot viewAt(const ViewSnapshot& view, const AttributedRuns& runs, MapKind kind)
{
    ViewSnapshot there = view;
    if (!isAttributed(kind))
        return there;
    there.a = runs.a ? runs.a->trace : nullptr;
    there.b = runs.b ? runs.b->trace : nullptr;
    if (isSigned(kind)) // Signs cancel where tokens are grouped or rows renormalised.
        there.display = {};
    return there;
}

QString problemOf(const AttributedRuns& runs)
{
    for (const AttributedRunPtr& run : {runs.a, runs.b})
        if (run && !run->problem.isEmpty())
            return run->problem;
    return {};
}

QString attributedText(const AttributedRuns& runs, MapKind kind, Variant variant)
{
    const AttributedRunPtr& shown = runs.of(variant);
    QString words = titleOf(kind);
    if (shown && !shown->target.isEmpty())
        words = tr("%1, logit of \u201C%2\u201D, 1: the strongest row of the layer")
                    .arg(words, shown->target);
    return variant == Variant::Difference ? tr("B\u2212A: %1").arg(words) : words;
}

} // namespace headscope::ui
