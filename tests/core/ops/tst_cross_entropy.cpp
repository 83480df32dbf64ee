// labels: golden
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/kernels.h"
#include "tests/support/numeric_gradient.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr LabelSmoothing kAnnotated = LabelSmoothing::AnnotatedTransformer;

std::span<const float> floats(const Tensor& tensor)
{
    return tensor.values();
}

std::vector<std::int32_t> ids(const GoldenFile& golden, const std::string& name)
{
    const std::vector<std::int64_t> values = golden.integers(name);
    return {values.begin(), values.end()};
}

Tensor randomLogits(std::int64_t rows, std::int64_t classes)
{
    Tensor logits(Shape{rows, classes});
    Random random(16);
    for (float& value : logits.values())
        value = static_cast<float>(random.normal());
    return logits;
}

/// KL divergence of the distribution that the convention describes, class by class in double.
double annotatedDivergence(std::span<const float> logits, std::size_t target, double smoothing)
{
    double sum = 0.0;
    for (const float logit : logits)
        sum += std::exp(static_cast<double>(logit));
    double divergence = 0.0;
    for (std::size_t c = 1; c < logits.size(); ++c) {
        const double wanted =
            c == target ? 1.0 - smoothing : smoothing / (static_cast<double>(logits.size()) - 2.0);
        if (wanted > 0.0)
            divergence += wanted * (std::log(wanted) - (logits[c] - std::log(sum)));
    }
    return divergence;
}

} // namespace

class TstCrossEntropy : public QObject
{
    Q_OBJECT

private slots:

    void agreesWithTorch_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* name : {"cross_entropy", "cross_entropy_ls", "cross_entropy_ls_sum"})
            QTest::newRow(name) << QString("ops/%1.safetensors").arg(name);
    }

    void agreesWithTorch()
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

    void agreesWithTheAnnotatedTransformer()
    {
        const GoldenFile golden("ops/cross_entropy_annotated_ls.safetensors");
        QCOMPARE(golden.params().at("padding_idx").get<int>(), 0);
        const std::vector<std::int32_t> targets = ids(golden, "in.targets");
        const CrossEntropySettings settings{golden.params().at("label_smoothing"), 1.0F,
                                            kAnnotated};
        Tensor gradient = golden.tensor("in.logits");
        const std::vector<double> loss{
            crossEntropy(gradient.view(), targets, settings, gradient.view())};
        HS_COMPARE(std::span<const double>(loss), golden.expected("out.loss"), kOps);
        HS_COMPARE(floats(gradient), golden.expected("grad.logits"), kOps);
    }

    void annotatedSmoothingIsTheDivergenceFromItsDistribution_data()
    {
        QTest::addColumn<int>("classes");
        QTest::addColumn<double>("smoothing");
        QTest::newRow("three classes, much smoothing") << 3 << 0.9;
        QTest::newRow("17 classes") << 17 << 0.1;
        QTest::newRow("no smoothing") << 33 << 0.0;
    }

    void annotatedSmoothingIsTheDivergenceFromItsDistribution()
    {
        QFETCH(int, classes);
        QFETCH(double, smoothing);
        const Tensor logits = randomLogits(3, classes);
        const std::vector<std::int32_t> targets{1, 0, 2};
        std::vector<float> perRow(3);
        crossEntropy(logits.view(), targets, {static_cast<float>(smoothing), 1.0F, kAnnotated}, {},
                     perRow);
        const auto row = [&](std::size_t i) {
            return logits.values().subspan(i * static_cast<std::size_t>(classes),
                                           static_cast<std::size_t>(classes));
        };
        const std::vector<double> expected{annotatedDivergence(row(0), 1, smoothing), 0.0,
                                           annotatedDivergence(row(2), 2, smoothing)};
        HS_COMPARE(std::span<const float>(perRow), expected, kOps);
    }

    void gradientsAgreeWithDifferences_data()
    {
        QTest::addColumn<bool>("annotated");
        QTest::newRow("uniform") << false;
        QTest::newRow("annotated") << true;
    }

    void gradientsAgreeWithDifferences()
    {
        QFETCH(bool, annotated);
        Tensor logits = randomLogits(4, 23);
        const std::vector<std::int32_t> targets{3, kIgnoreIndex, 22, 0};
        const CrossEntropySettings settings{0.2F, 1.0F,
                                            annotated ? kAnnotated : LabelSmoothing::Uniform};
        Tensor gradient(logits.shape());
        crossEntropy(logits.view(), targets, settings, gradient.view());
        const auto value = [&] { return crossEntropy(logits.view(), targets, settings); };
        HS_COMPARE_GRADIENT(value, logits.values(), floats(gradient));
    }

    void rowsThatDoNotCountGiveNeitherLossNorGradient()
    {
        const std::vector<std::int32_t> targets{0, kIgnoreIndex, 4};
        QCOMPARE(keptTargets(targets), 2);
        QCOMPARE(keptTargets(targets, kAnnotated), 1);
        Tensor gradient = randomLogits(3, 5);
        std::vector<float> perRow(3);
        crossEntropy(gradient.view(), targets, {0.1F, 1.0F, kAnnotated}, gradient.view(), perRow);
        QVERIFY(std::ranges::all_of(gradient.values().first(10), [](float v) { return v == 0; }));
        QVERIFY(perRow[0] == 0.0F && perRow[1] == 0.0F && perRow[2] > 0.0F);
    }

    void staysFiniteForLargeLogits()
    {
        Tensor logits(Shape{2, 3});
        std::ranges::copy(std::array{1e30F, 0.0F, -1e30F, 90.0F, 80.0F, 90.0F}, logits.data());
        Tensor gradient(logits.shape());
        const double loss =
            crossEntropy(logits.view(), std::vector<std::int32_t>{0, 2}, {}, gradient.view());
        QVERIFY(std::abs(loss - std::log(2.0 + std::exp(-10.0))) < 1e-6);
        QVERIFY(std::ranges::all_of(gradient.values(), [](float v) { return std::isfinite(v); }));
    }

    void operandsThatDoNotFitAreRefused()
    {
        Tensor logits = randomLogits(2, 5);
        const std::vector<std::int32_t> targets{0, 4};
        const auto refuses = [&](std::vector<std::int32_t> wrong, CrossEntropySettings settings) {
            try {
                crossEntropy(logits.view(), wrong, settings);
            } catch (const ShapeError&) {
                return true;
            }
            return false;
        };
        QVERIFY(!refuses(targets, {0.1F, 1.0F, kAnnotated}));
        QVERIFY(refuses({0, 5}, {}));
        QVERIFY(refuses({0, -1}, {}));
        QVERIFY(refuses({0}, {}));
        QVERIFY(refuses(targets, {1.0F}));
        QVERIFY(refuses(targets, {-0.1F}));
        QVERIFY(refuses(targets, {NAN}));
        logits = randomLogits(2, 2);
        QVERIFY(refuses({0, 1}, {0.1F, 1.0F, kAnnotated}));
    }
};

HEADSCOPE_TEST(TstCrossEntropy)
#include "tst_cross_entropy.moc"
