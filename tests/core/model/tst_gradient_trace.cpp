#include "core/model/pass/gradient_trace.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/model/pass/activation_bytes.h"
#include "core/model/pass/model_program.h"
#include "core/ops/cross_entropy.h"
#include "core/trace/trace_recorder.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

constexpr std::size_t kTokens = 6;

/// The gradients of one target at every site that has one.
struct Gradients
{
    double value = 0.0;
    Trace::Activations sites;
    Trace::Activations activations; ///< of the run that they belong to
};

std::vector<TraceKey> everyKey()
{
    std::vector<TraceKey> keys;
    for (int site = 0; site <= static_cast<int>(Site::Logits); ++site)
        for (const Stack stack : {Stack::Blocks, Stack::Encoder, Stack::Decoder})
            for (int layer = 0; layer < 4; ++layer)
                keys.push_back({static_cast<Site>(site), layer, stack});
    return keys;
}

Gradients gradientsOf(const LoadedModel& loaded, const SourceAndTarget& texts,
                      const GradientTarget& target, const Interventions& interventions = {})
{
    CpuAttention backend;
    const std::vector<TokenId> ids = texts.target.ids();
    const std::vector<TokenId> source = texts.source.ids();
    TraceRecorder gradients(everyKey(), static_cast<std::int64_t>(ids.size()), nullptr);
    TraceRecorder activations(everyKey(), static_cast<std::int64_t>(ids.size()), nullptr);
    ForwardOptions options;
    options.interventions = &interventions;
    options.observer = &activations;
    Gradients result;
    result.value =
        traceGradients(*loaded.model, {ids, source}, target, backend, gradients, options);
    result.sites = gradients.take();
    result.activations = activations.take();
    return result;
}

/// The same scalar from the logits of an ordinary trace.
double valueOf(const Trace& trace, const GradientTarget& target)
{
    const TensorView logits = trace.find({Site::Logits, 0})->view();
    if (target.kind == GradientTarget::Kind::Loss) {
        const std::vector<TokenId> ids = trace.tokens().ids();
        double sum = 0.0;
        for (std::int64_t row = 0; row + 1 < logits.shape[0]; ++row) {
            double total = 0.0;
            for (std::int64_t token = 0; token < logits.shape[1]; ++token)
                total += std::exp(static_cast<double>(logits(row, token)));
            sum += std::log(total) -
                   static_cast<double>(logits(row, ids[static_cast<std::size_t>(row + 1)]));
        }
        return sum / static_cast<double>(logits.shape[0] - 1);
    }
    const std::int64_t row = target.position < 0 ? logits.shape[0] - 1 : target.position;
    const double other = target.kind == GradientTarget::Kind::LogitDifference
                             ? static_cast<double>(logits(row, target.other))
                             : 0.0;
    return static_cast<double>(logits(row, target.token)) - other;
}

/// One site's activation, moved along a direction.
struct Move
{
    Patch patch; ///< the activation as it is
    Tensor direction;
    double step = 0.0;
};

/// d value / d step, by patches: fourth order.
double alongDirection(const LoadedModel& loaded, const SourceAndTarget& texts,
                      const GradientTarget& target, const Move& move)
{
    const auto at = [&](double steps) {
        Tensor moved = *move.patch.values;
        for (std::size_t i = 0; i < moved.size(); ++i)
            moved.values()[i] += static_cast<float>(steps * move.step) * move.direction.values()[i];
        Interventions interventions;
        interventions.patches = {move.patch};
        interventions.patches[0].values = std::make_shared<const Tensor>(std::move(moved));
        return valueOf(*freshTrace(loaded, texts, interventions), target);
    };
    return (8.0 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12.0 * move.step);
}

/// Random, as long as sqrt of the activation's mean square allows a small step to be.
Tensor randomDirection(const Tensor& activation, std::uint64_t seed)
{
    Random random(seed);
    Tensor direction(activation.shape());
    double squares = 0.0;
    for (const float value : activation.values())
        squares += static_cast<double>(value) * static_cast<double>(value);
    const double scale = std::sqrt(squares / static_cast<double>(activation.size())) + 0.1;
    for (float& value : direction.values())
        value = static_cast<float>(scale * random.normal());
    return direction;
}

bool agree(double analytic, double numeric)
{
    return std::abs(analytic - numeric) <= 0.02 + 0.01 * std::abs(numeric);
}

const std::array<GradientTarget, 3>& targets()
{
    static const std::array<GradientTarget, 3> all{
        GradientTarget{GradientTarget::Kind::Logit, -1, 5, 0, {}},
        GradientTarget{GradientTarget::Kind::LogitDifference, 3, 11, 30, {}},
        GradientTarget{GradientTarget::Kind::Loss, -1, 0, 0, {}}};
    return all;
}

} // namespace

/// d scalar / d activation at every site of every kind of model.
class TstGradientTrace : public QObject
{
    Q_OBJECT

private slots:

    void valuesAndActivationsAreThoseOfTheForwardPass_data() { kinds(); }

    void valuesAndActivationsAreThoseOfTheForwardPass()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 1, kTokens);
        const TracePtr trace = freshTrace(loaded, texts);
        for (const GradientTarget& target : targets()) {
            const Gradients got = gradientsOf(loaded, texts, target);
            QVERIFY(std::abs(got.value - valueOf(*trace, target)) < 1e-4);
            const Trace traced(trace->tokens(), got.activations, {});
            const std::string difference = traceDifference(traced, *trace, 1e-4);
            QVERIFY2(difference.empty(), difference.c_str());
        }
    }

    void gradientsAreThoseOfSmallPatches_data() { kinds(); }

    void gradientsAreThoseOfSmallPatches()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 2, kTokens);
        for (const GradientTarget& target : targets()) {
            const Gradients got = gradientsOf(loaded, texts, target);
            std::uint64_t seed = 100;
            for (const auto& [key, gradient] : got.sites) {
                if (key.site == Site::AttnScores || key.site == Site::CrossScores)
                    continue; // compared with the pattern's below
                Tensor direction = randomDirection(*got.activations.at(key), ++seed);
                if (key.site == Site::ExpertWeights) // those that were not chosen are not computed
                    std::transform(
                        direction.values().begin(), direction.values().end(),
                        got.activations.at(key)->values().begin(), direction.values().begin(),
                        [](float step, float weight) { return weight == 0.0F ? 0.0F : step; });
                double analytic = 0.0;
                for (std::size_t i = 0; i < direction.size(); ++i)
                    analytic += static_cast<double>(direction.values()[i]) *
                                static_cast<double>(gradient->values()[i]);
                Move move{{key, got.activations.at(key), {}, {}}, direction, 1e-3};
                double numeric = alongDirection(loaded, texts, target, move);
                if (!agree(analytic, numeric)) { // a kink of ReLU lies within the step
                    move.step = 2.5e-4;
                    numeric = alongDirection(loaded, texts, target, move);
                }
                const std::string what = fmt::format("{}: {} where small patches give {}",
                                                     headscope::toString(key), analytic, numeric);
                QVERIFY2(agree(analytic, numeric), what.c_str());
            }
        }
    }

    void everySiteHasAGradient_data() { kinds(); }

    void everySiteHasAGradient()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const Gradients got = gradientsOf(loaded, randomTexts(config, 3, kTokens), targets()[2]);
        for (const auto& [key, values] : got.activations) {
            if (key.site == Site::NextSentence || key.site == Site::RouterProbs)
                continue; // another answer; one step with the experts' weights
            const auto found = got.sites.find(key);
            QVERIFY2(found != got.sites.end(), headscope::toString(key).c_str());
            QVERIFY2(found->second->shape() == values->shape(), headscope::toString(key).c_str());
        }
    }

    void scoresHaveTheGradientOfTheirSoftmax_data() { kinds(); }

    void scoresHaveTheGradientOfTheirSoftmax()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const Gradients got = gradientsOf(loaded, randomTexts(config, 4, kTokens), targets()[1]);
        for (const auto& [key, gradient] : got.sites) {
            if (key.site != Site::AttnScores && key.site != Site::CrossScores)
                continue;
            const TraceKey patternKey{key.site == Site::AttnScores ? Site::Pattern
                                                                   : Site::CrossPattern,
                                      key.layer, key.stack};
            const TensorView pattern = got.activations.at(patternKey)->view();
            const TensorView upstream = got.sites.at(patternKey)->view();
            const TensorView scores = gradient->view();
            for (std::int64_t head = 0; head < scores.shape[0]; ++head)
                for (std::int64_t i = 0; i < scores.shape[1]; ++i) {
                    double mean = 0.0;
                    for (std::int64_t j = 0; j < scores.shape[2]; ++j)
                        mean += static_cast<double>(pattern(head, i, j)) *
                                static_cast<double>(upstream(head, i, j));
                    for (std::int64_t j = 0; j < scores.shape[2]; ++j) {
                        const double expected = static_cast<double>(pattern(head, i, j)) *
                                                (static_cast<double>(upstream(head, i, j)) - mean);
                        QVERIFY(std::abs(expected - static_cast<double>(scores(head, i, j))) <
                                1e-4 + 1e-4 * std::abs(expected));
                    }
                }
        }
    }

    void whatIsReplacedStopsTheGradient_data() { kinds(); }

    void whatIsReplacedStopsTheGradient()
    {
        QFETCH(ModelConfig, config);
        if (config.layers == 0)
            return;
        const LoadedModel loaded = kindModel(config);
        const SourceAndTarget texts = randomTexts(config, 5, kTokens);
        const Stack stack = hasTwoStacks(config) ? Stack::Decoder : Stack::Blocks;
        const TraceKey stream{Site::ResidPost, 0, stack};
        const Gradients before = gradientsOf(loaded, texts, targets()[1]);
        Interventions frozen;
        frozen.patches = {{stream, before.activations.at(stream), {}, {}}};
        const Gradients after = gradientsOf(loaded, texts, targets()[1], frozen);
        const auto isZero = [](const Tensor& values) {
            return std::all_of(values.values().begin(), values.values().end(),
                               [](float value) { return value == 0.0F; });
        };
        QVERIFY(!isZero(*after.sites.at(stream)));
        for (const Site site : {Site::ResidPre, Site::Query, Site::Pattern, Site::Z}) {
            QVERIFY(!isZero(*before.sites.at({site, 0, stack})));
            QVERIFY(isZero(*after.sites.at({site, 0, stack})));
        }
    }

    void aTextThatDoesNotFitIntoMemoryIsRefused()
    {
        const LoadedModel loaded = smallModel();
        const std::vector<TokenId> ids{1, 2, 3};
        CpuAttention backend;
        TraceRecorder gradients({}, 3, nullptr);
        const auto needed =
            static_cast<std::uint64_t>(activationBytes(loaded.model->program(), 3)) +
            2 * 3 * 37 * 4;
        const auto trace = [&](std::uint64_t memory) {
            traceGradients(*loaded.model, {ids}, {}, backend, gradients, {}, memory);
        };
        trace(needed);
        try {
            trace(needed - 1);
            QFAIL("more memory was taken than there was");
        } catch (const Error& error) {
            QVERIFY2(std::string(error.what()).starts_with("the gradient of 3 tokens needs"),
                     error.what());
        }
    }

    void targetsThatAreNotThereAreRefused()
    {
        const LoadedModel loaded = smallModel();
        const SourceAndTarget texts{{}, tokensOf({1, 2, 3})};
        const auto bad = [&](const GradientTarget& target) {
            QVERIFY_EXCEPTION_THROWN(gradientsOf(loaded, texts, target), ShapeError);
        };
        bad({GradientTarget::Kind::Logit, 3, 0, 0, {}});
        bad({GradientTarget::Kind::Logit, -2, 0, 0, {}});
        bad({GradientTarget::Kind::Logit, 0, 37, 0, {}});
        bad({GradientTarget::Kind::LogitDifference, 0, 0, -1, {}});
        bad({GradientTarget::Kind::Loss, 0, 0, 0, {1, 2}});
        bad({GradientTarget::Kind::Loss, 0, 0, 0, {1, 2, 37}});
    }

private:
    static void kinds()
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : tracedKinds())
            if (config.languageHead)
                QTest::newRow(name.c_str()) << config;
    }
};

HEADSCOPE_TEST(TstGradientTrace)
#include "tst_gradient_trace.moc"
