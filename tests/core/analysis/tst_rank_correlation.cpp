#include "core/analysis/report/rank_correlation.h"

#include "core/base/error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <vector>

using namespace headscope;

class TstRankCorrelation : public QObject
{
    Q_OBJECT

private slots:

    void ordersAreCompared()
    {
        const std::vector<double> rising{1.0, 2.0, 10.0, 1000.0};
        const std::vector<double> also{-3.0, -1.0, 0.0, 0.5};
        const std::vector<double> falling{4.0, 3.0, 2.0, 1.0};
        QCOMPARE(rankCorrelation(rising, also), 1.0);
        QCOMPARE(rankCorrelation(rising, falling), -1.0);
    }

    /// Ranks 0 1.5 1.5 3 against 0 1 2 3: covariance 4.5, squares 4.5 and 5.
    void tiesShareARank()
    {
        const std::vector<double> tied{1.0, 2.0, 2.0, 3.0};
        const std::vector<double> rising{1.0, 2.0, 3.0, 4.0};
        QCOMPARE(rankCorrelation(tied, rising), 4.5 / std::sqrt(4.5 * 5.0));
    }

    void whatIsNotDefinedIsNaN()
    {
        const double none = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(std::isnan(rankCorrelation(std::vector{1.0, 2.0}, std::vector{1.0, 2.0})));
        QVERIFY(
            std::isnan(rankCorrelation(std::vector{1.0, 1.0, 1.0}, std::vector{1.0, 2.0, 3.0})));
        QVERIFY(
            std::isnan(rankCorrelation(std::vector{1.0, none, 3.0}, std::vector{1.0, 2.0, 3.0})));
        QCOMPARE(rankCorrelation(std::vector{1.0, none, 3.0, 4.0}, std::vector{1.0, 9.0, 2.0, 3.0}),
                 1.0);
        QVERIFY_EXCEPTION_THROWN(rankCorrelation(std::vector{1.0}, std::vector{1.0, 2.0}),
                                 ShapeError);
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstRankCorrelation)
#include "tst_rank_correlation.moc"
