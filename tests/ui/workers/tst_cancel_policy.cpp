#include "tests/support/test_program.h"
#include "ui/workers/tasks/cancel_policy.h"

#include <QTest>

using namespace headscope::ui;

class TstCancelPolicy : public QObject
{
    Q_OBJECT

private slots:
    void fastPassesAreNeverStopped();
    void slowPassesAreStoppedOnlyWhileTheLastPictureIsFresh();
};

void TstCancelPolicy::fastPassesAreNeverStopped()
{
    QVERIFY(!shouldCancel({5.0, 0.0}));
    QVERIFY(!shouldCancel({50.0, 10.0}));
    QVERIFY(!shouldCancel({0.0, 0.0})); // nothing is known yet
}

void TstCancelPolicy::slowPassesAreStoppedOnlyWhileTheLastPictureIsFresh()
{
    QVERIFY(shouldCancel({51.0, 10.0}));
    QVERIFY(shouldCancel({200.0, 100.0}));
    QVERIFY(!shouldCancel({200.0, 101.0}));
}

HEADSCOPE_TEST(TstCancelPolicy)
#include "tst_cancel_policy.moc"
