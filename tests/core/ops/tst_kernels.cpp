#include "core/base/random.h"
#include "core/ops/dropout.h"
#include "core/ops/kernels.h"
#include "core/ops/matmul.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace headscope;
using namespace headscope::test;

namespace {

using Values = std::vector<float>;

Values randomValues(std::int64_t count, std::uint64_t seed, double scale = 1.0)
{
    Values values(static_cast<std::size_t>(count));
    Random random(seed);
    for (float& value : values)
        value = static_cast<float>(scale * random.normal());
    return values;
}

/// Everything that the tables compute on `rows` x `columns`, one result after the other.
Values everyKernel(const Kernels& table, std::int64_t rows, std::int64_t columns)
{
    const std::int64_t count = rows * columns;
    const Values x = randomValues(count, 1, 2.0);
    const Values dy = randomValues(count, 2);
    const Values gamma = randomValues(columns, 3);
    const Values beta = randomValues(columns, 4);
    const Values norm = randomValues(rows, 5);
    Values all;
    Values y(x.size());
    Values sums(gamma.size());
    Values mean(norm.size());
    Values scale(norm.size());
    const auto keep = [&](const Values& values) {
        all.insert(all.end(), values.begin(), values.end());
    };
    for (int kind = 0; kind < Kernels::kActivations; ++kind) {
        Values total(x.size());
        table.activate[kind](x.data(), beta.data(), total.data(), y.data(), rows, columns);
        keep(y);
        Values gradient = dy;
        table.activateBackward[kind](total.data(), y.data(), gradient.data(), sums.data(), rows,
                                     columns);
        keep(gradient);
        keep(sums);
    }
    const std::int64_t width = columns / 2;
    for (int kind = 0; kind < Kernels::kActivations; ++kind) {
        Values total(x.size());
        Values dGateUp(x.size());
        table.gate[kind](x.data(), beta.data(), total.data(), y.data(), rows, width);
        table.gateBackward[kind](total.data(), dy.data(), dGateUp.data(), y.data(), sums.data(),
                                 rows, width);
        for (const Values* values : {&y, &dGateUp, &sums})
            keep(*values);
    }
    table.exponential(x.data(), y.data(), count);
    keep(y);
    table.addBias(x.data(), beta.data(), y.data(), rows, columns);
    table.add(dy.data(), y.data(), count);
    table.addScaled(dy.data(), 0.7F, y.data(), count);
    table.scaleAdd(x.data(), 1.3F, beta.data(), y.data(), columns);
    table.columnSums(x.data(), sums.data(), rows, columns);
    keep(y);
    keep(sums);
    for (int kind = 0; kind < Kernels::kNorms; ++kind) {
        Values dx = dy;
        Values dGamma(gamma.size());
        Values dBeta(gamma.size());
        table.norm[kind](x.data(), gamma.data(), beta.data(), 1e-5F, y.data(), mean.data(),
                         scale.data(), rows, columns);
        table.normBackward[kind](x.data(), gamma.data(), mean.data(), scale.data(), dy.data(),
                                 dx.data(), dGamma.data(), dBeta.data(), rows, columns);
        for (const Values* values : {&y, &mean, &scale, &dx, &dGamma, &dBeta})
            keep(*values);
    }
    table.softmax(x.data(), y.data(), rows, columns);
    keep(y);
    Values dx(x.size());
    table.softmaxBackward(y.data(), dy.data(), dx.data(), rows, columns);
    keep(dx);
    for (std::int64_t row = 0; row < rows; ++row)
        all.push_back(static_cast<float>(table.crossEntropy(
            x.data() + row * columns, columns, static_cast<std::int32_t>(row % columns), 0.1F, 0.5F,
            dx.data() + row * columns)));
    keep(dx);
    const DropoutRows mask{mixBits(7), 20000, 1.44F, 3, rows, columns};
    table.dropout(mask, x.data(), y.data());
    keep(y);
    table.dropoutAdd(mask, dy.data(), y.data());
    keep(y);
    const float* const others[] = {dy.data(), x.data()};
    all.push_back(static_cast<float>(table.reduce(y.data(), others, 2, 0, count)));
    keep(y);
    Values m = randomValues(count, 6);
    Values v = randomValues(count, 7);
    std::ranges::for_each(v, [](float& value) { value *= value; });
    const AdamCoefficients adam{0.5F, 0.9F, 0.95F, 1e-2F, 1.2F, 1e-8F, 0.99F, 0.1F};
    table.adam(adam, dy.data(), m.data(), v.data(), y.data(), count);
    keep(m);
    keep(v);
    keep(y);
    return all;
}

} // namespace

class TstKernels : public QObject
{
    Q_OBJECT

private slots:

    void everyInstructionSetAgreesWithTheBaseline_data()
    {
        QTest::addColumn<QString>("level");
        QTest::newRow("AVX2") << "avx2";
        QTest::newRow("AVX-512") << "avx512";
    }

    /// All remainders of a vector, and more than one: loads and stores of partial vectors included.
    void everyInstructionSetAgreesWithTheBaseline()
    {
        QFETCH(QString, level);
        const Kernels* const table = kernelsFor(level.toUtf8().constData());
        if (!table)
            QSKIP("this processor has no such instructions");
        for (std::int64_t columns = 2; columns <= 35; ++columns) {
            const Values expected = everyKernel(*kernelsFor("baseline"), 6, columns);
            const Values got = everyKernel(*table, 6, columns);
            const std::vector<double> reference(expected.begin(), expected.end());
            HS_COMPARE(std::span<const float>(got), reference, (Tolerance{2e-5, 2e-5}));
        }
    }

    void exponentialIsAccurate()
    {
        Values x;
        for (double value = -90.0; value <= 88.0; value += 0.0113)
            x.push_back(static_cast<float>(value));
        x.push_back(-INFINITY);
        Values y(x.size());
        kernels().exponential(x.data(), y.data(), static_cast<std::int64_t>(x.size()));
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double exact = x[i] < -87.3F ? 0.0 : std::exp(static_cast<double>(x[i]));
            QVERIFY(std::abs(y[i] - exact) <= 4e-7 * exact);
        }
    }

    void reduceAddsInOrderAndSquares()
    {
        Values total(5000, 1.0F);
        const Values one(5000, 2.0F);
        const Values two(5000, 3.0F);
        const float* const others[] = {one.data(), two.data()};
        QCOMPARE(kernels().reduce(total.data(), others, 2, 16, 4000), 4000.0 * 36.0);
        QCOMPARE(total[15], 1.0F);
        QCOMPARE(total[16], 6.0F);
        QCOMPARE(total[4015], 6.0F);
        QCOMPARE(total[4016], 1.0F);
    }

    void dropoutFollowsItsDefinition()
    {
        const Dropout dropout(0.3, 5, 17, 2);
        constexpr std::int64_t rows = 40;
        constexpr std::int64_t columns = 37;
        Tensor x(Shape{rows, columns});
        std::ranges::fill(x.values(), 1.0F);
        Tensor y(x.shape());
        dropout.apply(x.view(), y.view(), 9);
        std::vector<std::uint8_t> keep(x.size());
        dropout.keepMask(keep.data(), 9, rows, columns);
        const float kept = 1.0F / (1.0F - dropout.probability());
        for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int64_t column = 0; column < columns; ++column) {
                const auto i = static_cast<std::size_t>(row * columns + column);
                const bool expected = dropout.keeps(row + 9, column, columns);
                QCOMPARE(keep[i] == 1, expected);
                QVERIFY(std::abs(y.data()[i] - (expected ? kept : 0.0F)) < 1e-6F);
            }
        }
    }

    void dropoutIsRoundedToSteps()
    {
        const Dropout none(0.0, 1, 2, 3);
        const Dropout nearlyAll(0.9999999, 1, 2, 3);
        QCOMPARE(nearlyAll.probability(), 65535.0F / 65536.0F);
        std::int64_t kept = 0;
        for (std::int64_t row = 0; row < 4000; ++row)
            for (std::int64_t column = 0; column < 100; ++column) {
                QVERIFY(none.keeps(row, column, 100));
                kept += nearlyAll.keeps(row, column, 100) ? 1 : 0;
            }
        QVERIFY(kept > 0 && kept < 20); // 6.1 on average
    }

    void dropoutDropsItsShareAndDependsOnEveryNumber()
    {
        constexpr std::int64_t rows = 200;
        constexpr std::int64_t columns = 500;
        const auto mask = [&](double p, std::uint64_t seed, std::uint64_t step,
                              std::uint64_t site) {
            std::vector<std::uint8_t> keep(rows * columns);
            Dropout(p, seed, step, site).keepMask(keep.data(), 0, rows, columns);
            return keep;
        };
        const auto first = mask(0.2, 1, 2, 3);
        const double fraction =
            static_cast<double>(std::ranges::count(first, 1)) / (rows * columns);
        QVERIFY2(std::abs(fraction - 0.8) < 0.006, std::to_string(fraction).c_str()); // 5 sigma
        QVERIFY(first != mask(0.2, 2, 2, 3));
        QVERIFY(first != mask(0.2, 1, 3, 3));
        QVERIFY(first != mask(0.2, 1, 2, 4));
        QVERIFY(first == mask(0.2, 1, 2, 3));
        QVERIFY(!Dropout(0.0, 1, 2, 3).active());
        QVERIFY_EXCEPTION_THROWN(Dropout(1.0, 1, 2, 3), ShapeError);
        QVERIFY_EXCEPTION_THROWN(Dropout(-0.1, 1, 2, 3), ShapeError);
    }

    void matmulAgreesWithPlainLoops()
    {
        for (const int variant : {0, 1, 2, 3}) {
            const bool ta = variant & 1;
            const bool tb = variant & 2;
            constexpr std::int64_t m = 7;
            constexpr std::int64_t n = 19;
            constexpr std::int64_t k = 33;
            const Values a = randomValues(m * k, 1);
            const Values b = randomValues(k * n, 2);
            Values c = randomValues(m * n, 3);
            std::vector<double> expected(c.begin(), c.end());
            for (std::int64_t i = 0; i < m; ++i) {
                for (std::int64_t j = 0; j < n; ++j) {
                    double total = 0.0;
                    for (std::int64_t p = 0; p < k; ++p)
                        total += static_cast<double>(
                                     a[static_cast<std::size_t>(ta ? p * m + i : i * k + p)]) *
                                 b[static_cast<std::size_t>(tb ? j * k + p : p * n + j)];
                    double& value = expected[static_cast<std::size_t>(i * n + j)];
                    value = 0.5 * total + 2.0 * value;
                }
            }
            matmul(ta ? Transpose::Yes : Transpose::No, tb ? Transpose::Yes : Transpose::No, m, n,
                   k, 0.5F, a.data(), ta ? m : k, b.data(), tb ? k : n, 2.0F, c.data(), n);
            HS_COMPARE(std::span<const float>(c), expected, (Tolerance{1e-5, 1e-5}));
        }
    }
};

HEADSCOPE_TEST(TstKernels)
#include "tst_kernels.moc"
