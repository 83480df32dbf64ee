// labels: golden
#include "core/base/error.h"
#include "core/ops/activations.h"
#include "core/ops/adamw.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/embedding.h"
#include "core/ops/layer_norm.h"
#include "core/ops/linear.h"
#include "core/ops/positions.h"
#include "core/ops/softmax.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

std::span<const float> floats(const Tensor& tensor)
{
    return tensor.values();
}

std::vector<std::int32_t> ids(const GoldenFile& golden, const std::string& name)
{
    const std::vector<std::int64_t> values = golden.integers(name);
    return {values.begin(), values.end()};
}

constexpr ActivationKind kKinds[] = {ActivationKind::Relu, ActivationKind::GeluExact,
                                     ActivationKind::GeluTanh};

} // namespace

class TstOps : public QObject
{
    Q_OBJECT

private slots:

    void linearAgreesWithTorch()
    {
        const GoldenFile golden("ops/linear.safetensors");
        const Tensor x = golden.tensor("in.x");
        const Tensor weight = golden.tensor("in.weight");
        const Tensor bias = golden.tensor("in.bias");
        const Tensor dy = golden.tensor("in.dout");
        Tensor y(dy.shape());
        linear(x.view(), weight.view(), bias.view(), y.view());
        HS_COMPARE(floats(y), golden.expected("out.out"), kOps);

        Tensor dx(x.shape());
        Tensor dWeight(weight.shape());
        Tensor dBias(bias.shape());
        linearBackward(x.view(), weight.view(), dy.view(),
                       {dx.view(), dWeight.view(), dBias.view(), false});
        HS_COMPARE(floats(dx), golden.expected("grad.x"), kOps);
        HS_COMPARE(floats(dWeight), golden.expected("grad.weight"), kOps);
        HS_COMPARE(floats(dBias), golden.expected("grad.bias"), kOps);

        linearBackward(x.view(), weight.view(), dy.view(),
                       {{}, dWeight.view(), dBias.view(), true});
        for (float& value : dWeight.values())
            value *= 0.5F;
        HS_COMPARE(floats(dWeight), golden.expected("grad.weight"), kOps);
        linearAdd(x.view(), weight.view(), bias.view(), y.view());
        for (float& value : y.values())
            value *= 0.5F;
        HS_COMPARE(floats(y), golden.expected("out.out"), kOps);
    }

    void layerNormAgreesWithTorch()
    {
        const GoldenFile golden("ops/layernorm.safetensors");
        const Tensor x = golden.tensor("in.x");
        const Tensor gamma = golden.tensor("in.gamma");
        const Tensor beta = golden.tensor("in.beta");
        const Tensor dy = golden.tensor("in.dout");
        Tensor y(x.shape());
        Tensor mean(Shape{x.shape()[0]});
        Tensor scale(Shape{x.shape()[0]});
        const LayerNormStatistics statistics{mean.view(), scale.view()};
        layerNorm(x.view(), gamma.view(), beta.view(), golden.params().at("eps").get<float>(),
                  y.view(), statistics);
        HS_COMPARE(floats(y), golden.expected("out.out"), kLayerNorm);
        Tensor dx(x.shape());
        Tensor dGamma(gamma.shape());
        Tensor dBeta(beta.shape());
        layerNormBackward(x.view(), gamma.view(), statistics, dy.view(),
                          {dx.view(), dGamma.view(), dBeta.view()});
        HS_COMPARE(floats(dx), golden.expected("grad.x"), kLayerNorm);
        HS_COMPARE(floats(dGamma), golden.expected("grad.gamma"), kLayerNorm);
        HS_COMPARE(floats(dBeta), golden.expected("grad.beta"), kLayerNorm);
    }

    void activationsAgreeWithTorch()
    {
        const GoldenFile golden("ops/activations.safetensors");
        const char* const names[] = {"relu", "gelu_exact", "gelu_tanh"};
        const Tensor x = golden.tensor("in.x");
        for (std::size_t i = 0; i < std::size(kKinds); ++i) {
            Tensor y(x.shape());
            activation(kKinds[i], x.view(), {}, y.view());
            HS_COMPARE(floats(y), golden.expected(std::string("out.") + names[i]), kOps);
            Tensor slope(x.shape());
            std::ranges::fill(slope.values(), 1.0F);
            Tensor again(x.shape());
            activationBackward(kKinds[i], x.view(), slope.view(), again.view());
            HS_COMPARE(floats(slope), golden.expected(std::string("grad.") + names[i]), kOps);
            QVERIFY(std::ranges::equal(y.values(), again.values()));
        }
    }

    void geluIsExactToSevenDigits()
    {
        for (int i = -60000; i <= 60000; ++i) {
            Tensor x(Shape{1, 1});
            x.data()[0] = static_cast<float>(i) / 5000.0F;
            Tensor y(x.shape());
            activation(ActivationKind::GeluExact, x.view(), {}, y.view());
            const double value = x.data()[0];
            const double exact = 0.5 * value * std::erfc(-value / std::sqrt(2.0));
            const double error = std::abs(static_cast<double>(y.data()[0]) - exact);
            QVERIFY2(error <= 3e-7 * std::max(1.0, std::abs(value)), std::to_string(value).c_str());
        }
    }

    void activationsKeepTheirLimits()
    {
        for (const ActivationKind kind : kKinds) {
            Tensor x(Shape{6});
            std::ranges::copy(std::array{-1e30F, -100.0F, -0.0F, 0.0F, 100.0F, 1e30F}, x.data());
            Tensor y(x.shape());
            activation(kind, x.view(), {}, y.view());
            const std::vector<double> expected{0, 0, 0, 0, 100, 1e30};
            HS_COMPARE(floats(y), expected, kOps);
            Tensor nan(Shape{1});
            nan.data()[0] = NAN;
            activation(ActivationKind::GeluExact, nan.view(), {}, nan.view());
            QVERIFY(std::isnan(nan.data()[0]));
        }
    }

    void embeddingAgreesWithTorch()
    {
        const GoldenFile golden("ops/embedding.safetensors");
        const Tensor table = golden.tensor("in.weight");
        const Tensor dy = golden.tensor("in.dout");
        const std::vector<std::int32_t> tokens = ids(golden, "in.ids");
        EmbeddingInputs inputs;
        inputs.table = table.view();
        inputs.ids = tokens;
        Tensor y(dy.shape());
        embedding(inputs, y.view());
        HS_COMPARE(floats(y), golden.expected("out.out"), kOps);
        Tensor gradient(table.shape());
        embeddingBackward(inputs, dy.view(), gradient.view());
        HS_COMPARE(floats(gradient), golden.expected("grad.weight"), kOps);
    }

    void softmaxAgreesWithTorch()
    {
        const GoldenFile golden("ops/softmax.safetensors");
        const Tensor x = golden.tensor("in.x");
        const Tensor dy = golden.tensor("in.dout");
        Tensor y(x.shape());
        softmax(x.view(), y.view());
        HS_COMPARE(floats(y), golden.expected("out.softmax"), kOps);
        Tensor dx(x.shape());
        softmaxBackward(y.view(), dy.view(), dx.view());
        HS_COMPARE(floats(dx), golden.expected("grad.softmax"), kOps);
        for (std::size_t i = 0; i < x.size(); ++i)
            QVERIFY(std::isfinite(x.data()[i]) || y.data()[i] == 0.0F);
    }

    void crossEntropyAgreesWithTorch_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* name : {"cross_entropy", "cross_entropy_ls", "cross_entropy_ls_sum"})
            QTest::newRow(name) << QString("ops/%1.safetensors").arg(name);
    }

    void crossEntropyAgreesWithTorch()
    {
        QFETCH(QString, file);
        const GoldenFile golden(file.toStdString());
        const Tensor logits = golden.tensor("in.logits");
        const std::vector<std::int32_t> targets = ids(golden, "in.targets");
        const bool mean = golden.params().at("reduction") == "mean";
        QCOMPARE(golden.params().at("ignore_index").get<std::int32_t>(), kIgnoreIndex);
        const double divisor = mean ? static_cast<double>(keptTargets(targets)) : 1.0;
        CrossEntropySettings settings;
        settings.smoothing = golden.params().at("label_smoothing");
        settings.scale = static_cast<float>(1.0 / divisor);
        Tensor gradient = logits;
        std::vector<float> perRow(targets.size());
        const std::vector<double> loss{
            crossEntropy(gradient.view(), targets, settings, gradient.view(), perRow) / divisor};
        HS_COMPARE(std::span<const double>(loss), golden.expected("out.loss"), kOps);
        HS_COMPARE(std::span<const float>(perRow), golden.expected("out.per_row"), kOps);
        HS_COMPARE(floats(gradient), golden.expected("grad.logits"), kOps);
    }

    void crossEntropyStaysFiniteForLargeLogits()
    {
        Tensor logits(Shape{2, 3});
        std::ranges::copy(std::array{1e30F, 0.0F, -1e30F, 90.0F, 80.0F, 90.0F}, logits.data());
        Tensor gradient(logits.shape());
        const double loss =
            crossEntropy(logits.view(), std::vector<std::int32_t>{0, 2}, {}, gradient.view());
        QVERIFY(std::abs(loss - std::log(2.0 + std::exp(-10.0))) < 1e-6);
        QVERIFY(std::ranges::all_of(gradient.values(), [](float v) { return std::isfinite(v); }));
    }

    void adamAgreesWithTorch_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("AdamW") << "ops/adamw.safetensors";
        QTest::newRow("Adam") << "ops/adam.safetensors";
    }

    void adamAgreesWithTorch()
    {
        QFETCH(QString, file);
        const GoldenFile golden(file.toStdString());
        for (const std::string name : {"w", "b"}) {
            AdamWUpdate update;
            update.rate = golden.params().at("lr");
            update.beta1 = golden.params().at("beta1");
            update.beta2 = golden.params().at("beta2");
            update.epsilon = golden.params().at("eps");
            update.decay = golden.params().value("weight_decay", 0.0);
            Tensor weights = golden.tensor("in." + name + "0");
            const Tensor gradients = golden.tensor("in.grad_" + name);
            const std::vector<double> expected = golden.expected("out." + name);
            Tensor m(weights.shape());
            Tensor v(weights.shape());
            const std::size_t count = weights.size();
            for (update.step = 1; update.step <= gradients.shape()[0]; ++update.step) {
                const std::size_t start = static_cast<std::size_t>(update.step - 1) * count;
                adamw(update, gradients.values().subspan(start, count),
                      {weights.values(), m.values(), v.values()});
                HS_COMPARE(floats(weights), std::span(expected).subspan(start, count), kOps);
            }
            if (name == "w") {
                const std::size_t last = expected.size() - count;
                const std::vector<double> first = golden.expected("out.w_m");
                const std::vector<double> second = golden.expected("out.w_v");
                HS_COMPARE(floats(m), std::span(first).subspan(last), kOps);
                HS_COMPARE(floats(v), std::span(second).subspan(last), kOps);
            }
        }
    }

    void clippingAgreesWithTorch()
    {
        const GoldenFile golden("ops/clip_global_norm.safetensors");
        const double maximum = golden.params().at("max_norm");
        for (const std::string kind : {"over", "under"}) {
            double squares = 0.0;
            for (const std::string part : {"_g0", "_g1", "_g2"}) {
                for (const double value : golden.doubles("in." + kind + part))
                    squares += value * value;
            }
            const std::vector<double> norm{std::sqrt(squares)};
            HS_COMPARE(std::span<const double>(norm), golden.doubles("out." + kind + "_total"),
                       kOps);
            for (const std::string part : {"_g0", "_g1", "_g2"}) {
                std::vector<double> clipped = golden.doubles("in." + kind + part);
                for (double& value : clipped)
                    value *= clipCoefficient(norm[0], maximum);
                HS_COMPARE(std::span<const double>(clipped), golden.doubles("out." + kind + part),
                           kOps);
            }
        }
        QCOMPARE(clipCoefficient(1e9, std::nullopt), 1.0);
    }

    void sinusoidalPositionsAgreeWithTorch()
    {
        const GoldenFile golden("ops/sinusoidal_pe.safetensors");
        const nlohmann::json& params = golden.params();
        const Tensor table = sinusoidalPositions(params.at("T"), params.at("d"), params.at("base"));
        HS_COMPARE(floats(table), golden.doubles("out64.interleaved"), kPositions);
        const std::vector<std::int64_t> positions = golden.integers("in.positions");
        const std::vector<double> rows = golden.doubles("out64.d512_rows");
        const std::int64_t d = golden.shape("out64.d512_rows")[1];
        const Tensor wide = sinusoidalPositions(std::ranges::max(positions) + 1, d,
                                                params.at("base").get<double>());
        for (std::size_t row = 0; row < positions.size(); ++row) {
            const auto width = static_cast<std::size_t>(d);
            const auto got =
                wide.values().subspan(static_cast<std::size_t>(positions[row]) * width, width);
            HS_COMPARE(got, std::span(rows).subspan(row * width, width), kPositions);
        }
    }

    void operandsThatDoNotFitAreRefused()
    {
        Tensor a(Shape{2, 3});
        Tensor b(Shape{4, 2});
        Tensor vector(Shape{3});
        MutableTensorView strided(a.data(), {2, 2});
        strided.strides = {3, 1};
        QVERIFY_EXCEPTION_THROWN(linear(a.view(), b.view(), {}, b.view()), ShapeError);
        QVERIFY_EXCEPTION_THROWN(softmax(strided, strided), ShapeError);
        QVERIFY_EXCEPTION_THROWN(layerNorm(a.view(), vector.view(), b.view(), 1e-5F, a.view()),
                                 ShapeError);
        const std::vector<std::int32_t> outside{0, 2};
        EmbeddingInputs inputs{a.view(), outside, 1.0F, {}, 0, 0};
        QVERIFY_EXCEPTION_THROWN(embedding(inputs, a.view()), ShapeError);
        QVERIFY_EXCEPTION_THROWN(crossEntropy(a.view(), std::vector<std::int32_t>{0, 3}, {}),
                                 ShapeError);
        QVERIFY_EXCEPTION_THROWN(sinusoidalPositions(4, 0, 10000.0), ShapeError);
    }
};

QTEST_GUILESS_MAIN(TstOps)
#include "tst_ops.moc"
