// labels: golden
#include "core/base/error.h"
#include "core/ops/batch_norm.h"
#include "core/ops/norm.h"
#include "tests/support/golden.h"
#include "tests/support/numeric_gradient.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

/// The rows of one golden batch: two of them are padding.
struct Rows
{
    explicit Rows(const GoldenFile& golden)
        : x(golden.tensor("in.x"))
        , gamma(golden.tensor("in.gamma"))
        , beta(golden.tensor("in.beta"))
        , dy(golden.tensor("in.dout"))
        , mean(gamma.shape())
        , variance(gamma.shape())
    {
        const Tensor shown = golden.tensor("in.mask");
        for (const float value : shown.values())
            mask.push_back(value != 0.0F ? 1 : 0);
    }

    CountedRows counted() const { return {mask.data(), x.shape()[0]}; }

    BatchNormParameters parameters() const { return {1e-5F, gamma.view(), beta.view()}; }

    BatchMoments moments() const { return {mean.view(), variance.view()}; }

    Tensor normed()
    {
        batchMoments(x.view(), counted(), mean.view(), variance.view());
        Tensor y(x.shape());
        batchNorm(parameters(), moments(), x.view(), y.view());
        return y;
    }

    double loss() // the upstream gradient is dy
    {
        const Tensor y = normed();
        double sum = 0.0;
        for (std::size_t i = 0; i < y.size(); ++i)
            sum += double{y.data()[i]} * double{dy.data()[i]};
        return sum;
    }

    Tensor x;
    Tensor gamma;
    Tensor beta;
    Tensor dy;
    Tensor mean;
    Tensor variance;
    std::vector<std::uint8_t> mask;
};

struct Gradients
{
    explicit Gradients(Rows& rows) : x(rows.x.shape()), gamma(rows.gamma.shape()), beta(gamma)
    {
        rows.normed();
        batchNormBackward(rows.parameters(), rows.moments(), rows.counted(), rows.x.view(),
                          rows.dy.view(), {x.view(), gamma.view(), beta.view()});
    }

    Tensor x;
    Tensor gamma;
    Tensor beta;
};

} // namespace

class TstBatchNorm : public QObject
{
    Q_OBJECT

private slots:

    void agreesWithTorchInTraining()
    {
        const GoldenFile golden("ops/batchnorm.safetensors");
        Rows rows(golden);
        const Tensor y = rows.normed();
        HS_COMPARE(floats(y), golden.expected("out.out"), kOps);
        HS_COMPARE(floats(rows.mean), golden.expected("out.mean"), kOps);
        HS_COMPARE(floats(rows.variance), golden.expected("out.var"), kOps);
        const Gradients gradients(rows);
        HS_COMPARE(floats(gradients.x), golden.expected("grad.x"), kLayerNorm);
        HS_COMPARE(floats(gradients.gamma), golden.expected("grad.gamma"), kLayerNorm);
        HS_COMPARE(floats(gradients.beta), golden.expected("grad.beta"), kLayerNorm);
    }

    void agreesWithTorchInUse()
    {
        const GoldenFile golden("ops/batchnorm.safetensors");
        const Rows rows(golden);
        const Tensor mean = golden.tensor("out.running_mean");
        const Tensor variance = golden.tensor("out.running_var");
        Tensor y(rows.x.shape());
        batchNorm(rows.parameters(), {mean.view(), variance.view()}, rows.x.view(), y.view());
        HS_COMPARE(floats(y), golden.expected("out.eval"), kOps);
    }

    void epsilonMayBeZero()
    {
        const std::vector<float> x{3.0F, 7.0F};
        const std::vector<float> mean{5.0F};
        const std::vector<float> variance{4.0F};
        const std::vector<float> gamma{2.0F};
        const std::vector<float> beta{1.0F};
        const auto channel = [](const std::vector<float>& one) {
            return TensorView(one.data(), {1});
        };
        Tensor y({2, 1});
        batchNorm({0.0F, channel(gamma), channel(beta)}, {channel(mean), channel(variance)},
                  TensorView(x.data(), {2, 1}), y.view());
        QCOMPARE(y.data()[0], -1.0F);
        QCOMPARE(y.data()[1], 3.0F);
    }

    void gradientsAreThoseOfDifferences()
    {
        Rows rows(GoldenFile("ops/batchnorm.safetensors"));
        const Gradients gradients(rows);
        const auto loss = [&] { return rows.loss(); };
        HS_COMPARE_GRADIENT(loss, rows.x.values(), gradients.x.values(), {0.02F, {2e-3, 1e-3}});
        HS_COMPARE_GRADIENT(loss, rows.gamma.values(), gradients.gamma.values());
        HS_COMPARE_GRADIENT(loss, rows.beta.values(), gradients.beta.values());
    }

    void inUseTheMomentsAreConstants()
    {
        Rows rows(GoldenFile("ops/batchnorm.safetensors"));
        rows.normed();
        Tensor dx(rows.x.shape());
        fixedNormBackward(rows.parameters(), rows.moments(), rows.x.view(), rows.dy.view(),
                          {dx.view(), {}, {}});
        const auto loss = [&] {
            Tensor y(rows.x.shape());
            batchNorm(rows.parameters(), rows.moments(), rows.x.view(), y.view());
            double sum = 0.0;
            for (std::size_t i = 0; i < y.size(); ++i)
                sum += double{y.data()[i]} * double{rows.dy.data()[i]};
            return sum;
        };
        HS_COMPARE_GRADIENT(loss, rows.x.values(), dx.values(), {0.02F, {2e-3, 1e-3}});
    }

    void whatHasNoMomentsIsRefused()
    {
        Rows rows(GoldenFile("ops/batchnorm.safetensors"));
        rows.mask.assign(rows.mask.size(), 0);
        QVERIFY_EXCEPTION_THROWN(rows.normed(), ShapeError);
        const NormParameters parameters{NormKind::Batch, 1e-5F, rows.gamma.view(),
                                        rows.beta.view()};
        QVERIFY_EXCEPTION_THROWN(norm(parameters, rows.x.view(), rows.x.view()), ShapeError);
    }
};

HEADSCOPE_TEST(TstBatchNorm)
#include "tst_batch_norm.moc"
