// labels: learns
#include "tests/core/experiments/small_experiment.h"
#include "tests/support/test_program.h"

#include <algorithm>

using namespace headscope;
using test::runSmall;
using test::smaller;

/// Small versions of the experiments on depth, targets, lengths and sizes.
class TstExperimentsOfDepth : public QObject
{
    Q_OBJECT

private slots:

    void postNormWithoutWarmupGetsStuck()
    {
        const auto result =
            runSmall(smaller("post-norm-warmup", R"({"steps": 320, "data": {"bytes": 500000},
                                    "model": {"d_model": 48, "d_ff": 96, "max_len": 24}})"));
        const VariantResult& broken = result.variant("no-warmup");
        const VariantResult& fixed = result.variant("warmup");
        QVERIFY(broken.number("validation_loss") > 1.1 * fixed.number("validation_loss"));
        QVERIFY(broken.number("entropy") > 0.95 &&
                broken.number("entropy") > fixed.number("entropy"));
        QVERIFY(broken.number("end_first_block") < 0.1 * fixed.number("end_first_block"));
        QCOMPARE(broken.curve("start_gradients").y, fixed.curve("start_gradients").y);
        QCOMPARE(broken.curve("start_gradients").y.size(), std::size_t{12});
    }

    void preNormNeedsNoWarmup()
    {
        const auto result =
            runSmall(smaller("norm-position", R"({"steps": 150, "data": {"bytes": 500000},
                                 "model": {"d_model": 48, "d_ff": 96, "max_len": 24}})"));
        const VariantResult& post = result.variant("post");
        const VariantResult& pre = result.variant("pre");
        QVERIFY(post.number("validation_loss") > 1.2 * pre.number("validation_loss"));
        QVERIFY(post.number("start_last_block") > 1.5 * pre.number("start_last_block"));
    }

    void smoothingCalibrates()
    {
        const auto result = runSmall(smaller(
            "label-smoothing", R"({"steps": 700, "data": {"bytes": 50000, "vocab_size": 400},
                                   "model": {"max_len": 24}})"));
        const VariantResult& hard = result.variant("hard");
        const VariantResult& smooth = result.variant("smooth");
        QVERIFY(hard.number("calibration_error") > 1.5 * smooth.number("calibration_error"));
        QVERIFY(hard.number("confidence") > smooth.number("confidence"));
        QVERIFY(hard.number("training_loss") < smooth.number("training_loss"));
        QVERIFY(!hard.curve("reliability").x.empty());
    }

    void encodingsDifferBeyondTheTrainedLength()
    {
        Experiment experiment =
            smaller("positions-length", R"({"steps": 220, "data": {"bytes": 800000}})");
        std::erase_if(experiment.variants, [](const ExperimentVariant& variant) {
            return variant.name == "relative" || variant.name == "none" || variant.name == "rope";
        });
        const auto result = runSmall(experiment);
        QCOMPARE(result.variant("learned").curve("length_perplexity").x,
                 (std::vector<double>{16.0, 32.0}));
        const auto& waves = result.variant("sinusoidal").curve("length_perplexity");
        const auto& slopes = result.variant("alibi").curve("length_perplexity");
        QCOMPARE(waves.x, (std::vector<double>{16.0, 32.0, 64.0, 128.0}));
        QVERIFY(waves.y[3] > 3.0 * waves.y[1]);
        QVERIFY(slopes.y[3] < 4.0 * slopes.y[1]);
        QVERIFY(waves.y[3] / waves.y[1] > 3.0 * slopes.y[3] / slopes.y[1]);
        QVERIFY(result.conclusion.find("ALiBi") != std::string::npos);
    }

    void theLossFallsWithSizeAsAPower()
    {
        Experiment experiment =
            smaller("scaling-law", R"({"steps": 250, "data": {"bytes": 800000}})");
        experiment.variants.erase(experiment.variants.begin() + 4, experiment.variants.end());
        const auto result = runSmall(experiment);
        QVERIFY(result.law && result.law->exponent > 0.1 && result.law->residual < 0.1);
        for (std::size_t i = 1; i < result.variants.size(); ++i) {
            QVERIFY(result.variants[i].number("validation_loss") <
                    result.variants[i - 1].number("validation_loss"));
            QVERIFY(result.variants[i].number("parameters") >
                    result.variants[i - 1].number("parameters"));
        }
        // 12 d^2 + 13 d a layer and 2 d of the last norm, for d = 16 and two layers
        QCOMPARE(result.variants[0].number("parameters"),
                 2.0 * (12.0 * 256.0 + 13.0 * 16.0) + 2.0 * 16.0);
    }
};

HEADSCOPE_TEST(TstExperimentsOfDepth)
#include "tst_experiments_of_depth.moc"
