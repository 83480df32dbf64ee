#include "tests/support/test_program.h"
#include "ui/widgets/charts/scene/decimate.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace headscope::ui;

class TstDecimate : public QObject
{
    Q_OBJECT

private slots:

    void shortCurvesStayAsTheyAre()
    {
        const std::vector<QPointF> points{{0, 1}, {1, 5}, {2, 3}};
        QVERIFY(decimated(points, 10) == points);
        QVERIFY(decimated({}, 10).empty());
    }

    void everyColumnKeepsItsExtremes()
    {
        std::vector<QPointF> points;
        for (int index = 0; index < 10'000; ++index)
            points.emplace_back(index, std::sin(index * 0.37) * index);
        constexpr int kColumns = 80;
        const std::vector<QPointF> kept = decimated(points, kColumns);
        QVERIFY(kept.size() <= 2 * kColumns);
        for (std::size_t index = 1; index < kept.size(); ++index)
            QVERIFY(kept[index - 1].x() <= kept[index].x());
        for (int column = 0; column < kColumns; ++column) {
            const auto isInside = [&](QPointF point) {
                return std::min(static_cast<int>(point.x() / 9999.0 * kColumns), kColumns - 1) ==
                       column;
            };
            const auto range = [&](const std::vector<QPointF>& list) {
                double low = 1e300;
                double high = -1e300;
                for (const QPointF& point : list) {
                    if (!isInside(point))
                        continue;
                    low = std::min(low, point.y());
                    high = std::max(high, point.y());
                }
                return std::pair(low, high);
            };
            QVERIFY(range(kept) == range(points));
        }
    }

    void aLonePeakSurvives()
    {
        std::vector<QPointF> points;
        for (int index = 0; index < 5000; ++index)
            points.emplace_back(index, index == 1234 ? 7.0 : 0.0);
        const std::vector<QPointF> kept = decimated(points, 50);
        QVERIFY(std::find(kept.begin(), kept.end(), QPointF(1234, 7.0)) != kept.end());
    }

    void whatIsNotFiniteIsLeftOut()
    {
        const double infinity = std::numeric_limits<double>::infinity();
        const std::vector<QPointF> kept =
            decimated({{0, 1}, {1, std::nan("")}, {2, infinity}, {3, -infinity}, {4, 2}}, 10);
        QVERIFY((kept == std::vector<QPointF>{{0, 1}, {4, 2}}));
    }

    void equalPlacesDoNotDivideByZero()
    {
        const std::vector<QPointF> kept = decimated(std::vector<QPointF>(100, {3, 4}), 10);
        QCOMPARE(kept.size(), std::size_t{1});
    }
};

HEADSCOPE_TEST(TstDecimate)
#include "tst_decimate.moc"
