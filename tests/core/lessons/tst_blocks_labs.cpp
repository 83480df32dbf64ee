#include "core/base/error.h"
#include "core/model/config/presets.h"
#include "tests/core/lessons/lab_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>
#include <numbers>

using namespace headscope;
using namespace headscope::test;

namespace {

bool throwsError(const std::function<void()>& call)
{
    try {
        call();
    } catch (const Error& error) {
        return std::string(error.what()).size() > 10;
    }
    return false;
}

/// A fresh model of a preset, with the tokenizer of the stories.
LoadedModel freshModel(const char* preset, const std::function<void(ModelConfig&)>& change = {})
{
    LoadedModel model = shippedModel("builtin:stories");
    ModelConfig config = presetConfig(preset);
    config.vocabularySize = model.model->config().vocabularySize;
    if (change)
        change(config);
    model.model = std::make_shared<Model>(Model::initialised(config, 1));
    model.name = preset;
    return model;
}

} // namespace

class TstBlocksLabs : public QObject
{
    Q_OBJECT

private slots:

    void everyLabCanBeDrawnAtAllEndsOfItsControls()
    {
        for (const Lab& lab : labsOf(LabSubject::Blocks))
            QCOMPARE(flawAtAllEnds(lab), std::string());
    }

    /// 1 2 3 4: mean 2.5, variance 1.25 (divisor 4) and 5/3 (divisor 3), mean square 7.5.
    void b1ThreeNormsOfOneToFour()
    {
        const LabResult result = runLab("norms", {{"epsilon", "1e-8"}});
        for (int i = 0; i < 4; ++i) {
            const double centred = i + 1.0 - 2.5;
            const std::string channel = "_" + std::to_string(i);
            QVERIFY(near(valueOf(result, "layer" + channel), centred / std::sqrt(1.25)));
            QVERIFY(near(valueOf(result, "rms" + channel), (i + 1.0) / std::sqrt(7.5)));
            QVERIFY(near(valueOf(result, "std_eps" + channel), centred / std::sqrt(5.0 / 3.0)));
        }
        QVERIFY(near(valueOf(result, "layer_std"), 1.0));
        QVERIFY(near(valueOf(result, "rms_rms"), 1.0));
        QVERIFY(near(valueOf(result, "std_eps_std"), std::sqrt(0.75)));
        // where epsilon stands decides what it does: outside the root, and inside
        const LabResult large = runLab("norms", {{"epsilon", "1"}});
        QVERIFY(near(valueOf(large, "std_eps_3"), 1.5 / (std::sqrt(5.0 / 3.0) + 1.0)));
        QVERIFY(near(valueOf(large, "layer_3"), 1.5 / std::sqrt(1.25 + 1.0)));
    }

    void b1ValuesThatAreNoNumbersAreRefused()
    {
        for (const char* values : {"", "1", "1 two", "nan 1", "inf 1", "1e300 1", "1e999 2",
                                   "1 2 3 4 5 6 7 8 9 10 11 12 13", ", , ,", "1 2x"})
            QVERIFY2(throwsError([&] { runLab("norms", {{"values", values}}); }), values);
        for (const char* values : {"5 5 5 5", "0 0", "-1e6, 1e6", "1e-30 2e-30", "3;4;5"})
            QCOMPARE(flawOf(catalogueLab("norms"), runLab("norms", {{"values", values}})),
                     std::string());
    }

    /// At the start: post-norm keeps the last layer's gradient large at every depth, pre-norm
    /// divides it by the root of the depth (Xiong et al. 2020).
    void b2GradientAtTheStartByNormPosition()
    {
        const LabResult result = runLab("norm-position", {{"width", "64"}});
        QVERIFY(valueOf(result, "post_last") > 2.0 * valueOf(result, "pre_last"));
        QVERIFY(valueOf(result, "post_change") > 0.8);
        const double fall = valueOf(result, "pre_change");
        QVERIFY(near(fall, std::sqrt(2.0 / 24.0), 0.1));
        const auto& layers = imageIn<LabChart>(result, 0);
        QCOMPARE(layers.series.size(), std::size_t{2});
        QCOMPARE(layers.series[0].y.size(), std::size_t{12});
        QCOMPARE(layers.series[1].y.back(), valueOf(result, "pre_last"));
        // the depth of the chart beside it is this depth's
        const LabResult sixteen = runLab("norm-position", {{"width", "64"}, {"layers", "16"}});
        QCOMPARE(imageIn<LabChart>(sixteen, 1).series[1].y[3], valueOf(sixteen, "pre_last"));
    }

    void b3CurvesOfTheActivations()
    {
        const LabResult result = runLab("feed-forward");
        const auto& chart = imageIn<LabChart>(result, 0);
        for (std::size_t i = 0; i < chart.series[0].x.size(); ++i) {
            const double x = chart.series[0].x[i];
            const double phi = 0.5 * (1.0 + std::erf(x / std::numbers::sqrt2));
            QVERIFY(near(chart.series[0].y[i], std::max(x, 0.0)));
            QVERIFY(near(chart.series[1].y[i], x * phi, 2e-6));
            QVERIFY(near(chart.series[2].y[i], x / (1.0 + std::exp(-x)), 2e-6));
        }
        QVERIFY(!chart.series[1].isDashed && chart.series[0].isDashed);
    }

    /// d_ff is 4 d by default, and block(512, 8, 2048) has 3,152,384 parameters.
    void b3ParametersOfTheFeedForwardPart()
    {
        const LabResult result = runLab("feed-forward");
        QCOMPARE(valueOf(result, "d_ff"), 2048.0);
        QCOMPARE(valueOf(result, "parameters"), 2.0 * 512 * 2048 + 2048 + 512);
        QCOMPARE(valueOf(result, "block"), 3152384.0);
        QCOMPARE(valueOf(result, "parameters_gated"), 3.0 * 512 * 2048 + 2 * 2048 + 512);
        const LabResult gated = runLab("feed-forward", {{"activation", "swiglu"}});
        QCOMPARE(valueOf(gated, "parameters"), valueOf(result, "parameters_gated"));
    }

    /// Every word has k experts whose weights sum to 1; the loss is E sum f P.
    void b4RouterLoadAndBalancingLoss()
    {
        const LabResult result = runLab("experts", {{"experts", "6"}, {"top_k", "3"}});
        const auto& weights = imageIn<LabMatrix>(result, 0);
        for (std::size_t word = 0; word < 8; ++word) {
            double sum = 0.0;
            int chosen = 0;
            for (std::size_t expert = 0; expert < 6; ++expert) {
                sum += weights.values[word * 6 + expert];
                chosen += weights.masked[word * 6 + expert] ? 0 : 1;
            }
            QVERIFY(near(sum, 1.0));
            QCOMPARE(chosen, 3);
        }
        double load = 0.0;
        for (int expert = 0; expert < 6; ++expert)
            load += valueOf(result, "load_" + std::to_string(expert));
        QVERIFY(near(load, 100.0));
        QVERIFY(valueOf(result, "balance") > valueOf(result, "balance_after"));
        QVERIFY(near(valueOf(result, "balance_after"), 1.0, 0.05));
        QVERIFY(valueOf(result, "largest_load_after") < valueOf(result, "largest_load"));
        // all experts always: even by force
        const LabResult all = runLab("experts", {{"experts", "3"}, {"top_k", "3"}});
        QVERIFY(near(valueOf(all, "balance"), 1.0));
        QVERIFY(near(valueOf(all, "largest_load"), 100.0 / 3.0));
        QCOMPARE(valueOf(all, "parameters"), valueOf(all, "active"));
    }

    void b4MoreExpertsThanThereAreAreRefused()
    {
        QVERIFY(throwsError([] { runLab("experts", {{"experts", "2"}, {"top_k", "3"}}); }));
    }

    /// Six blocks; each further expert of a block has two matrices and two biases.
    void b4OnlyChosenExpertsAreActive()
    {
        const double expert = 2.0 * 512 * 2048 + 2048 + 512;
        const LabResult result = runLab("experts", {{"experts", "8"}, {"top_k", "2"}});
        QCOMPARE(valueOf(result, "parameters") - valueOf(result, "active"), 6.0 * 6.0 * expert);
    }

    /// The stream's lengths from a forward pass of our own.
    void b5ResidualStreamOfTheShippedModel()
    {
        const LoadedModel model = shippedModel("builtin:stories");
        Tracer tracer(model, std::make_unique<CpuAttention>());
        const TracePtr trace =
            tracer.trace(model.tokenizer->encode("The cat sat on the mat"), {{"*"}});
        const LabResult result = runLab("residual");
        const auto layers = static_cast<int>(valueOf(result, "layers"));
        QCOMPARE(layers, 4);
        for (int layer = 0; layer < layers; ++layer) {
            const auto stream = trace->find({Site::ResidPost, layer});
            double mean = 0.0;
            const auto rows = static_cast<double>(stream->shape()[0]);
            for (std::int64_t row = 0; row < stream->shape()[0]; ++row) {
                double squares = 0.0;
                for (std::int64_t i = 0; i < stream->shape()[1]; ++i)
                    squares += std::pow(static_cast<double>(stream->view()(row, i)), 2);
                mean += std::sqrt(squares) / rows;
            }
            QVERIFY(near(valueOf(result, "norm_" + std::to_string(layer + 1)), mean, 1e-3));
        }
        QVERIFY(valueOf(result, "growth") > 1.0);
    }

    void b5DropoutTakesItsShareAndScalesTheRest()
    {
        for (const char* where : {"weights", "sublayer", "embedding"}) {
            const LabResult result = runLab("residual", {{"where", where}, {"dropout", "0.5"}});
            QVERIFY(near(valueOf(result, "scale"), 2.0, 1e-4));
            const auto& before = imageIn<LabMatrix>(result, 1);
            const auto& after = imageIn<LabMatrix>(result, 2);
            for (std::size_t i = 0; i < before.values.size(); ++i)
                QVERIFY(after.values[i] == 0.0 ||
                        near(after.values[i], 2.0 * before.values[i], 1e-4));
            const bool isSmall = std::string(where) == "weights"; // 28 values
            QVERIFY(near(valueOf(result, "dropped"), 50.0, isSmall ? 30.0 : 8.0));
        }
        const LabResult none = runLab("residual", {{"dropout", "0"}});
        QCOMPARE(valueOf(none, "dropped"), 0.0);
        QCOMPARE(valueOf(none, "mean_before"), valueOf(none, "mean_after"));
        const LabResult later = runLab("residual", {{"step", "7"}, {"dropout", "0.5"}});
        const LabResult first = runLab("residual", {{"dropout", "0.5"}});
        QVERIFY(imageIn<LabMatrix>(later, 2).values != imageIn<LabMatrix>(first, 2).values);
    }

    /// Encoders, post-norm, rotary and gated models are shown as well.
    void labsOfSentencesTakeOtherModels()
    {
        LabContext context = labContext();
        for (const char* preset : {"bert-toy", "gpt2-toy", "llama-toy", "t5-toy"}) {
            context.model = freshModel(preset);
            for (const char* lab : {"residual", "painted-mask", "leak"})
                QCOMPARE(flawOf(catalogueLab(lab), runLab(lab, {}, context)), std::string());
        }
        context.model = freshModel("bert-toy", [](ModelConfig& config) {
            config.languageHead = false;
            config.headTransform = false;
            config.headBias = false;
            config.nextSentence = false;
        });
        for (const char* lab : {"residual", "painted-mask", "leak"})
            QCOMPARE(flawOf(catalogueLab(lab), runLab(lab, {}, context)), std::string());
    }

    void b6WeightsAreDrawnFromN002AndBiasesAreZero()
    {
        const LabResult result = runLab("initialisation", {{"d", "128"}});
        QVERIFY(near(valueOf(result, "mean"), 0.0, 1e-4));
        QVERIFY(near(valueOf(result, "std"), 0.02, 1e-4));
        QCOMPARE(valueOf(result, "largest_bias"), 0.0);
        QVERIFY(near(valueOf(result, "even_loss"), std::log(256.0)));
        QVERIFY(near(valueOf(result, "first_loss"), std::log(256.0), 0.1));
        const auto& chart = imageIn<LabChart>(result, 0);
        const double width = chart.series[0].x[1] - chart.series[0].x[0];
        double all = 0.0;
        for (std::size_t i = 0; i < chart.series[0].y.size(); ++i) {
            all += width * chart.series[0].y[i];
            QVERIFY(near(chart.series[0].y[i], chart.series[1].y[i], 0.6)); // of 20 at the top
        }
        QVERIFY(near(all, 1.0, 1e-3)); // four deviations hold nearly all
        QVERIFY(valueOf(runLab("initialisation", {{"std", "1"}}), "first_loss") > 10.0);
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstBlocksLabs)
#include "tst_blocks_labs.moc"
