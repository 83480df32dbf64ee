#include "core/base/random.h"
#include "core/ops/activations.h"
#include "core/ops/embedding.h"
#include "core/ops/layer_norm.h"
#include "core/ops/linear.h"
#include "core/ops/softmax.h"
#include "tests/support/numeric_gradient.h"

#include <QtTest>

#include <numeric>

using namespace headscope;
using namespace headscope::test;

namespace {

Tensor randomTensor(const Shape& shape, std::uint64_t seed, double scale = 1.0)
{
    Tensor tensor(shape);
    Random random(seed);
    for (float& value : tensor.values())
        value = static_cast<float>(scale * random.normal());
    return tensor;
}

/// The scalar whose gradient an operator's backward gives for the upstream gradient `weights`.
double weightedSum(const Tensor& values, const Tensor& weights)
{
    return std::inner_product(
        values.values().begin(), values.values().end(), weights.values().begin(), 0.0,
        [](double a, double b) { return a + b; },
        [](float a, float b) { return static_cast<double>(a) * b; });
}

std::span<const float> floats(const Tensor& tensor)
{
    return tensor.values();
}

constexpr ActivationKind kKinds[] = {ActivationKind::Relu, ActivationKind::GeluExact,
                                     ActivationKind::GeluTanh};

} // namespace

class TstOpGradients : public QObject
{
    Q_OBJECT

private slots:

    void linearGradientsAgreeWithDifferences()
    {
        Tensor x = randomTensor({5, 19}, 1);
        Tensor weight = randomTensor({18, 19}, 2);
        Tensor bias = randomTensor({18}, 3);
        const Tensor dy = randomTensor({5, 18}, 4);
        Tensor dx(x.shape());
        Tensor dWeight(weight.shape());
        Tensor dBias(bias.shape());
        linearBackward(x.view(), weight.view(), dy.view(),
                       {dx.view(), dWeight.view(), dBias.view(), false});
        const auto value = [&] {
            Tensor y(dy.shape());
            linear(x.view(), weight.view(), bias.view(), y.view());
            return weightedSum(y, dy);
        };
        HS_COMPARE_GRADIENT(value, x.values(), floats(dx));
        HS_COMPARE_GRADIENT(value, weight.values(), floats(dWeight));
        HS_COMPARE_GRADIENT(value, bias.values(), floats(dBias));
    }

    void layerNormGradientsAgreeWithDifferences()
    {
        Tensor x = randomTensor({4, 21}, 5);
        Tensor gamma = randomTensor({21}, 6);
        Tensor beta = randomTensor({21}, 7);
        const Tensor dy = randomTensor({4, 21}, 8);
        Tensor y(x.shape());
        Tensor mean(Shape{4});
        Tensor scale(Shape{4});
        const auto value = [&] {
            layerNorm(x.view(), gamma.view(), beta.view(), 1e-5F, y.view(),
                      {mean.view(), scale.view()});
            return weightedSum(y, dy);
        };
        value();
        Tensor dx(x.shape());
        Tensor dGamma(gamma.shape());
        Tensor dBeta(beta.shape());
        layerNormBackward(x.view(), gamma.view(), {mean.view(), scale.view()}, dy.view(),
                          {dx.view(), dGamma.view(), dBeta.view()});
        HS_COMPARE_GRADIENT(value, x.values(), floats(dx));
        HS_COMPARE_GRADIENT(value, gamma.values(), floats(dGamma));
        HS_COMPARE_GRADIENT(value, beta.values(), floats(dBeta));
    }

    void activationGradientsAgreeWithDifferences()
    {
        for (const ActivationKind kind : kKinds) {
            Tensor x = randomTensor({3, 18}, 9);
            for (float& value : x.values())
                value += value < 0.0F ? -0.2F : 0.2F; // away from the corner of relu
            Tensor bias(Shape{18});
            const Tensor dy = randomTensor({3, 18}, 10);
            Tensor total(x.shape());
            const auto value = [&] {
                Tensor y(x.shape());
                activation(kind, x.view(), bias.view(), y.view(), total.view());
                return weightedSum(y, dy);
            };
            value();
            Tensor gradient = dy;
            Tensor dBias(bias.shape());
            activationBackward(kind, total.view(), gradient.view(), {}, dBias.view());
            HS_COMPARE_GRADIENT(value, x.values(), floats(gradient));
            HS_COMPARE_GRADIENT(value, bias.values(), floats(dBias));
        }
    }

    void embeddingGradientsAgreeWithDifferences()
    {
        Tensor table = randomTensor({5, 17}, 11);
        Tensor positions = randomTensor({4, 17}, 12);
        const std::vector<std::int32_t> tokens{4, 0, 4, 2, 1, 4};
        EmbeddingInputs inputs{table.view(), tokens, 1.5F, positions.view(), 1, 3};
        const Tensor dy = randomTensor({6, 17}, 13);
        const auto value = [&] {
            Tensor y(dy.shape());
            embedding(inputs, y.view());
            return weightedSum(y, dy);
        };
        Tensor dTable(table.shape());
        Tensor dPositions(positions.shape());
        embeddingBackward(inputs, dy.view(), dTable.view(), dPositions.view());
        HS_COMPARE_GRADIENT(value, table.values(), floats(dTable));
        HS_COMPARE_GRADIENT(value, positions.values(), floats(dPositions));
    }

    void softmaxGradientAgreesWithDifferences()
    {
        Tensor x = randomTensor({3, 20}, 14);
        const Tensor dy = randomTensor({3, 20}, 15, 3.0);
        Tensor y(x.shape());
        const auto value = [&] {
            softmax(x.view(), y.view());
            return weightedSum(y, dy);
        };
        value();
        Tensor dx = dy;
        softmaxBackward(y.view(), dx.view(), dx.view());
        HS_COMPARE_GRADIENT(value, x.values(), floats(dx));
    }
};

QTEST_GUILESS_MAIN(TstOpGradients)
#include "tst_op_gradients.moc"
