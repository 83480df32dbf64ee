#include "core/ops/embedding.h"
#include "core/ops/linear.h"
#include "core/ops/softmax.h"
#include "tests/support/numeric_gradient.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace headscope;
using namespace headscope::test;

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

    void inputGradientsAreAddedOnRequest()
    {
        const Tensor x = randomTensor({5, 19}, 1);
        const Tensor weight = randomTensor({18, 19}, 2);
        const Tensor dy = randomTensor({5, 18}, 4);
        Tensor dx(x.shape());
        Tensor added = randomTensor(x.shape(), 3);
        std::vector<double> expected(added.values().begin(), added.values().end());
        linearBackward(x.view(), weight.view(), dy.view(), {dx.view(), {}, {}});
        linearBackward(x.view(), weight.view(), dy.view(), {added.view(), {}, {}, false, true});
        for (std::size_t i = 0; i < dx.size(); ++i)
            expected[i] += static_cast<double>(dx.data()[i]);
        HS_COMPARE(floats(added), expected, (Tolerance{1e-5, 1e-5}));
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

HEADSCOPE_TEST(TstOpGradients)
#include "tst_op_gradients.moc"
