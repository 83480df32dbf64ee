// labels: golden
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/ops/kernels.h"
#include "core/ops/parameter_updates.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

std::span<const float> floats(const Tensor& tensor)
{
    return tensor.values();
}

std::vector<float> randomValues(std::size_t count, std::uint64_t seed)
{
    std::vector<float> values(count);
    Random random(seed);
    for (float& value : values)
        value = static_cast<float>(random.normal());
    return values;
}

/// One update in double of one weight, as the header writes it.
struct AdamReference
{
    double weight = 0.0, m = 0.0, v = 0.0;

    void apply(const AdamUpdate& update, double gradient)
    {
        const double g = gradient * update.gradientScale + update.coupledDecay * weight;
        const auto t = static_cast<double>(update.step);
        m = update.beta1 * m + (1.0 - update.beta1) * g;
        v = update.beta2 * v + (1.0 - update.beta2) * g * g;
        const double mean = m / (1.0 - std::pow(update.beta1, t));
        const double deviation = std::sqrt(v / (1.0 - std::pow(update.beta2, t)));
        weight *= 1.0 - update.rate * update.decay;
        weight -= update.rate * mean / (deviation + update.epsilon);
    }
};

} // namespace

class TstParameterUpdates : public QObject
{
    Q_OBJECT

private slots:

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
            AdamUpdate update;
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
                adam(update, gradients.values().subspan(start, count),
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

    void epsilonIsAddedToTheDeviation()
    {
        AdamUpdate update;
        update.rate = 0.5;
        update.epsilon = 3.0;
        update.step = 1;
        std::vector<float> weight{1.0F};
        std::vector<float> m{0.0F};
        std::vector<float> v{0.0F};
        adam(update, std::vector<float>{2.0F}, {weight, m, v});
        // mean 2, deviation 2: 1 - 0.5 * 2 / (2 + 3)
        QVERIFY(std::abs(weight[0] - 0.8F) < 1e-6F);
    }

    void momentumAgreesWithTorch()
    {
        const GoldenFile golden("ops/sgd_momentum.safetensors");
        SgdUpdate update;
        update.rate = golden.params().at("lr");
        update.momentum = golden.params().at("momentum");
        for (const std::string name : {"w", "b"}) {
            Tensor weights = golden.tensor("in." + name + "0");
            Tensor buffer(weights.shape());
            const Tensor gradients = golden.tensor("in.grad_" + name);
            const std::vector<double> expected = golden.expected("out." + name);
            const std::size_t count = weights.size();
            for (std::size_t start = 0; start < gradients.size(); start += count) {
                sgd(update, gradients.values().subspan(start, count),
                    {weights.values(), buffer.values()});
                HS_COMPARE(floats(weights), std::span(expected).subspan(start, count), kOps);
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

    void bothDecaysFollowTheirFormulas_data()
    {
        QTest::addColumn<double>("decay");
        QTest::addColumn<double>("coupledDecay");
        QTest::newRow("decoupled") << 0.3 << 0.0;
        QTest::newRow("coupled") << 0.0 << 0.3;
        QTest::newRow("none") << 0.0 << 0.0;
    }

    void bothDecaysFollowTheirFormulas()
    {
        QFETCH(double, decay);
        QFETCH(double, coupledDecay);
        const std::size_t count = 37;
        AdamUpdate update{0.05, 0.9, 0.98, 1e-9, decay, coupledDecay, 0.5, 1};
        std::vector<float> weights = randomValues(count, 1);
        std::vector<float> m(count), v(count);
        std::vector<AdamReference> reference(count);
        for (std::size_t i = 0; i < count; ++i)
            reference[i].weight = weights[i];
        for (; update.step <= 4; ++update.step) {
            const auto gradient = randomValues(count, 1 + static_cast<std::uint64_t>(update.step));
            adam(update, gradient, {weights, m, v});
            for (std::size_t i = 0; i < count; ++i)
                reference[i].apply(update, gradient[i]);
        }
        std::vector<double> expected;
        for (const AdamReference& value : reference)
            expected.push_back(value.weight);
        HS_COMPARE(std::span<const float>(weights), expected, kOps);
    }

    void gradientDescentDecaysClipsAndKeepsMomentum()
    {
        const SgdUpdate update{0.1, 0.8, 0.02, 0.25};
        std::vector<float> weights = randomValues(19, 1);
        std::vector<float> buffer(weights.size());
        std::vector<double> expected(weights.begin(), weights.end());
        std::vector<double> moved(weights.size());
        for (std::uint64_t step = 2; step < 6; ++step) {
            const auto gradient = randomValues(weights.size(), step);
            sgd(update, gradient, {weights, buffer});
            for (std::size_t i = 0; i < weights.size(); ++i) {
                moved[i] = 0.8 * moved[i] + 0.25 * gradient[i] + 0.02 * expected[i];
                expected[i] -= 0.1 * moved[i];
            }
        }
        HS_COMPARE(std::span<const float>(weights), expected, kOps);
    }

    void everyInstructionSetAgreesWithTheBaseline_data()
    {
        QTest::addColumn<QString>("level");
        QTest::newRow("AVX2") << "avx2";
        QTest::newRow("AVX-512") << "avx512";
    }

    void everyInstructionSetAgreesWithTheBaseline()
    {
        QFETCH(QString, level);
        const Kernels* const table = kernelsFor(level.toUtf8().constData());
        if (!table)
            QSKIP("this processor has no such instructions");
        const auto run = [](const Kernels& kernels, std::size_t count) {
            std::vector<float> all = randomValues(3 * count, 5);
            const std::vector<float> gradient = randomValues(count, 6);
            float* const weights = all.data();
            float* const buffer = weights + count;
            std::fill_n(buffer + count, count, 0.5F);
            const auto n = static_cast<std::int64_t>(count);
            kernels.adam({0.5F, 0.9F, 0.95F, 1e-2F, 1.2F, 1e-8F, 0.99F, 0.1F}, gradient.data(),
                         buffer, buffer + count, weights, n);
            kernels.sgd({0.5F, 0.1F, 0.9F, 0.02F}, gradient.data(), buffer, weights, n);
            return all;
        };
        for (std::size_t count = 1; count <= 67; ++count) {
            const std::vector<float> expected = run(*kernelsFor("baseline"), count);
            const std::vector<float> got = run(*table, count);
            const std::vector<double> reference(expected.begin(), expected.end());
            HS_COMPARE(std::span<const float>(got), reference, kOps);
        }
    }

    void operandsThatDoNotFitAreRefused()
    {
        std::vector<float> three(3), two(2);
        AdamUpdate update;
        update.step = 0;
        QVERIFY_EXCEPTION_THROWN(adam(update, three, {three, three, three}), ShapeError);
        update.step = 1;
        adam(update, three, {three, three, three});
        QVERIFY_EXCEPTION_THROWN(adam(update, three, {three, two, three}), ShapeError);
        QVERIFY_EXCEPTION_THROWN(adam(update, two, {three, three, three}), ShapeError);
        QVERIFY_EXCEPTION_THROWN(sgd({}, three, {two, three}), ShapeError);
        QVERIFY_EXCEPTION_THROWN(sgd({}, three, {three, two}), ShapeError);
    }
};

HEADSCOPE_TEST(TstParameterUpdates)
#include "tst_parameter_updates.moc"
