// labels: golden
// links: core/io
#include "core/analysis/causal/ablation_sweep.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/model/pass/site_shape.h"
#include "core/trace/trace_recorder.h"
#include "tests/support/hugging_face_model.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"
#include "tests/support/traced_kinds.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

constexpr std::size_t kTokens = 8;

CausalText textOf(const ModelConfig& config, std::uint64_t seed = 3)
{
    const SourceAndTarget texts = randomTexts(config, seed, kTokens);
    return {texts.target.ids(), {}, texts.source.ids()};
}

GradientTarget differenceAt(std::int64_t position)
{
    GradientTarget metric;
    metric.kind = GradientTarget::Kind::LogitDifference;
    metric.position = position;
    metric.token = 3;
    metric.other = 5;
    return metric;
}

GradientTarget meanLoss(const ModelConfig& config, const CausalText& text)
{
    GradientTarget metric;
    metric.kind = GradientTarget::Kind::Loss;
    if (!config.hasDecoder())
        metric.targets = text.ids;
    return metric;
}

/// A whole pass with interventions, as the product has always done it.
double wholePass(const Model& model, const CausalText& text, const GradientTarget& metric,
                 const Interventions& interventions, TraceRecorder* recorder = nullptr)
{
    CpuAttention backend;
    KvCache cache(model.config());
    if (hasTwoStacks(model.config()))
        model.encode(text.source, backend, cache);
    const Tensor logits = model.forward(text.ids, backend, cache, recorder, interventions);
    return metricOf(metric, text.ids, logits.view());
}

bool isNear(double got, double expected)
{
    return std::abs(got - expected) <= 2e-5 * (1.0 + std::abs(expected));
}

AblationSweep sweepOf(const LoadedModel& loaded, const AblationRequest& request)
{
    Progress progress;
    return ablationSweep(std::make_shared<const ResumedForward>(loaded.model), request, {},
                         progress);
}

std::shared_ptr<const Tensor> zOf(const LoadedModel& loaded, const CausalText& text, TraceKey key)
{
    TraceRecorder recorder({key}, static_cast<std::int64_t>(text.ids.size()), nullptr);
    wholePass(*loaded.model, text, differenceAt(0), {}, &recorder);
    return recorder.take().at(key);
}

TraceKey keyOf(const HeadId& head)
{
    return contextKey(head.attention, head.layer);
}

} // namespace

class TstAblationSweep : public QObject
{
    Q_OBJECT

private slots:

    void replacementsHaveNames()
    {
        for (const Replacement one : {Replacement::Zero, Replacement::Mean, Replacement::Resample})
            QVERIFY(parseReplacement(nameOf(one)) == one);
        QVERIFY(parseReplacement("mean") == Replacement::Mean);
        QVERIFY(!parseReplacement("median"));
    }

    void zeroIsThatOfWholePasses_data()
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : tracedKinds())
            if (config.languageHead)
                QTest::newRow(name.c_str()) << config;
    }

    void zeroIsThatOfWholePasses()
    {
        QFETCH(ModelConfig, config);
        const LoadedModel loaded = kindModel(config);
        const CausalText text = textOf(config);
        for (const GradientTarget& metric : {differenceAt(-1), meanLoss(config, text)}) {
            const AblationSweep sweep = sweepOf(loaded, {text, metric, Replacement::Zero, {}, 0});
            QVERIFY(isNear(sweep.before, wholePass(*loaded.model, text, metric, {})));
            const bool two = hasTwoStacks(config);
            const std::int64_t layers = two ? config.decoderLayerCount() : config.layers;
            QCOMPARE(sweep.heads.size(),
                     static_cast<std::size_t>(layers * config.heads * (two ? 2 : 1)));
            for (const HeadEffect& effect : sweep.heads) {
                Interventions interventions;
                interventions.ablatedHeads = {effect.head};
                const double expected = wholePass(*loaded.model, text, metric, interventions);
                QVERIFY2(isNear(effect.metric, expected),
                         qPrintable(QString("head %1.%2: %3, not %4")
                                        .arg(effect.head.layer)
                                        .arg(effect.head.head)
                                        .arg(effect.metric, 0, 'g', 9)
                                        .arg(expected, 0, 'g', 9)));
                QCOMPARE(effect.effect, effect.metric - sweep.before);
            }
        }
    }

    void aMeanIsThatOfAPatch()
    {
        const LoadedModel loaded = smallModel();
        const CausalText text = textOf(loaded.model->config());
        const CausalText other = textOf(loaded.model->config(), 9);
        const GradientTarget metric = differenceAt(4); // what follows cannot matter, but for means
        for (const auto& references : {std::vector<CausalText>{}, {other}, {text, other}}) {
            const AblationSweep sweep =
                sweepOf(loaded, {text, metric, Replacement::Mean, references, 0});
            const HeadEffect& effect = sweep.heads[5];
            const TraceKey key = keyOf(effect.head);
            auto mean = std::make_shared<Tensor>(Shape{1, 4, loaded.model->config().headDim()});
            std::int64_t rows = 0;
            for (const CausalText& one :
                 references.empty() ? std::vector<CausalText>{text} : references) {
                const auto z = zOf(loaded, one, key);
                rows += z->shape()[0];
                for (std::int64_t i = 0; i < static_cast<std::int64_t>(z->size()); ++i)
                    mean->data()[i % static_cast<std::int64_t>(mean->size())] += z->data()[i];
            }
            for (std::size_t i = 0; i < mean->size(); ++i)
                mean->data()[i] /= static_cast<float>(rows);
            Interventions interventions;
            interventions.patches = {{key, mean, effect.head.head, {}}};
            QVERIFY(isNear(effect.metric, wholePass(*loaded.model, text, metric, interventions)));
        }
    }

    void samplesDependOnTheSeedAlone()
    {
        const LoadedModel loaded = smallModel();
        const CausalText text = textOf(loaded.model->config());
        const auto effects = [&](std::uint64_t seed, std::vector<CausalText> references) {
            std::vector<double> values;
            const AblationRequest request{text, differenceAt(-1), Replacement::Resample,
                                          std::move(references), seed};
            for (const HeadEffect& effect : sweepOf(loaded, request).heads)
                values.push_back(effect.effect);
            return values;
        };
        QCOMPARE(effects(1, {}), effects(1, {}));
        QVERIFY(effects(1, {}) != effects(2, {}));
        QVERIFY(effects(1, {textOf(loaded.model->config(), 9)}) != effects(1, {}));
    }

    /// From a text of one position there is one choice.
    void aSampleIsARowOfTheReference()
    {
        const LoadedModel loaded = smallModel();
        const CausalText text = textOf(loaded.model->config());
        const CausalText one{{11}, {}, {}};
        const GradientTarget metric = differenceAt(-1);
        const AblationSweep sampled =
            sweepOf(loaded, {text, metric, Replacement::Resample, {one}, 7});
        const AblationSweep mean = sweepOf(loaded, {text, metric, Replacement::Mean, {one}, 0});
        for (std::size_t i = 0; i < mean.heads.size(); ++i)
            QVERIFY(isNear(sampled.heads[i].metric, mean.heads[i].metric));
    }

    void goldenEffectsAreThoseOfTransformers()
    {
        const GoldenFile file("interp/gpt2_internals.safetensors");
        LoadedModel loaded;
        loaded.model =
            std::make_shared<const Model>(loadHuggingFaceModel(goldenDir() / "hf" / "gpt2"));
        const std::vector<std::int64_t> ids = file.integers("in.ids");
        const std::vector<double> expected = file.expected("out.ablate");
        const auto vocabulary = static_cast<std::size_t>(loaded.model->config().vocabularySize);
        for (const TokenId token : {0, 17}) {
            AblationRequest request;
            request.text.ids.assign(ids.begin(), ids.end());
            request.metric.token = token;
            const AblationSweep sweep = sweepOf(loaded, request);
            QCOMPARE(sweep.heads.size() * vocabulary, expected.size());
            for (std::size_t head = 0; head < sweep.heads.size(); ++head) {
                const double logit = expected[head * vocabulary + static_cast<std::size_t>(token)];
                QVERIFY(std::abs(sweep.heads[head].metric - logit) <=
                        kInterpretability.absolute + kInterpretability.relative * std::abs(logit));
            }
        }
    }

    void whatIsNotDefinedIsRefused()
    {
        const LoadedModel loaded = smallModel();
        const CausalText one{{5}, {}, {}};
        const auto refused = [&](const CausalText& text, const GradientTarget& metric,
                                 Replacement replacement) {
            try {
                sweepOf(loaded, {text, metric, replacement, {}, 0});
            } catch (const Error& error) {
                return QString::fromStdString(error.problem());
            }
            return QString();
        };
        const GradientTarget loss = meanLoss(loaded.model->config(), one);
        QCOMPARE(refused(one, loss, Replacement::Zero),
                 "the loss of a single token is not defined: nothing follows it");
        QVERIFY(
            refused(one, differenceAt(-1), Replacement::Resample).contains("a second position"));
        QCOMPARE(refused(one, differenceAt(-1), Replacement::Zero), QString());
        QVERIFY(!refused(one, differenceAt(3), Replacement::Zero).isEmpty());
        GradientTarget outside = differenceAt(-1);
        outside.token = 37;
        QVERIFY(!refused(one, outside, Replacement::Zero).isEmpty());
        QVERIFY(!refused({}, differenceAt(-1), Replacement::Zero).isEmpty());
    }

    void stopsAndTells()
    {
        const LoadedModel loaded = smallModel();
        std::stop_source stop;
        std::uint64_t reported = 0;
        Progress progress(stop.get_token(), [&](std::uint64_t done, std::uint64_t total) {
            reported = done;
            if (2 * done >= total)
                stop.request_stop();
        });
        const AblationRequest request{
            textOf(loaded.model->config()), differenceAt(-1), Replacement::Zero, {}, 0};
        QVERIFY_EXCEPTION_THROWN(ablationSweep(std::make_shared<const ResumedForward>(loaded.model),
                                               request, {}, progress),
                                 Cancelled);
        QVERIFY(reported > 0 && reported < 12);
    }
};

HEADSCOPE_TEST(TstAblationSweep)
#include "tst_ablation_sweep.moc"
