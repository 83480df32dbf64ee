#include "core/experiments/experiment_measures.h"
#include "core/experiments/text_measures.h"
#include "tests/core/experiments/trained.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace headscope;

namespace {

bool near(double a, double b, double error = 1e-6)
{
    return std::abs(a - b) < error;
}

} // namespace

class TstExperimentMeasures : public QObject
{
    Q_OBJECT

private slots:

    void smallScoresNeedNoMaximum()
    {
        const float hidden = -std::numeric_limits<float>::infinity();
        const auto weights = softmaxWithoutMaximum(std::vector<float>{0.0F, 1.0F, hidden});
        QVERIFY(near(weights[0], 1.0 / (1.0 + std::exp(1.0))));
        QVERIFY(near(weights[1], std::exp(1.0) / (1.0 + std::exp(1.0))));
        QCOMPARE(weights[2], 0.0F);
    }

    /// exp(88.7) is the largest that float32 holds.
    void largeScoresOverflow()
    {
        for (const float weight : softmaxWithoutMaximum(std::vector<float>{88.0F, 1.0F}))
            QVERIFY(std::isfinite(weight));
        for (const float weight : softmaxWithoutMaximum(std::vector<float>{89.0F, 1.0F}))
            QVERIFY(std::isnan(weight));
        for (const float weight : softmaxWithoutMaximum(std::vector<float>{-200.0F, -300.0F}))
            QVERIFY(std::isnan(weight)); // 0 / 0
    }

    void calibrationIsTheDistanceInEachBin()
    {
        // 0.9 sure, half right; 0.2 sure, never right
        const std::vector<double> confidences{0.9, 0.9, 0.2, 0.2};
        const Reliability result = reliabilityOf(confidences, {true, false, false, false});
        QCOMPARE(result.bins.size(), std::size_t{2});
        QVERIFY(near(result.confidence(), 0.55));
        QVERIFY(near(result.error(), 0.5 * 0.2 + 0.5 * 0.4));
        QCOMPARE(reliabilityOf(std::vector<double>{1.0}, {true}).error(), 0.0);
        QCOMPARE(reliabilityOf({}, {}).error(), 0.0);
    }

    /// A causal model sees nothing that comes later, so its prefix loss is its loss; one that sees
    /// all has another.
    void thePrefixLossIsThatOfACausalModel()
    {
        for (const bool causal : {true, false}) {
            TrainingConfig config =
                test::changed(catalogueExperiment("mask-missing").variants[1].config,
                              R"({"model": {"d_model": 16, "d_ff": 32},
                    "data": {"bytes": 60000, "vocab_size": 400, "validation_batches": 1},
                    "batch_size": 4})");
            config.model.causal = causal;
            const PreparedData data = prepareData(config);
            const Model model = Model::initialised(data.model, 3);
            CpuAttention backend;
            const TrainedVariant variant{config, data, model, backend, {}};
            const Batch batch = data.batches->validationBatch(0);
            double sum = 0.0;
            for (std::int64_t row = 0; row < 4; ++row) {
                const auto first = static_cast<std::size_t>(row * batch.length);
                KvCache cache(model.config());
                const Tensor logits = model.forward(
                    std::span(batch.inputs).subspan(first, static_cast<std::size_t>(batch.length)),
                    backend, cache);
                for (std::size_t i = 3; i < 32; i += 4) {
                    double all = 0.0;
                    for (std::int64_t id = 0; id < logits.shape()[1]; ++id)
                        all += std::exp(static_cast<double>(logits.view()(i, id)));
                    const auto target = batch.targets[first + i];
                    sum += std::log(all) - static_cast<double>(logits.view()(i, target));
                }
            }
            QCOMPARE(near(prefixLoss(variant), sum / 32.0, 1e-4), causal);
        }
    }
};

HEADSCOPE_TEST(TstExperimentMeasures)
#include "tst_experiment_measures.moc"
