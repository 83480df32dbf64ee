#include "core/analysis/flow/token_flow.h"
#include "core/base/error.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>

using namespace headscope;

namespace {

Tensor matrix(const std::vector<float>& values)
{
    Tensor tensor({2, 2});
    std::ranges::copy(values, tensor.data());
    return tensor;
}

std::vector<float> valuesOf(const Tensor& tensor)
{
    return {tensor.values().begin(), tensor.values().end()};
}

} // namespace

class TstTokenFlow : public QObject
{
    Q_OBJECT

private slots:

    /// All values are powers of 2, so that a contribution can equal the threshold.
    void contributionsOfAtLeastTheThresholdAreKept()
    {
        const Tensor mixing = matrix({1.0F, 0.0F, 0.25F, 0.75F});
        QCOMPARE(valuesOf(strongestContributions(mixing.view(), 0.25F)),
                 (std::vector<float>{1.0F, 0.0F, 0.25F, 0.75F}));
        QCOMPARE(valuesOf(strongestContributions(mixing.view(), 0.26F)),
                 (std::vector<float>{1.0F, 0.0F, 0.0F, 1.0F}));
        QCOMPARE(valuesOf(strongestContributions(mixing.view(), 0.8F)),
                 (std::vector<float>{1.0F, 0.0F, 0.0F, 0.0F}));
    }

    /// Token 1 after both layers: a quarter from token 0, the rest divided again below.
    void pathsAreProductsOfContributions()
    {
        const std::vector<Tensor> mixing{matrix({1.0F, 0.0F, 0.5F, 0.5F}),
                                         matrix({1.0F, 0.0F, 0.25F, 0.75F})};
        const std::vector<Tensor> paths = pathsInto(mixing, 2, 1);
        QCOMPARE(valuesOf(paths.at(1)), (std::vector<float>{0.0F, 0.0F, 0.25F, 0.75F}));
        QCOMPARE(valuesOf(paths.at(0)), (std::vector<float>{0.25F, 0.0F, 0.375F, 0.375F}));
        QVERIFY(pathsInto(mixing, 0, 1).empty());
        QVERIFY_THROWS_EXCEPTION(ShapeError, pathsInto(mixing, 3, 1));
        QVERIFY_THROWS_EXCEPTION(ShapeError, pathsInto(mixing, 1, 2));
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstTokenFlow)
#include "tst_token_flow.moc"
