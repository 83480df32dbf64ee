// labels: threads
#include "core/base/error.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "ui/workers/tasks/latest_task.h"

#include <QTest>

#include <atomic>
#include <semaphore>
#include <thread>

using namespace headscope;
using namespace headscope::ui;

namespace {

/// Work that begins, then waits until it is let go or stopped.
struct Gate
{
    std::binary_semaphore open{0};
    std::atomic<int> begun = 0;
    std::atomic<int> stopped = 0;

    int pass(int number, const std::stop_token& stop)
    {
        ++begun;
        while (!open.try_acquire_for(std::chrono::milliseconds(1))) {
            if (stop.stop_requested()) {
                ++stopped;
                throw Cancelled();
            }
        }
        return number;
    }
};

} // namespace

class TstLatestTask : public QObject
{
    Q_OBJECT

private slots:

    void theAnswerComesHome()
    {
        LatestTask task;
        std::thread::id home;
        std::atomic<std::thread::id> away;
        int answer = 0;
        QVERIFY(!task.isRunning());
        task.start(
            [&](const LatestTask::Control&) {
                away = std::this_thread::get_id();
                return 7;
            },
            [&](int result) {
                answer = result;
                home = std::this_thread::get_id();
                QVERIFY(!task.isRunning());
            });
        QVERIFY(task.isRunning());
        QTRY_COMPARE(answer, 7);
        QVERIFY(home == std::this_thread::get_id() && away.load() != home);
    }

    void aNewerOneStopsTheRunningAndReplacesTheWaiting()
    {
        Gate gate;
        QList<int> answers;
        LatestTask task;
        const auto post = [&](int number) {
            task.start(
                [&gate, number](const LatestTask::Control& control) {
                    return gate.pass(number, control.stop());
                },
                [&answers](int result) { answers << result; });
        };
        post(1);
        QTRY_COMPARE(gate.begun.load(), 1);
        post(2);
        post(3);
        QTRY_COMPARE(gate.stopped.load(), 1);
        gate.open.release();
        QTRY_COMPARE(answers, QList<int>{3});
        QCOMPARE(gate.begun.load(), 2);
    }

    void whatAnOlderOneSaysIsDropped()
    {
        Gate gate;
        QStringList reported;
        LatestTask task;
        task.start(
            [&](const LatestTask::Control& control) {
                control.tell([&] { reported << "half"; });
                return gate.pass(1, control.stop());
            },
            [&](int) { reported << "done"; });
        while (gate.begun == 0) // without events, which would bring the word home
            std::this_thread::yield();
        task.cancel(); // the word is on its way
        QVERIFY(!task.isRunning());
        QTRY_COMPARE(gate.stopped.load(), 1);
        QCoreApplication::processEvents();
        QVERIFY(reported.isEmpty());
    }

    void aFailureIsASentence()
    {
        LatestTask task;
        QString sentence;
        task.start([](const LatestTask::Control&) -> int { throw Error("it is broken", "this"); },
                   [](int) { QFAIL("nothing was computed"); },
                   [&](const QString& why) { sentence = why; });
        QTRY_VERIFY(sentence.contains("it is broken"));
        QVERIFY(!task.isRunning());
    }

    void theEndStopsAndWaits()
    {
        Gate gate;
        {
            LatestTask task;
            task.start(
                [&](const LatestTask::Control& control) { return gate.pass(1, control.stop()); },
                [](int) { QFAIL("nobody is there"); });
            QTRY_COMPARE(gate.begun.load(), 1);
        }
        QCOMPARE(gate.stopped.load(), 1);
        QCoreApplication::processEvents();
    }
};

HEADSCOPE_TEST(TstLatestTask)
#include "tst_latest_task.moc"
