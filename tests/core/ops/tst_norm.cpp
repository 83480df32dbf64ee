// labels: golden
#include "core/base/error.h"
#include "core/ops/kernels.h"
#include "core/ops/norm.h"
#include "tests/support/numeric_gradient.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr NormKind kKinds[] = {NormKind::Layer, NormKind::Rms, NormKind::RmsUnitOffset,
                               NormKind::StdEps};
constexpr std::int64_t kWidths[] = {1, 2, 15, 16, 17, 33};

bool isCentred(NormKind kind)
{
    return kind == NormKind::Layer || kind == NormKind::StdEps;
}

/// The header's formulas in plain double loops.
std::vector<double> expectedNorm(NormKind kind, const Tensor& x, const Tensor& gamma,
                                 const Tensor& beta, double epsilon)
{
    const auto d = gamma.size();
    const auto width = static_cast<double>(d);
    std::vector<double> result;
    for (std::size_t row = 0; row < x.size() / d; ++row) {
        const float* in = x.data() + row * d;
        const double mean = isCentred(kind) ? std::accumulate(in, in + d, 0.0) / width : 0.0;
        double squares = 0.0;
        for (std::size_t j = 0; j < d; ++j)
            squares += (in[j] - mean) * (in[j] - mean);
        const double deviation = kind == NormKind::StdEps
                                     ? std::sqrt(squares / (width - 1.0)) + epsilon
                                     : std::sqrt(squares / width + epsilon);
        for (std::size_t j = 0; j < d; ++j) {
            const double gain = gamma.data()[j] + (kind == NormKind::RmsUnitOffset ? 1.0 : 0.0);
            const double shift = isCentred(kind) ? beta.data()[j] : 0.0;
            result.push_back((in[j] - mean) / deviation * gain + shift);
        }
    }
    return result;
}

struct Case
{
    NormKind kind;
    std::int64_t d;
    Tensor x = randomTensor({4, d}, 1, 2.0);
    Tensor gamma = randomTensor({d}, 2);
    Tensor beta = randomTensor({d}, 3);
    Tensor mean = Tensor(Shape{4});
    Tensor scale = Tensor(Shape{4});

    NormStatistics statistics() { return {mean.view(), scale.view()}; }

    NormParameters parameters(float epsilon = 1e-5F) const
    {
        return {kind, epsilon, gamma.view(), isCentred(kind) ? beta.view() : TensorView()};
    }
};

std::vector<Case> everyCase()
{
    std::vector<Case> cases;
    for (const NormKind kind : kKinds) {
        for (const std::int64_t d : kWidths) {
            if (kind != NormKind::StdEps || d > 1)
                cases.push_back({kind, d});
        }
    }
    return cases;
}

} // namespace

class TstNorm : public QObject
{
    Q_OBJECT

private slots:

    void agreesWithTorch_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("file");
        QTest::newRow("layer") << 0 << "layernorm";
        QTest::newRow("RMS") << 1 << "rmsnorm";
        QTest::newRow("RMS, unit offset") << 2 << "rmsnorm_unit_offset";
        QTest::newRow("standard deviation") << 3 << "layernorm_std_eps";
    }

    /// Rows with a mean of 1000, with tiny values and with large ones.
    void agreesWithTorch()
    {
        QFETCH(int, kind);
        QFETCH(QString, file);
        const GoldenFile golden("ops/" + file.toStdString() + ".safetensors");
        const bool centred = isCentred(kKinds[kind]);
        const Tensor x = golden.tensor("in.x");
        const Tensor gamma = golden.tensor("in.gamma");
        const Tensor beta = centred ? golden.tensor("in.beta") : Tensor();
        const Tensor dy = golden.tensor("in.dout");
        const NormParameters parameters{kKinds[kind], golden.params().at("eps").get<float>(),
                                        gamma.view(), beta.view()};
        Tensor mean(Shape{x.shape()[0]});
        Tensor scale(mean.shape());
        const NormStatistics statistics{centred ? mean.view() : MutableTensorView(), scale.view()};
        Tensor y(x.shape());
        norm(parameters, x.view(), y.view(), statistics);
        HS_COMPARE(floats(y), golden.expected("out.out"), centred ? kLayerNorm : kOps);
        Tensor dx(x.shape());
        Tensor dGamma(gamma.shape());
        Tensor dBeta(beta.shape());
        normBackward(parameters, x.view(), statistics, dy.view(),
                     {dx.view(), dGamma.view(), dBeta.view()});
        HS_COMPARE(floats(dx), golden.expected("grad.x"), centred ? kLayerNorm : kRmsNormGradients);
        HS_COMPARE(floats(dGamma), golden.expected("grad.gamma"), centred ? kLayerNorm : kOps);
        if (centred)
            HS_COMPARE(floats(dBeta), golden.expected("grad.beta"), kLayerNorm);
    }

    void gradientsAgreeWithDifferences()
    {
        for (Case& c : everyCase()) {
            for (std::size_t i = 0; i < c.x.size(); ++i) // far from rows of equal values
                c.x.data()[i] += i % 2 == 0 ? 3.0F : -3.0F;
            const Tensor dy = randomTensor(c.x.shape(), 4);
            Tensor y(c.x.shape());
            const auto value = [&] {
                norm(c.parameters(0.1F), c.x.view(), y.view(), c.statistics());
                return weightedSum(y, dy);
            };
            value();
            Tensor dx(c.x.shape());
            Tensor dGamma(c.gamma.shape());
            Tensor dBeta(c.beta.shape());
            const bool centred = isCentred(c.kind);
            normBackward(c.parameters(0.1F), c.x.view(), c.statistics(), dy.view(),
                         {dx.view(), dGamma.view(), centred ? dBeta.view() : MutableTensorView()});
            HS_COMPARE_GRADIENT(value, c.x.values(), floats(dx));
            HS_COMPARE_GRADIENT(value, c.gamma.values(), floats(dGamma));
            if (centred)
                HS_COMPARE_GRADIENT(value, c.beta.values(), floats(dBeta));
        }
    }

    void everyInstructionSetFollowsTheDefinition()
    {
        for (const char* level : {"baseline", "avx2", "avx512"}) {
            const Kernels* const table = kernelsFor(level);
            if (!table)
                continue;
            for (Case& c : everyCase()) {
                Tensor y(c.x.shape());
                table->norm[static_cast<int>(c.kind)](c.x.data(), c.gamma.data(),
                                                      isCentred(c.kind) ? c.beta.data() : nullptr,
                                                      1e-3F, y.data(), nullptr, nullptr, 4, c.d);
                HS_COMPARE(floats(y), expectedNorm(c.kind, c.x, c.gamma, c.beta, 1e-3F), kOps);
            }
        }
    }

    void worksInPlaceAndWithoutBeta()
    {
        for (Case& c : everyCase()) {
            std::ranges::fill(c.beta.values(), 0.0F);
            NormParameters parameters = c.parameters();
            Tensor y(c.x.shape());
            norm(parameters, c.x.view(), y.view());
            parameters.beta = {};
            norm(parameters, c.x.view(), c.x.view());
            QVERIFY(std::ranges::equal(c.x.values(), y.values()));
        }
    }

    void statisticsAreWhatTheRowIsMovedAndScaledBy()
    {
        for (Case& c : everyCase()) {
            std::ranges::fill(c.mean.values(), 77.0F);
            Tensor y(c.x.shape());
            norm(c.parameters(), c.x.view(), y.view(), c.statistics());
            std::vector<double> expected;
            for (std::int64_t i = 0; i < 4 * c.d; ++i) {
                const double centre = isCentred(c.kind) ? c.mean.data()[i / c.d] : 0.0;
                const double gain = c.gamma.data()[i % c.d] + (c.kind == kKinds[2] ? 1.0 : 0.0);
                const double shift = isCentred(c.kind) ? c.beta.data()[i % c.d] : 0.0;
                expected.push_back((c.x.data()[i] - centre) * c.scale.data()[i / c.d] * gain +
                                   shift);
            }
            HS_COMPARE(floats(y), expected, kOps);
            QCOMPARE(c.mean.data()[0] == 77.0F, !isCentred(c.kind));
        }
    }

    void gradientsAreAddedAndParametersMayBeLeftOut()
    {
        for (Case& c : everyCase()) {
            const Tensor dy = randomTensor(c.x.shape(), 4);
            Tensor y(c.x.shape());
            norm(c.parameters(), c.x.view(), y.view(), c.statistics());
            Tensor once(c.x.shape());
            normBackward(c.parameters(), c.x.view(), c.statistics(), dy.view(),
                         {once.view(), {}, {}});
            Tensor twice(c.x.shape());
            Tensor dGamma(c.gamma.shape());
            for (int time = 0; time < 2; ++time)
                normBackward(c.parameters(), c.x.view(), c.statistics(), dy.view(),
                             {twice.view(), dGamma.view(), {}});
            std::vector<double> expected(once.values().begin(), once.values().end());
            std::ranges::for_each(expected, [](double& value) { value *= 2.0; });
            HS_COMPARE(floats(twice), expected, kOps);
            QVERIFY(std::ranges::any_of(dGamma.values(), [](float v) { return v != 0.0F; }) ||
                    c.d == 1);
        }
    }

    /// A rounded mean makes the variance of such a row a little positive or negative.
    void constantRowsStayFinite()
    {
        const auto finite = [](float value) { return std::isfinite(value); };
        for (Case& c : everyCase()) {
            for (std::uint64_t seed = 0; seed < 50; ++seed) {
                const Tensor constants = randomTensor({4}, seed, 1000.0);
                for (std::size_t i = 0; i < c.x.size(); ++i)
                    c.x.data()[i] = constants.data()[i / c.gamma.size()];
                Tensor y(c.x.shape());
                norm(c.parameters(), c.x.view(), y.view(), c.statistics());
                Tensor dx(c.x.shape());
                normBackward(c.parameters(), c.x.view(), c.statistics(), y.view(),
                             {dx.view(), {}, {}});
                QVERIFY(std::ranges::all_of(y.values(), finite));
                QVERIFY(std::ranges::all_of(dx.values(), finite));
            }
        }
    }

    void operandsThatDoNotFitAreRefused()
    {
        Tensor x(Shape{2, 3});
        Tensor wide(Shape{2, 4});
        Tensor gamma(Shape{3});
        Tensor rows(Shape{2});
        const NormStatistics both{rows.view(), rows.view()};
        NormParameters layer{NormKind::Layer, 1e-5F, gamma.view(), gamma.view()};
        QVERIFY_EXCEPTION_THROWN(norm(layer, x.view(), wide.view()), ShapeError);
        QVERIFY_EXCEPTION_THROWN(norm(layer, wide.view(), wide.view()), ShapeError);
        QVERIFY_EXCEPTION_THROWN(norm(layer, x.view(), x.view(), {gamma.view(), {}}), ShapeError);
        QVERIFY_EXCEPTION_THROWN(
            normBackward(layer, x.view(), {{}, rows.view()}, x.view(), {x.view(), {}, {}}),
            ShapeError);
        QVERIFY_EXCEPTION_THROWN(
            normBackward(layer, x.view(), both, x.view(), {x.view(), rows.view(), {}}), ShapeError);
        layer.epsilon = NAN;
        QVERIFY_EXCEPTION_THROWN(norm(layer, x.view(), x.view()), ShapeError);
        const NormParameters shifted{NormKind::Rms, 1e-5F, gamma.view(), gamma.view()};
        QVERIFY_EXCEPTION_THROWN(norm(shifted, x.view(), x.view()), ShapeError);
        const NormParameters rms{NormKind::Rms, 1e-5F, gamma.view(), {}};
        QVERIFY_EXCEPTION_THROWN(
            normBackward(rms, x.view(), both, x.view(), {x.view(), {}, gamma.view()}), ShapeError);
        Tensor one(Shape{1});
        const NormParameters deviation{NormKind::StdEps, 1e-5F, one.view(), one.view()};
        QVERIFY_EXCEPTION_THROWN(norm(deviation, one.view(), one.view()), ShapeError);
    }
};

HEADSCOPE_TEST(TstNorm)
#include "tst_norm.moc"
