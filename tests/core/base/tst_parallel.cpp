// labels: threads
#include "core/base/parallel.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <ctime>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace headscope;

namespace {

struct Range
{
    std::size_t begin = 0;
    std::size_t end = 0;

    friend bool operator==(const Range&, const Range&) = default;
};

std::vector<Range> ranges(std::size_t count, std::size_t parts)
{
    std::vector<Range> seen(parts);
    parallelFor(count, parts, [&](std::size_t begin, std::size_t end, std::size_t part) {
        seen[part] = {begin, end};
    });
    return seen;
}

} // namespace

class TstParallel : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { qputenv("HEADSCOPE_THREADS", "4"); } // before the first use of the pool

    void rangesCoverEverythingOnceAndInOrder_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("parts");
        QTest::newRow("more than parts") << 1003 << 4;
        QTest::newRow("fewer than parts") << 3 << 8;
        QTest::newRow("none") << 0 << 4;
        QTest::newRow("one part") << 17 << 1;
        QTest::newRow("more parts than threads") << 100 << 37;
    }

    void rangesCoverEverythingOnceAndInOrder()
    {
        QFETCH(int, count);
        QFETCH(int, parts);
        std::size_t next = 0;
        for (const Range& range : ranges(count, parts)) {
            if (range == Range{}) // an empty part may be left out
                continue;
            QCOMPARE(range.begin, next);
            QVERIFY(range.end >= range.begin);
            next = range.end;
        }
        QCOMPARE(next, static_cast<std::size_t>(count));
    }

    void theSplitIsTheSameEachTime()
    {
        const std::vector<Range> first = ranges(12345, 7);
        for (int round = 0; round < 200; ++round)
            QVERIFY(ranges(12345, 7) == first);
    }

    void manyShortForksGiveTheRightSums()
    {
        std::vector<int> values(1000, 0);
        for (int round = 0; round < 2000; ++round)
            parallelFor(values.size(), 8, [&](std::size_t begin, std::size_t end, std::size_t) {
                for (std::size_t i = begin; i < end; ++i)
                    ++values[i];
            });
        QCOMPARE(std::accumulate(values.begin(), values.end(), 0), 2'000'000);
    }

    /// One part that takes long keeps nobody from the others.
    void partsGoToWhicheverThreadIsFree()
    {
        std::atomic<int> finished = 0;
        bool hadCompany = false;
        parallelFor(16, 16, [&](std::size_t, std::size_t, std::size_t part) {
            const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
            while (part == 5 && finished < 15 && std::chrono::steady_clock::now() < end)
                std::this_thread::yield();
            if (part == 5)
                hadCompany = finished == 15;
            ++finished;
        });
        QVERIFY(hadCompany);
    }

    /// The processor belongs to whoever was interrupted.
    void aWaitingCallerSleeps()
    {
        std::atomic<bool> begun = false;
        timespec before{};
        parallelFor(2, 2, [&](std::size_t, std::size_t, std::size_t part) {
            if (part == 1) {
                begun = true;
                std::this_thread::sleep_for(std::chrono::milliseconds(300));
                return;
            }
            while (!begun) // until a worker has the other one
                std::this_thread::yield();
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
        });
        timespec after{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
        const double used = static_cast<double>(after.tv_sec - before.tv_sec) +
                            static_cast<double>(after.tv_nsec - before.tv_nsec) * 1e-9;
        QVERIFY2(used < 0.01, qPrintable(QString::number(used)));
    }

    void nestedCallsComputeInPlace()
    {
        std::atomic<int> sum = 0;
        std::atomic<int> elsewhere = 0;
        parallelFor(4, 4, [&](std::size_t, std::size_t, std::size_t) {
            const std::thread::id here = std::this_thread::get_id();
            parallelFor(10, 5, [&](std::size_t begin, std::size_t end, std::size_t) {
                sum += static_cast<int>(end - begin);
                elsewhere += std::this_thread::get_id() == here ? 0 : 1;
            });
        });
        QCOMPARE(sum.load(), 40);
        QCOMPARE(elsewhere.load(), 0);
    }

    void anExceptionOfAnyPartArrivesAndThePoolGoesOn()
    {
        for (std::size_t failing = 0; failing < 6; ++failing) {
            const auto body = [&](std::size_t, std::size_t, std::size_t part) {
                if (part == failing)
                    throw std::runtime_error("part " + std::to_string(part));
            };
            try {
                parallelFor(6, 6, body);
                QFAIL("nothing was thrown");
            } catch (const std::runtime_error& error) {
                QCOMPARE(std::string(error.what()), "part " + std::to_string(failing));
            }
        }
        QCOMPARE(ranges(10, 5).back().end, std::size_t{10});
    }

    void callersOnSeveralThreadsAllFinish()
    {
        std::atomic<long> sum = 0;
        std::vector<std::thread> callers;
        for (int caller = 0; caller < 4; ++caller)
            callers.emplace_back([&] {
                for (int round = 0; round < 300; ++round)
                    parallelFor(100, 4, [&](std::size_t begin, std::size_t end, std::size_t) {
                        sum += static_cast<long>(end - begin);
                    });
            });
        for (std::thread& caller : callers)
            caller.join();
        QCOMPARE(sum.load(), 4L * 300 * 100);
    }

    void theEnvironmentDecidesTheNumberOfWorkers() { QCOMPARE(workerCount(), std::size_t{4}); }
};

HEADSCOPE_TEST(TstParallel)
#include "tst_parallel.moc"
