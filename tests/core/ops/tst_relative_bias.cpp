// labels: golden
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/ops/relative_bias.h"
#include "tests/support/numeric_gradient.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <cmath>
#include <numeric>

using namespace headscope;
using namespace headscope::test;

namespace {

Tensor randomTensor(const Shape& shape, std::uint64_t seed)
{
    Tensor tensor(shape);
    Random random(seed);
    for (float& value : tensor.values())
        value = static_cast<float>(random.normal());
    return tensor;
}

std::vector<std::int64_t> bucketsOf(const RelativeBuckets& buckets,
                                    const std::vector<std::int64_t>& distances)
{
    std::vector<std::int64_t> result;
    for (const std::int64_t distance : distances)
        result.push_back(buckets.bucketOf(distance));
    return result;
}

/// 2 heads, 5 queries from position 3 on, 9 keys.
struct SmallBias
{
    RelativeBuckets buckets{8, 6, false};
    std::int64_t firstQuery = 3;
    Tensor table = randomTensor({8, 2}, 1);
    Tensor bias = Tensor(Shape{2, 5, 9});
};

} // namespace

class TstRelativeBias : public QObject
{
    Q_OBJECT

private slots:

    void slopesAgreeWithThePaper_data()
    {
        QTest::addColumn<QString>("file");
        for (const std::string& file : goldenFiles("attention", "alibi"))
            QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }

    void slopesAgreeWithThePaper()
    {
        QFETCH(QString, file);
        const GoldenFile golden(file.toStdString());
        const std::vector<double> expected = golden.params().at("slopes");
        const std::vector<float> slopes = alibiSlopes(golden.params().at("H"));
        HS_COMPARE(slopes, expected, (Tolerance{0.0, 1e-7}));
        const Tensor bias = golden.tensor("in.bias");
        for (std::int64_t head = 0; head < bias.shape()[0]; ++head) {
            for (std::int64_t i = 0; i < bias.shape()[1]; ++i) {
                for (std::int64_t j = 0; j < bias.shape()[2]; ++j)
                    QVERIFY(std::abs(slopes[static_cast<std::size_t>(head)] *
                                         static_cast<float>(j - i) -
                                     bias.view()(head, i, j)) < 1e-6F);
            }
        }
    }

    void slopesOfOtherCountsFollowTheRule()
    {
        QCOMPARE(alibiSlopes(1), std::vector<float>{0.00390625F});
        QCOMPARE(alibiSlopes(2), (std::vector<float>{0.0625F, 0.00390625F}));
        QCOMPARE(alibiSlopes(3), (std::vector<float>{0.0625F, 0.00390625F, 0.25F}));
        const std::vector<float> six = alibiSlopes(6);
        QCOMPARE(six.size(), std::size_t(6));
        QCOMPARE(six[0], 0.25F);
        QCOMPARE(six[4], 0.5F);
        QCOMPARE(six[5], 0.125F);
        QVERIFY_EXCEPTION_THROWN(alibiSlopes(0), ShapeError);
    }

    void bucketsAgreeWithTransformers()
    {
        const GoldenFile golden("ops/t5_buckets.safetensors");
        const std::vector<std::int64_t> distances = golden.integers("in.rel");
        RelativeBuckets buckets{golden.params().at("num_buckets"),
                                golden.params().at("max_distance"), false};
        QCOMPARE(bucketsOf(buckets, distances), golden.integers("out.causal"));
        buckets.bidirectional = true;
        QCOMPARE(bucketsOf(buckets, distances), golden.integers("out.bidirectional"));
    }

    void bucketsGrowWithTheDistance()
    {
        for (const std::int64_t count : {2, 3, 7, 32}) {
            const RelativeBuckets buckets{count, 40, false};
            QCOMPARE(buckets.bucketOf(5), std::int64_t(0)); // ahead: as the token itself
            for (std::int64_t distance = 0; distance < 100; ++distance)
                QVERIFY(buckets.bucketOf(-distance - 1) >= buckets.bucketOf(-distance));
            QCOMPARE(buckets.bucketOf(-40), count - 1);
            QCOMPARE(buckets.bucketOf(-100000), count - 1);
        }
    }

    void biasLooksUpTheBucketOfEachPair()
    {
        for (const bool bidirectional : {false, true}) {
            SmallBias small;
            small.buckets.bidirectional = bidirectional;
            relativeBias(small.buckets, small.table.view(), small.firstQuery, small.bias.view());
            for (std::int64_t head = 0; head < 2; ++head) {
                for (std::int64_t i = 0; i < 5; ++i) {
                    for (std::int64_t j = 0; j < 9; ++j) {
                        const std::int64_t bucket =
                            small.buckets.bucketOf(j - (i + small.firstQuery));
                        QCOMPARE(small.bias.view()(head, i, j), small.table.view()(bucket, head));
                    }
                }
            }
        }
    }

    void oneQueryEqualsItsRowOfTheWholeBias()
    {
        SmallBias whole;
        relativeBias(whole.buckets, whole.table.view(), 0, whole.bias.view());
        Tensor last(Shape{2, 1, 9});
        relativeBias(whole.buckets, whole.table.view(), 4, last.view());
        for (std::int64_t head = 0; head < 2; ++head) {
            for (std::int64_t j = 0; j < 9; ++j)
                QCOMPARE(last.view()(head, 0, j), whole.bias.view()(head, 4, j));
        }
    }

    void stridedBiasLeavesTheGapsAlone()
    {
        SmallBias small;
        relativeBias(small.buckets, small.table.view(), 3, small.bias.view());
        Tensor wide(Shape{2, 5, 12});
        std::ranges::fill(wide.values(), -7.0F);
        MutableTensorView part = wide.view();
        part.shape = {2, 5, 9};
        relativeBias(small.buckets, small.table.view(), 3, part);
        for (std::int64_t head = 0; head < 2; ++head) {
            for (std::int64_t i = 0; i < 5; ++i) {
                for (std::int64_t j = 0; j < 12; ++j)
                    QCOMPARE(wide.view()(head, i, j),
                             j < 9 ? small.bias.view()(head, i, j) : -7.0F);
            }
        }
    }

    void tableGradientsAgreeWithDifferences()
    {
        for (const bool bidirectional : {false, true}) {
            SmallBias small;
            small.buckets.bidirectional = bidirectional;
            const Tensor upstream = randomTensor(small.bias.shape(), 2);
            Tensor gradient(small.table.shape());
            relativeBiasBackward(small.buckets, upstream.view(), small.firstQuery, gradient.view());
            const auto loss = [&] {
                relativeBias(small.buckets, small.table.view(), small.firstQuery,
                             small.bias.view());
                return std::inner_product(small.bias.values().begin(), small.bias.values().end(),
                                          upstream.values().begin(), 0.0);
            };
            HS_COMPARE_GRADIENT(loss, small.table.values(), std::as_const(gradient).values());
            const std::vector<double> once(gradient.values().begin(), gradient.values().end());
            relativeBiasBackward(small.buckets, upstream.view(), small.firstQuery,
                                 gradient.view()); // adds
            for (float& value : gradient.values())
                value /= 2.0F;
            HS_COMPARE(std::as_const(gradient).values(), once, kOps);
        }
    }

    void emptySidesAreNothingToDo()
    {
        SmallBias small;
        const float sentinel = 3.0F;
        MutableTensorView view = small.bias.view();
        view.shape = {2, 0, 9};
        std::ranges::fill(small.bias.values(), sentinel);
        relativeBias(small.buckets, small.table.view(), 0, view);
        relativeBiasBackward(small.buckets, view, 0, small.table.view());
        QVERIFY(std::ranges::count(small.bias.values(), sentinel) == 90);
    }

    void impossibleBucketsAreRefused()
    {
        const auto refused = [](const RelativeBuckets& buckets) {
            SmallBias small;
            Tensor table(Shape{std::max<std::int64_t>(0, buckets.count), 2});
            QVERIFY_EXCEPTION_THROWN(buckets.bucketOf(1), ShapeError);
            QVERIFY_EXCEPTION_THROWN(relativeBias(buckets, table.view(), 0, small.bias.view()),
                                     ShapeError);
        };
        refused({1, 10, false});
        refused({0, 10, false});
        refused({-4, 10, true});
        refused({2, 10, true});
        refused({9, 10, true});
        refused({8, 4, false});
        refused({16, 4, true});
    }

    void shapesThatDoNotFitAreRefused()
    {
        SmallBias small;
        const auto refused = [&](std::int64_t first, const MutableTensorView& table,
                                 const MutableTensorView& bias) {
            QVERIFY_EXCEPTION_THROWN(relativeBias(small.buckets, table, first, bias), ShapeError);
            QVERIFY_EXCEPTION_THROWN(relativeBiasBackward(small.buckets, bias, first, table),
                                     ShapeError);
        };
        Tensor otherBuckets(Shape{7, 2});
        Tensor otherHeads(Shape{8, 3});
        MutableTensorView gaps = small.bias.view();
        gaps.strides[2] = 2;
        refused(-1, small.table.view(), small.bias.view());
        refused(0, otherBuckets.view(), small.bias.view());
        refused(0, otherHeads.view(), small.bias.view());
        refused(0, {}, small.bias.view());
        refused(0, small.table.view(), {});
        refused(0, small.table.view(), small.table.view());
        refused(0, small.table.view(), gaps);
    }
};

HEADSCOPE_TEST(TstRelativeBias)
#include "tst_relative_bias.moc"
