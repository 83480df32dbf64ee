// labels: golden
#include "core/base/error.h"
#include "core/ops/rope.h"
#include "tests/support/numeric_gradient.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace headscope;
using namespace headscope::test;

namespace {

using Layout = RopeSettings::Layout;

Tensor randomTensor(const Shape& shape, unsigned seed)
{
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal;
    Tensor tensor(shape);
    for (float& value : tensor.values())
        value = normal(engine);
    return tensor;
}

std::vector<double> widened(const Tensor& tensor)
{
    return {tensor.values().begin(), tensor.values().end()};
}

RopeTable plainTable(Layout layout, std::int64_t dimensions, std::int64_t positions,
                     double theta = 10000.0)
{
    RopeSettings settings;
    settings.layout = layout;
    settings.theta = theta;
    return {settings, dimensions, positions, positions};
}

/// Heads [sequences * length, heads, width] whose first R channels turn.
struct Heads
{
    std::int64_t rows = 6;
    std::int64_t heads = 2;
    std::int64_t width = 8;
    std::int64_t first = 0;
    std::int64_t length = 6;

    Shape shape() const { return {rows, heads, width}; }

    RopeRows of(Tensor& x) const
    {
        return {x.data(), rows, heads * width, heads, width, first, length};
    }
};

/// The definition, in double.
std::vector<double> turned(const Tensor& x, const Heads& heads, Layout layout, std::int64_t r)
{
    std::vector<double> y = widened(x);
    for (std::int64_t index = 0; index < heads.rows * heads.heads; ++index) {
        const std::int64_t row = index / heads.heads;
        const auto position = static_cast<double>(heads.first + row % heads.length);
        for (std::int64_t i = 0; i < r / 2; ++i) {
            const double angle = position * std::pow(10000.0, -2.0 * static_cast<double>(i) /
                                                                  static_cast<double>(r));
            const std::int64_t start = index * heads.width;
            double& a = y[start + (layout == Layout::Half ? i : 2 * i)];
            double& b = y[start + (layout == Layout::Half ? i + r / 2 : 2 * i + 1)];
            const double before = a;
            a = before * std::cos(angle) - b * std::sin(angle);
            b = before * std::sin(angle) + b * std::cos(angle);
        }
    }
    return y;
}

double dot(std::span<const float> a, std::span<const float> b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The score of a query at position m and a key at position n.
double scoreAt(const RopeTable& table, Tensor query, Tensor key, std::int64_t m, std::int64_t n)
{
    const std::int64_t width = query.shape()[0];
    rope(table, {query.data(), 1, width, 1, width, m, 1});
    rope(table, {key.data(), 1, width, 1, width, n, 1});
    return dot(query.values(), key.values());
}

void addLayouts()
{
    QTest::addColumn<int>("layout");
    QTest::newRow("halves") << static_cast<int>(Layout::Half);
    QTest::newRow("interleaved") << static_cast<int>(Layout::Interleaved);
}

} // namespace

#define HS_FETCH_LAYOUT(variable)                                                                  \
    QFETCH(int, layout);                                                                           \
    const Layout variable = static_cast<Layout>(layout)

class TstRope : public QObject
{
    Q_OBJECT

private slots:

    void rotatedHeadsAgreeWithTorch_data()
    {
        QTest::addColumn<QString>("file");
        for (const std::string& file : goldenFiles("attention", "rope_"))
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }

    void rotatedHeadsAgreeWithTorch()
    {
        QFETCH(QString, file);
        const GoldenFile golden(file.toStdString());
        const bool interleaved = golden.params().at("rope") == "interleaved";
        for (const std::string operand : {"q", "k"}) {
            Tensor x = golden.tensor("in." + operand); // [batch, heads, tokens, width]
            const std::vector<std::int64_t> positions = golden.integers("in.pos_" + operand);
            const RopeTable table = plainTable(interleaved ? Layout::Interleaved : Layout::Half,
                                               golden.params().at("rotary_dim"),
                                               positions.back() + 1, golden.params().at("theta"));
            const Shape shape = x.shape();
            for (std::int64_t batch = 0; batch < shape[0]; ++batch)
                rope(table, {x.view()[batch].data, shape[2], shape[3], shape[1],
                             shape[2] * shape[3], positions.front(), shape[2]});
            HS_COMPARE(std::as_const(x).values(), golden.expected("out." + operand + "_rot"),
                       kAttention);
        }
    }

    void everySizeAgreesWithTheDefinition_data() { addLayouts(); }

    void everySizeAgreesWithTheDefinition()
    {
        HS_FETCH_LAYOUT(order);
        for (std::int64_t r = 2; r <= 42; r += 2) {
            for (const std::int64_t rest : {0, 1, 5}) {
                const Heads heads{12, 3, r + rest, r % 7, 4};
                Tensor x = randomTensor(heads.shape(), static_cast<unsigned>(r + rest));
                const std::vector<double> expected = turned(x, heads, order, r);
                rope(plainTable(order, r, 20), heads.of(x));
                HS_COMPARE(std::as_const(x).values(), expected, kOps);
            }
        }
    }

    void otherChannelsStayAsTheyAre_data() { addLayouts(); }

    void otherChannelsStayAsTheyAre()
    {
        HS_FETCH_LAYOUT(order);
        const Heads heads{5, 3, 17, 2, 5};
        const Tensor before = randomTensor(heads.shape(), 5);
        Tensor x = before;
        rope(plainTable(order, 10, 7), heads.of(x));
        for (std::int64_t i = 0; i < 15 * 17; ++i)
            QVERIFY(i % 17 < 10 || x.data()[i] == before.data()[i]);
    }

    void backwardIsTheTransposedRotation_data() { addLayouts(); }

    void backwardIsTheTransposedRotation()
    {
        HS_FETCH_LAYOUT(order);
        RopeSettings settings;
        settings.layout = order;
        settings.scaling = RopeSettings::Scaling::Yarn; // scales too
        settings.factor = 8.0;
        settings.originalMaxLen = 64;
        for (const std::int64_t r : {2, 6, 14}) {
            const RopeTable table(settings, r, 12, 12);
            const Heads heads{8, 2, r + 3, 3, 4};
            Tensor x = randomTensor(heads.shape(), 1);
            const Tensor upstream = randomTensor(heads.shape(), 2);
            Tensor gradient = upstream;
            ropeBackward(table, heads.of(gradient));
            const auto loss = [&] {
                Tensor y = x;
                rope(table, heads.of(y));
                return dot(y.values(), upstream.values());
            };
            HS_COMPARE_GRADIENT(loss, x.values(), std::as_const(gradient).values());
        }
    }

    void backwardUndoesTheRotation_data() { addLayouts(); }

    void backwardUndoesTheRotation()
    {
        HS_FETCH_LAYOUT(order);
        const RopeTable table = plainTable(order, 22, 300);
        const Heads heads{300, 2, 22, 0, 300};
        Tensor x = randomTensor(heads.shape(), 3);
        const std::vector<double> before = widened(x);
        rope(table, heads.of(x));
        QVERIFY(!mismatch(std::as_const(x).values(), before, {1e-2, 0.0}).empty());
        ropeBackward(table, heads.of(x));
        HS_COMPARE(std::as_const(x).values(), before, (Tolerance{2e-6, 0.0}));
    }

    void scoresDependOnTheDistanceOnly_data() { addLayouts(); }

    void scoresDependOnTheDistanceOnly()
    {
        HS_FETCH_LAYOUT(order);
        for (const std::int64_t r : {2, 8, 32, 64}) {
            const RopeTable table = plainTable(order, r, 4096);
            const auto seed = static_cast<unsigned>(r);
            Tensor query = randomTensor({r}, seed);
            Tensor key = randomTensor({r}, seed + 1);
            for (float& value : query.values()) // scores of the size that attention sees
                value /= std::sqrt(static_cast<float>(r));
            for (const std::int64_t distance : {0, 1, 3, 17, 200}) {
                const double score = scoreAt(table, query, key, distance, 0);
                for (const std::int64_t shift : {1, 2, 7, 64, 1000, 3800}) {
                    const double moved = scoreAt(table, query, key, distance + shift, shift);
                    QVERIFY2(std::abs(moved - score) < 1e-5, std::to_string(moved - score).c_str());
                    if (distance > 0 && shift < 1000)
                        QVERIFY(std::abs(scoreAt(table, query, key, distance, shift) - score) >
                                1e-5);
                }
            }
        }
    }

    void noRowsNeedNoTable()
    {
        Heads none;
        none.rows = 0;
        Tensor empty;
        rope({}, none.of(empty));
        QCOMPARE(plainTable(Layout::Half, 4, 0).positions(), std::int64_t(0));
        QCOMPARE(plainTable(Layout::Half, 4, 9).positions(), std::int64_t(9));
    }

    void rowsThatDoNotFitAreRefused()
    {
        const RopeTable table = plainTable(Layout::Half, 8, 6);
        const Heads fits;
        Tensor x = randomTensor(fits.shape(), 1);
        rope(table, fits.of(x));
        const auto refused = [&](auto spoil) {
            const Tensor before = x;
            RopeRows rows = fits.of(x);
            spoil(rows);
            QVERIFY_EXCEPTION_THROWN(rope(table, rows), ShapeError);
            QVERIFY_EXCEPTION_THROWN(ropeBackward(table, rows), ShapeError);
            QVERIFY(std::ranges::equal(x.values(), before.values()));
        };
        refused([](RopeRows& rows) { rows.firstPosition = 1; });
        refused([](RopeRows& rows) { rows.firstPosition = -1; });
        refused([](RopeRows& rows) { rows.length = 0; });
        refused([](RopeRows& rows) { rows.headStride = 7; });
        refused([](RopeRows& rows) { rows.rowStride = 0; });
        refused([](RopeRows& rows) { rows.rows = -1; });
        refused([](RopeRows& rows) { rows.heads = -1; });
        refused([](RopeRows& rows) { rows.data = nullptr; });
        QVERIFY_EXCEPTION_THROWN(rope({}, fits.of(x)), ShapeError);
        RopeRows oneAtATime = fits.of(x); // sequences of one token, all at the last position
        oneAtATime.length = 1;
        oneAtATime.firstPosition = 5;
        rope(table, oneAtATime);
    }
};

HEADSCOPE_TEST(TstRope)
#include "tst_rope.moc"
