// labels: golden
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/ops/expert_router.h"
#include "core/ops/linear.h"
#include "tests/support/numeric_gradient.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

namespace {

struct Routed
{
    Tensor probabilities;
    Tensor weights;

    explicit Routed(const Shape& shape) : probabilities(shape), weights(shape) {}

    RouterOutputs views() { return {probabilities.view(), weights.view()}; }
};

Tensor randomTensor(const Shape& shape, std::uint64_t seed)
{
    Tensor tensor(shape);
    Random random(seed);
    for (float& value : tensor.values())
        value = static_cast<float>(random.normal());
    return tensor;
}

Routed routed(const Tensor& logits, std::int64_t topK)
{
    Routed result(logits.shape());
    routeTopK(logits.view(), topK, result.views());
    return result;
}

Tensor rowOf(std::initializer_list<float> values)
{
    Tensor tensor(Shape{1, static_cast<std::int64_t>(values.size())});
    std::ranges::copy(values, tensor.values().begin());
    return tensor;
}

std::vector<float> weightsOf(std::initializer_list<float> logits, std::int64_t topK)
{
    const Routed result = routed(rowOf(logits), topK);
    return {result.weights.values().begin(), result.weights.values().end()};
}

std::vector<double> times(const std::vector<double>& matrix, std::span<const double> x)
{
    std::vector<double> y(matrix.size() / x.size());
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = std::inner_product(x.begin(), x.end(), matrix.begin() + i * x.size(), 0.0);
    return y;
}

/// The SwiGLU expert `e` of the golden file on one row, in double.
std::vector<double> expertOutput(const GoldenFile& golden, std::int64_t e,
                                 std::span<const double> x)
{
    const std::string prefix = "w.expert." + std::to_string(e) + ".";
    std::vector<double> hidden = times(golden.doubles(prefix + "gate.weight"), x);
    const std::vector<double> up = times(golden.doubles(prefix + "up.weight"), x);
    for (std::size_t i = 0; i < hidden.size(); ++i)
        hidden[i] *= up[i] / (1.0 + std::exp(-hidden[i]));
    return times(golden.doubles(prefix + "down.weight"), hidden);
}

/// The router of models/moe_ffn on its input.
struct GoldenRouter
{
    GoldenFile golden{"models/moe_ffn.safetensors"};
    Tensor x = golden.tensor("in.x");
    Tensor weight = golden.tensor("w.router.weight");
    std::int64_t rows = x.shape()[0];
    std::int64_t experts = weight.shape()[0];
    Tensor logits{Shape{rows, experts}};
    Routed result{logits.shape()};

    GoldenRouter()
    {
        linear(x.view(), weight.view(), {}, logits.view());
        routeTopK(logits.view(), golden.params().at("top_k"), result.views());
    }
};

} // namespace

class TstExpertRouter : public QObject
{
    Q_OBJECT

private slots:

    void choicesAgreeWithTorch()
    {
        GoldenRouter router;
        const GoldenFile& golden = router.golden;
        HS_COMPARE(std::as_const(router.result.probabilities).values(),
                   golden.expected("out.router_probs"), kModelOutputs);
        const std::vector<std::int64_t> chosen = golden.integers("out.topk_index");
        const std::vector<double> weights = golden.expected("out.topk_weight");
        std::vector<double> expected(router.result.weights.size());
        const std::int64_t topK = golden.params().at("top_k");
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const std::int64_t row = static_cast<std::int64_t>(i) / topK;
            expected[static_cast<std::size_t>(row * router.experts + chosen[i])] = weights[i];
        }
        HS_COMPARE(std::as_const(router.result.weights).values(), expected, kModelOutputs);
        for (std::size_t i = 0; i < expected.size(); ++i)
            QCOMPARE(router.result.weights.data()[i] == 0.0F, expected[i] == 0.0);
        const double loss = balancingLoss(router.result.views(), router.rows);
        QVERIFY(std::abs(loss - golden.expected("out.aux_loss")[0]) < 1e-6);
    }

    void loadsAgreeWithTorch()
    {
        GoldenRouter router;
        const std::vector<double> loads = expertLoads(std::as_const(router.result.weights).view());
        const std::vector<double> expected = router.golden.expected("out.expert_fraction");
        QCOMPARE(loads.size(), expected.size());
        for (std::size_t expert = 0; expert < loads.size(); ++expert)
            QVERIFY(std::abs(loads[expert] - expected[expert]) < 1e-6);
    }

    void weightsThatAreNotNormalisedAreProbabilities()
    {
        const Tensor logits = randomTensor({5, 6}, 11);
        Routed result(logits.shape());
        routeTopK(logits.view(), 2, {result.probabilities.view(), result.weights.view(), false});
        for (std::int64_t row = 0; row < 5; ++row) {
            int chosen = 0;
            for (std::int64_t e = 0; e < 6; ++e) {
                const float weight = result.weights.view()(row, e);
                chosen += weight != 0.0F ? 1 : 0;
                QVERIFY(weight == 0.0F || weight == result.probabilities.view()(row, e));
            }
            QCOMPARE(chosen, 2);
        }
    }

    void theirGradientReachesEveryLogit()
    {
        Tensor logits = randomTensor({4, 5}, 12);
        const Tensor upstream = randomTensor({4, 5}, 13);
        Routed result(logits.shape());
        const RouterOutputs outputs{result.probabilities.view(), result.weights.view(), false};
        const auto value = [&] {
            routeTopK(logits.view(), 2, outputs);
            return std::inner_product(upstream.data(), upstream.data() + upstream.size(),
                                      result.weights.data(), 0.0);
        };
        value();
        Tensor gradient(logits.shape());
        routeTopKBackward(outputs, {upstream.view(), 0.0, 1, nullptr, {}}, gradient.view());
        HS_COMPARE_GRADIENT(value, logits.values(), gradient.values());
        QVERIFY(std::ranges::all_of(gradient.values(), [](float slope) { return slope != 0.0F; }));
    }

    void routerGradientsAgreeWithTorch()
    {
        GoldenRouter router;
        const GoldenFile& golden = router.golden;
        const std::vector<double> x = golden.doubles("in.x");
        const std::vector<double> dy = golden.doubles("in.dout");
        const std::size_t d = static_cast<std::size_t>(router.x.shape()[1]);
        Tensor dWeights(router.logits.shape()); // d loss / d weight of expert = <its output, dy>
        std::ranges::fill(dWeights.values(), std::nanf("")); // read where chosen, and only there
        for (std::int64_t i = 0; i < router.rows * router.experts; ++i) {
            if (router.result.weights.data()[i] == 0.0F)
                continue;
            const std::size_t start = static_cast<std::size_t>(i / router.experts) * d;
            const std::vector<double> output =
                expertOutput(golden, i % router.experts, std::span(x).subspan(start, d));
            dWeights.data()[i] = static_cast<float>(
                std::inner_product(output.begin(), output.end(), dy.begin() + start, 0.0));
        }
        Tensor dLogits(router.logits.shape());
        routeTopKBackward(router.result.views(),
                          {dWeights.view(), golden.params().at("aux_coef"), router.rows},
                          dLogits.view());
        Tensor dRouter(router.weight.shape());
        linearBackward(router.x.view(), router.weight.view(), dLogits.view(),
                       {{}, dRouter.view(), {}, false});
        HS_COMPARE(std::as_const(dRouter).values(), golden.expected("grad.router.weight"),
                   kModelGradients);
        routeTopKBackward(router.result.views(),
                          {dWeights.view(), golden.params().at("aux_coef"), router.rows},
                          dWeights.view()); // in place
        QVERIFY(std::ranges::equal(dWeights.values(), dLogits.values()));
    }

    void gradientsAgreeWithDifferences_data()
    {
        QTest::addColumn<int>("experts");
        QTest::addColumn<int>("topK");
        QTest::addColumn<bool>("padded");
        QTest::newRow("1 of 1") << 1 << 1 << false;
        QTest::newRow("1 of 3") << 3 << 1 << false;
        QTest::newRow("2 of 5") << 5 << 2 << false;
        QTest::newRow("3 of 3") << 3 << 3 << false;
        QTest::newRow("4 of 17") << 17 << 4 << false;
        QTest::newRow("2 of 5, padded") << 5 << 2 << true;
    }

    void gradientsAgreeWithDifferences()
    {
        QFETCH(int, experts);
        QFETCH(int, topK);
        QFETCH(bool, padded);
        const std::uint8_t kept[] = {1, 1, 0, 1, 0, 0};
        const std::uint8_t* const rowMask = padded ? kept : nullptr;
        const double balanceScale = 0.7;
        const std::int64_t length = 3; // two sequences
        // Far enough from ties that no difference changes a choice.
        Tensor logits(Shape{6, experts});
        Random random(4);
        for (std::int64_t row = 0; row < 6; ++row) {
            for (std::int64_t e = 0; e < experts; ++e)
                logits.data()[row * experts + e] =
                    0.15F * static_cast<float>((e * 7 + row * 3) % experts) +
                    0.02F * static_cast<float>(random.uniform());
        }
        const Tensor upstream = randomTensor(logits.shape(), 5);
        Routed result = routed(logits, topK);
        Tensor gradient(logits.shape());
        routeTopKBackward(result.views(), {upstream.view(), balanceScale, length, rowMask},
                          gradient.view());
        const auto loss = [&] {
            routeTopK(logits.view(), topK, result.views());
            return std::inner_product(result.weights.values().begin(),
                                      result.weights.values().end(), upstream.values().begin(),
                                      0.0) +
                   balanceScale * balancingLoss(result.views(), length, rowMask);
        };
        HS_COMPARE_GRADIENT(loss, logits.values(), std::as_const(gradient).values());
    }

    void chosenWeightsSumToOne()
    {
        const Tensor logits = randomTensor({40, 9}, 6);
        for (std::int64_t topK = 1; topK <= 9; ++topK) {
            const Routed result = routed(logits, topK);
            for (std::int64_t row = 0; row < 40; ++row) {
                const std::span<const float> weights =
                    result.weights.values().subspan(static_cast<std::size_t>(row * 9), 9);
                const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
                QVERIFY(std::abs(sum - 1.0) < 1e-6);
                QCOMPARE(std::ranges::count(weights, 0.0F), 9 - topK);
            }
        }
    }

    void oneExpertHasAllTheWeight()
    {
        for (const float logit : {-90.0F, -1.0F, 0.0F, 3.3F, 90.0F})
            QCOMPARE(weightsOf({logit}, 1), std::vector<float>{1.0F});
        QCOMPARE(weightsOf({0.3F, 0.1F, 0.2F}, 1), (std::vector<float>{1.0F, 0.0F, 0.0F}));
    }

    void tiesGoToTheLowerIndex()
    {
        QCOMPARE(weightsOf({1.0F, 2.0F, 2.0F, 2.0F}, 1), (std::vector<float>{0, 1, 0, 0}));
        QCOMPARE(weightsOf({1.0F, 2.0F, 2.0F, 2.0F}, 2), (std::vector<float>{0, 0.5F, 0.5F, 0}));
        QCOMPARE(weightsOf({5.0F, 5.0F, 5.0F}, 2), (std::vector<float>{0.5F, 0.5F, 0}));
    }

    void anUnderflownChoiceStaysAChoice()
    {
        const std::vector<float> weights = weightsOf({200.0F, 0.0F, -10.0F}, 2);
        QCOMPARE(weights[0], 1.0F);
        QVERIFY(weights[1] > 0.0F && weights[1] < 1e-30F);
        QCOMPARE(weights[2], 0.0F);
    }

    void logitsMayBecomeTheProbabilities()
    {
        Tensor logits = randomTensor({7, 5}, 8);
        const Routed expected = routed(logits, 2);
        Tensor weights(logits.shape());
        routeTopK(logits.view(), 2, {logits.view(), weights.view()});
        QVERIFY(std::ranges::equal(logits.values(), expected.probabilities.values()));
        QVERIFY(std::ranges::equal(weights.values(), expected.weights.values()));
    }

    void balancingLossIsLeastWhenTheLoadIsEven()
    {
        Tensor even(Shape{4, 4}); // row r prefers expert r
        Tensor skewed(Shape{4, 4});
        for (std::int64_t row = 0; row < 4; ++row) {
            even.data()[row * 4 + row] = 2.0F;
            skewed.data()[row * 4] = 2.0F;
        }
        Routed fair = routed(even, 1);
        Routed unfair = routed(skewed, 1);
        QVERIFY(std::abs(balancingLoss(fair.views(), 4) - 1.0) < 1e-6);
        const double preferred = std::exp(2.0) / (std::exp(2.0) + 3.0);
        QVERIFY(std::abs(balancingLoss(unfair.views(), 4) - 4.0 * preferred) < 1e-6);
        QVERIFY(std::abs(balancingLoss(fair.views(), 1) - 16.0 * preferred) < 1e-5); // 4 sequences
    }

    void paddingTakesNoPartInTheBalance()
    {
        const Tensor logits = randomTensor(Shape{8, 5}, 9); // a text of 3 tokens and one of 4
        Routed both = routed(logits, 2);
        const std::uint8_t mask[] = {1, 1, 1, 0, 1, 1, 1, 1};
        const RouterOutputs views = both.views();
        const auto rows = [&](std::int64_t first, std::int64_t count) {
            const Shape shape{count, 5};
            return RouterOutputs{{views.probabilities.data + first * 5, shape},
                                 {views.weights.data + first * 5, shape}};
        };
        const double alone = balancingLoss(rows(0, 3), 3) + balancingLoss(rows(4, 4), 4);
        QVERIFY(std::abs(balancingLoss(views, 4, mask) - alone) < 1e-12);
        QVERIFY(std::abs(balancingLoss(views, 4) - alone) > 1e-3);
    }

    void anOddNumberStaysInItsRow()
    {
        Tensor logits = randomTensor({3, 4}, 9);
        logits.data()[5] = std::numeric_limits<float>::quiet_NaN();
        const Routed result = routed(logits, 2);
        for (std::int64_t i : {0, 1, 2, 3, 8, 9, 10, 11})
            QVERIFY(std::isfinite(result.weights.data()[i]));
    }

    void wrongCountsAreRefused()
    {
        const Tensor logits = randomTensor({6, 4}, 1);
        for (const std::int64_t topK : {-1, 0, 5})
            QVERIFY_EXCEPTION_THROWN(routed(logits, topK), ShapeError);
        Routed result = routed(logits, 4);
        for (const std::int64_t length : {-1, 0, 4, 7})
            QVERIFY_EXCEPTION_THROWN(balancingLoss(result.views(), length), ShapeError);
        Tensor gradient(logits.shape());
        const auto backward = [&](TensorView upstream, std::int64_t length,
                                  const MutableTensorView& dLogits) {
            routeTopKBackward(result.views(), {upstream, 1.0, length}, dLogits);
        };
        backward(logits.view(), 3, gradient.view());
        const Tensor narrow(Shape{6, 3});
        Tensor shallow(Shape{5, 4});
        QVERIFY_EXCEPTION_THROWN(backward(logits.view(), 4, gradient.view()), ShapeError);
        QVERIFY_EXCEPTION_THROWN(backward(narrow.view(), 3, gradient.view()), ShapeError);
        QVERIFY_EXCEPTION_THROWN(backward({}, 3, gradient.view()), ShapeError);
        QVERIFY_EXCEPTION_THROWN(backward(logits.view(), 3, shallow.view()), ShapeError);
        QVERIFY_EXCEPTION_THROWN(routeTopK(logits.view(), 1, {gradient.view(), shallow.view()}),
                                 ShapeError);
        QVERIFY_EXCEPTION_THROWN(routeTopK(logits.view(), 1, {shallow.view(), gradient.view()}),
                                 ShapeError);
    }
};

HEADSCOPE_TEST(TstExpertRouter)
#include "tst_expert_router.moc"
