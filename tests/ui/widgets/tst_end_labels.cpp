#include "tests/support/test_program.h"
#include "ui/widgets/charts/scene/end_labels.h"

#include <QTest>

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
};

HEADSCOPE_TEST_WITHOUT_APPLICATION(TstEndLabels)
#include "tst_end_labels.moc"
