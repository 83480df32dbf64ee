// labels: golden
#include "core/base/error.h"
#include "core/ops/embedding.h"
#include "core/ops/linear.h"
#include "core/ops/positions.h"
#include "core/ops/softmax.h"
#include "tests/support/test_program.h"
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
        const std::vector<std::int32_t> outside{0, 2};
        EmbeddingInputs inputs{a.view(), outside, 1.0F, {}, 0, 0};
        QVERIFY_EXCEPTION_THROWN(embedding(inputs, a.view()), ShapeError);
        QVERIFY_EXCEPTION_THROWN(sinusoidalPositions(4, 0, 10000.0), ShapeError);
    }
};

HEADSCOPE_TEST(TstOps)
#include "tst_ops.moc"
