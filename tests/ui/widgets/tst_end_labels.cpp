#include "tests/support/test_program.h"
#include "ui/widgets/charts/scene/end_labels.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace headscope::ui;

class TstEndLabels : public QObject
{
    Q_OBJECT

private slots:

    void labelsFarApartStay()
    {
        const std::vector<double> wanted{90.0, 10.0, 50.0};
        QCOMPARE(movedApart(wanted, 15.0, 100.0), wanted);
        QVERIFY(movedApart({}, 15.0, 100.0).empty());
    }

    void closeOnesMoveDownInTheirOrder()
    {
        QCOMPARE(movedApart({12.0, 10.0, 10.0}, 15.0, 100.0), (std::vector<double>{40, 10, 25}));
    }

    void theLowestLiftsTheOthers()
    {
        QCOMPARE(movedApart({95.0, 98.0, 20.0}, 15.0, 100.0), (std::vector<double>{85, 100, 20}));
    }

    void manyLabelsStandInColumns()
    {
        const std::vector<double> wanted{10.0, 12.0, 14.0, 50.0, 52.0};
        const auto places = movedIntoColumns(wanted, 15.0, 10.0, 55.0);
        for (std::size_t one = 0; one < places.size(); ++one) {
            QVERIFY(places[one].height >= 10.0 && places[one].height <= 55.0);
            for (std::size_t other = 0; other < one; ++other)
                QVERIFY(places[one].column != places[other].column ||
                        std::abs(places[one].height - places[other].height) >= 15.0);
        }
        QCOMPARE(movedIntoColumns({30.0}, 15.0, 10.0, 55.0),
                 (std::vector<EndLabelPlace>{{30.0, 0}}));
        QVERIFY(movedIntoColumns({}, 15.0, 10.0, 55.0).empty());
    }
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstEndLabels)
#include "tst_end_labels.moc"
