// Training of the tuned lens: streams of some texts computed once, then steps of Adam.
#include "core/analysis/lens/tuned_lens_training.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/ops/parameter_updates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope {

namespace {

constexpr std::uint64_t kTextStream = 1; // Stream of the random number generator.
constexpr std::uint64_t kStepStream = 2;

/// One position of one text.
struct Place
{
    std::size_t trace = 0;
    std::int64_t row = 0;
};

/// The residual streams of texts traced once: those of a frozen model do not change.
class StreamStore
{
public:
    StreamStore(const LoadedModel& model, const std::vector<SourceAndTarget>& texts,
                const TunedLensSettings& settings, const std::stop_token& stop)
        : m_stages(lensStages(model.model->config()))
        , m_width(model.model->config().dModel)
        , m_stop(stop)
    {
        const auto bytes = m_stages.size() * static_cast<std::size_t>(m_width) * sizeof(float);
        m_room = static_cast<std::int64_t>(settings.memory / std::max<std::size_t>(bytes, 1));
        Tracer tracer(model, std::make_unique<CpuAttention>());
        const auto every = static_cast<std::size_t>(
            std::max(std::llround(1.0 / std::clamp(settings.heldOut, 0.01, 0.5)), 2LL));
        for (std::size_t index = 0; index < texts.size() && m_room > 0; ++index)
            take(tracer, texts[index], index % every == every - 1 ? m_heldOut : m_training);
        shorten(settings);
    }

    const std::vector<LensStage>& stages() const { return m_stages; }

    const std::vector<Place>& training() const { return m_training; }

    const std::vector<Place>& heldOut() const { return m_heldOut; }

    /// Streams [places, d].
    Tensor streams(std::size_t stage, std::span<const Place> places) const
    {
        Tensor rows({static_cast<std::int64_t>(places.size()), m_width});
        for (std::size_t i = 0; i < places.size(); ++i) {
            const auto whole = m_traces[places[i].trace]->find(m_stages[stage].key);
            std::copy_n(whole->view()[places[i].row].data, m_width,
                        rows.view()[static_cast<std::int64_t>(i)].data);
        }
        return rows;
    }

private:
    void take(Tracer& tracer, const SourceAndTarget& text, std::vector<Place>& places)
    {
        const ModelConfig& config = tracer.model().model->config();
        const TraceRequest request{lensSites(config)};
        const bool twoStacks = config.isEncoderDecoder();
        m_traces.push_back(twoStacks ? tracer.trace(text, request, {}, m_stop)
                                     : tracer.trace(text.target, request, {}, m_stop));
        const auto rows = static_cast<std::int64_t>(m_traces.back()->tokens().size());
        for (std::int64_t row = 0; row < rows; ++row)
            places.push_back({m_traces.size() - 1, row});
        m_room -= rows;
    }

    /// Keeps some of the held-out positions, evenly spaced.
    void shorten(const TunedLensSettings& settings)
    {
        const auto wanted =
            static_cast<std::size_t>(std::max<std::int64_t>(settings.heldOutTokens, 1));
        if (m_heldOut.size() <= wanted)
            return;
        std::vector<Place> kept;
        for (std::size_t i = 0; i < wanted; ++i)
            kept.push_back(m_heldOut[i * m_heldOut.size() / wanted]);
        m_heldOut = std::move(kept);
    }

    std::vector<LensStage> m_stages;
    std::int64_t m_width;
    std::stop_token m_stop;
    std::int64_t m_room = 0;
    std::vector<TracePtr> m_traces;
    std::vector<Place> m_training;
    std::vector<Place> m_heldOut;
};

struct Moments
{
    TunedLens::Map first;
    TunedLens::Map second;
};

class LensTrainer
{
public:
    LensTrainer(const LoadedModel& model, const StreamStore& store,
                const TunedLensSettings& settings, const std::stop_token& stop)
        : m_head(*model.model)
        , m_store(store)
        , m_settings(settings)
        , m_stop(stop)
        , m_lens(untrainedLens(*model.model))
        , m_moments(m_lens.maps.size())
    {
        m_lens.model = model.name;
        m_lens.seed = settings.seed;
        m_lens.tokens = static_cast<std::int64_t>(store.training().size());
        m_lens.heldOutTokens = static_cast<std::int64_t>(store.heldOut().size());
        for (std::size_t stage = 0; stage < m_moments.size(); ++stage)
            m_moments[stage] = {m_lens.maps[stage], m_lens.maps[stage]}; // zeros
    }

    TunedLens train(const std::function<void(const TunedLensReport&)>& onStep)
    {
        m_lens.before = measured();
        for (std::int64_t step = 1; step <= m_settings.steps; ++step) {
            TunedLensReport report{step, m_settings.steps, stepped(step)};
            m_lens.steps = step;
            if (onStep)
                onStep(report);
        }
        m_lens.after = m_settings.steps > 0 ? measured() : m_lens.before;
        return std::move(m_lens);
    }

private:
    Tensor logitsOf(std::span<const Place> places) const
    {
        const Tensor last = m_store.streams(m_store.stages().size() - 1, places);
        Tensor logits({last.shape()[0], m_head.vocabulary()});
        m_head.logits(last.view(), logits.view());
        return logits;
    }

    /// Runs each stage in one thread, so that sums do not depend on the number of threads.
    template<class Body>
    void forStages(Body&& body) const
    {
        parallelForEach(m_lens.maps.size(), m_lens.maps.size(), m_stop, body);
    }

    std::vector<double> stepped(std::int64_t step)
    {
        Random random(m_settings.seed, (kStepStream << 32) + static_cast<std::uint64_t>(step));
        std::vector<Place> batch;
        for (std::int64_t i = 0; i < m_settings.batch; ++i)
            batch.push_back(random.pick(m_store.training()));
        const Tensor own = logitsOf(batch);
        std::vector<double> losses(m_lens.maps.size());
        forStages([&](std::size_t stage) {
            const TunedLens::Map& map = m_lens.maps[stage];
            TunedLens::Map gradient{Tensor(map.weight.shape()), Tensor(map.bias.shape())};
            losses[stage] = tunedLensLoss(m_head, map, m_store.streams(stage, batch).view(),
                                          own.view(), &gradient);
            update(stage, gradient, step);
        });
        return losses;
    }

    void update(std::size_t stage, const TunedLens::Map& gradient, std::int64_t step)
    {
        AdamUpdate adamUpdate;
        adamUpdate.step = step;
        adamUpdate.decay = m_settings.decay;
        adamUpdate.rate = m_settings.rate * (1.0 - static_cast<double>(step - 1) /
                                                       static_cast<double>(m_settings.steps));
        TunedLens::Map& map = m_lens.maps[stage];
        Moments& moments = m_moments[stage];
        adam(adamUpdate, gradient.weight.values(),
             {map.weight.values(), moments.first.weight.values(), moments.second.weight.values()});
        adam(adamUpdate, gradient.bias.values(),
             {map.bias.values(), moments.first.bias.values(), moments.second.bias.values()});
    }

    /// Mean KL of every stage on the held-out positions, some at a time.
    std::vector<double> measured() const
    {
        const std::span<const Place> places = m_store.heldOut();
        const auto stretch = static_cast<std::size_t>(std::max<std::int64_t>(m_settings.batch, 1));
        std::vector<double> sums(m_lens.maps.size());
        for (std::size_t first = 0; first < places.size(); first += stretch) {
            const auto part = places.subspan(first, std::min(stretch, places.size() - first));
            const Tensor own = logitsOf(part);
            forStages([&](std::size_t stage) {
                sums[stage] +=
                    static_cast<double>(part.size()) *
                    tunedLensLoss(m_head, m_lens.maps[stage], m_store.streams(stage, part).view(),
                                  own.view(), nullptr);
            });
        }
        for (double& sum : sums)
            sum /= static_cast<double>(places.size());
        return sums;
    }

    LensHead m_head;
    const StreamStore& m_store;
    const TunedLensSettings& m_settings;
    std::stop_token m_stop;
    TunedLens m_lens;
    std::vector<Moments> m_moments;
};

} // namespace

TunedLensSettings tunedLensSettings(const Model& model)
{
    constexpr double kMultiplyAdds = 2e10; // Per step.
    constexpr double kTiny = 5e6;          // Number of parameters.
    constexpr double kSmall = 2e7;
    const ModelConfig& config = model.config();
    const double position = 3.0 * static_cast<double>(lensStages(config).size()) *
                            static_cast<double>(config.dModel) *
                            static_cast<double>(config.vocabularySize + 2 * config.dModel);
    TunedLensSettings settings;
    settings.batch =
        static_cast<std::int64_t>(std::clamp(kMultiplyAdds / std::max(position, 1.0), 4.0, 64.0));
    const auto parameters = static_cast<double>(parameterCount(config));
    if (parameters < kTiny)
        settings.tokens *= 4;
    if (parameters > kSmall) {
        settings.tokens = 1024;
        settings.heldOutTokens = 64;
    }
    return settings;
}

TunedLens trainTunedLens(const LoadedModel& model, const std::vector<SourceAndTarget>& texts,
                         const TunedLensSettings& settings,
                         const std::function<void(const TunedLensReport&)>& onStep,
                         const std::stop_token& stop)
{
    if (!model.model || !model.model->config().languageHead)
        throw Error("the model predicts no tokens", "tuned lens",
                    "Choose a model with a language head");
    if (settings.batch < 1 || settings.steps < 0)
        throw Error(fmt::format("{} steps of {} positions", settings.steps, settings.batch),
                    "tuned lens", "Give at least one position and a non-negative number of steps");
    std::vector<SourceAndTarget> shuffled = texts;
    Random random(settings.seed, kTextStream);
    for (std::size_t i = shuffled.size(); i > 1; --i)
        std::swap(shuffled[i - 1], shuffled[random.below(i)]);
    const StreamStore store(model, shuffled, settings, stop);
    if (store.training().empty() || store.heldOut().empty())
        throw Error(fmt::format("{} texts are too few to train on some and measure on others",
                                texts.size()),
                    "tuned lens",
                    "Give at least five, or for fewer long ones a held-out "
                    "fraction of 0.5");
    if (store.stages().size() < 2)
        throw Error("the model has no layer before its last one to read", "tuned lens",
                    "Choose a model with layers");
    return LensTrainer(model, store, settings, stop).train(onStep);
}

} // namespace headscope
