#include "core/analysis/heads/head_map.h"

#include "core/base/error.h"
#include "core/base/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace headscope;

namespace {

using Points = std::vector<std::array<double, 2>>;

Tensor distancesOf(const Points& points)
{
    const auto count = static_cast<std::int64_t>(points.size());
    Tensor distances({count, count});
    for (std::size_t a = 0; a < points.size(); ++a)
        for (std::size_t b = 0; b < points.size(); ++b)
            distances.view()(a, b) = static_cast<float>(
                std::hypot(points[a][0] - points[b][0], points[a][1] - points[b][1]));
    return distances;
}

Points randomPoints(std::uint64_t seed, std::size_t count)
{
    Random random(seed);
    Points points(count);
    for (auto& point : points)
        point = {10.0 * random.uniform(), 3.0 * random.uniform()};
    return points;
}

/// The definition, with nothing remembered: the mean over all pairs of two clusters' points.
double averageDistance(const Tensor& distances, const std::vector<std::size_t>& a,
                       const std::vector<std::size_t>& b)
{
    double sum = 0.0;
    for (const std::size_t i : a)
        for (const std::size_t j : b)
            sum += double{distances.view()(i, j)};
    return sum / static_cast<double>(a.size() * b.size());
}

} // namespace

class TstHeadMap : public QObject
{
    Q_OBJECT

private slots:

    void pointsOfThePlaneKeepTheirDistances()
    {
        const Tensor distances = distancesOf(randomPoints(3, 12));
        const PlaneMap map = planeMap(distances.view());
        const Tensor got = distancesOf(map.points);
        for (std::size_t i = 0; i < got.size(); ++i)
            QVERIFY(std::abs(got.data()[i] - distances.data()[i]) < 1e-4F);
        QVERIFY(map.kept > 0.999);
        double sum[2]{};
        for (const auto& point : map.points)
            for (std::size_t axis = 0; axis < 2; ++axis)
                sum[axis] += point[axis];
        QVERIFY(std::abs(sum[0]) < 1e-9 && std::abs(sum[1]) < 1e-9);
    }

    void itsSignIsSettled()
    {
        const Points points = randomPoints(8, 9);
        Points mirrored = points;
        for (auto& point : mirrored)
            point = {-point[0], 3.0 - point[1]};
        const PlaneMap a = planeMap(distancesOf(points).view());
        const PlaneMap b = planeMap(distancesOf(mirrored).view());
        for (std::size_t axis = 0; axis < 2; ++axis) {
            double most = 0.0;
            for (std::size_t i = 0; i < points.size(); ++i) {
                QVERIFY(std::abs(a.points[i][axis] - b.points[i][axis]) < 1e-4);
                if (std::abs(a.points[i][axis]) > std::abs(most))
                    most = a.points[i][axis];
            }
            QVERIFY(most > 0.0);
        }
    }

    void fewAndEqualPointsHaveAPlaceToo()
    {
        QVERIFY(planeMap(Tensor({0, 0}).view()).points.empty());
        const PlaneMap one = planeMap(Tensor({1, 1}).view());
        QCOMPARE(one.points[0][0], 0.0);
        QCOMPARE(one.points[0][1], 0.0);
        const PlaneMap same = planeMap(Tensor({3, 3}).view());
        QVERIFY(std::isnan(same.kept));
        QCOMPARE(same.points[2][0], 0.0);
        const PlaneMap two = planeMap(distancesOf({{0, 0}, {4, 0}}).view());
        QCOMPARE(std::abs(two.points[0][0] - two.points[1][0]), 4.0);
        QVERIFY_THROWS_EXCEPTION(ShapeError, planeMap(Tensor({2, 3}).view()));
    }

    void clustersJoinByTheirMeanDistance()
    {
        const Tensor distances = distancesOf({{0, 0}, {1, 0}, {5, 0}, {6.5, 0}, {20, 0}});
        const std::vector<ClusterMerge> merges = joinNearest(distances.view());
        QCOMPARE(merges, (std::vector<ClusterMerge>{{0, 1, 1.0, 2},
                                                    {2, 3, 1.5, 2},
                                                    {5, 6, 5.25, 4},
                                                    {4, 7, (20 + 19 + 15 + 13.5) / 4.0, 5}}));
        QCOMPARE(clustersOf(merges, 1), (std::vector<std::size_t>{0, 0, 0, 0, 0}));
        QCOMPARE(clustersOf(merges, 2), (std::vector<std::size_t>{0, 0, 0, 0, 1}));
        QCOMPARE(clustersOf(merges, 3), (std::vector<std::size_t>{0, 0, 1, 1, 2}));
        QCOMPARE(clustersOf(merges, 4), (std::vector<std::size_t>{0, 0, 1, 2, 3}));
        QCOMPARE(clustersOf(merges, 99), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
        QCOMPARE(clustersOf(merges, 0), (std::vector<std::size_t>{0, 0, 0, 0, 0}));
        QCOMPARE(clustersOf({}, 3), std::vector<std::size_t>{0});
    }

    void equalDistancesJoinTheLowestNumbers()
    {
        Tensor distances({4, 4});
        std::fill(distances.values().begin(), distances.values().end(), 2.0F);
        for (std::int64_t i = 0; i < 4; ++i)
            distances.view()(i, i) = 0.0F;
        QCOMPARE(joinNearest(distances.view()),
                 (std::vector<ClusterMerge>{{0, 1, 2.0, 2}, {2, 3, 2.0, 2}, {4, 5, 2.0, 4}}));
    }

    void everyStepJoinsTheNearestPair()
    {
        const Tensor distances = distancesOf(randomPoints(17, 20));
        std::vector<std::vector<std::size_t>> clusters(20);
        for (std::size_t i = 0; i < 20; ++i)
            clusters[i] = {i};
        for (const ClusterMerge& merge : joinNearest(distances.view())) {
            double least = 1e9;
            for (std::size_t a = 0; a < clusters.size(); ++a)
                for (std::size_t b = a + 1; b < clusters.size(); ++b)
                    if (!clusters[a].empty() && !clusters[b].empty())
                        least =
                            std::min(least, averageDistance(distances, clusters[a], clusters[b]));
            QVERIFY(std::abs(merge.distance - least) < 1e-9);
            std::vector<std::size_t> made = clusters[merge.first];
            made.insert(made.end(), clusters[merge.second].begin(), clusters[merge.second].end());
            QCOMPARE(made.size(), merge.size);
            QVERIFY(
                std::abs(averageDistance(distances, clusters[merge.first], clusters[merge.second]) -
                         merge.distance) < 1e-9);
            clusters[merge.first].clear();
            clusters[merge.second].clear();
            clusters.push_back(made);
        }
        QCOMPARE(clusters.back().size(), std::size_t{20});
    }
};

HEADSCOPE_TEST(TstHeadMap)
#include "tst_head_map.moc"
