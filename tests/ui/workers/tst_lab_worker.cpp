// labels: threads
#include "core/base/error.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"
#include "ui/workers/lessons/lab_worker.h"

#include <QSignalSpy>
#include <QtTest>

#include <atomic>
#include <condition_variable>
#include <mutex>

using namespace headscope;
using namespace headscope::ui;

namespace {

/// Keeps a lab inside run() until the test lets it go, or it is asked to stop.
struct Gate
{
    void wait(const std::stop_token& stop)
    {
        std::unique_lock lock(mutex);
        ++inside;
        const std::stop_callback wake(stop, [this] {
            const std::lock_guard guard(mutex);
            changed.notify_all();
        });
        lock.unlock();
        for (;;) {
            lock.lock();
            changed.wait_for(lock, std::chrono::milliseconds(10),
                             [&] { return isOpen || stop.stop_requested(); });
            const bool goes = isOpen;
            lock.unlock();
            if (stop.stop_requested())
                throw Cancelled();
            if (goes)
                return;
        }
    }

    void open()
    {
        const std::lock_guard guard(mutex);
        isOpen = true;
        changed.notify_all();
    }

    std::mutex mutex;
    std::condition_variable changed;
    bool isOpen = false;
    std::atomic<int> inside = 0;
};

LabControl sizeControl()
{
    LabControl control;
    control.name = "size";
    control.title = "Size";
    control.initial = "1";
    control.low = 1.0;
    control.high = 100.0;
    return control;
}

LabResult squareOf(double size)
{
    LabResult result;
    result.numbers.push_back({"square", "Square", size * size, {}, false});
    result.sentence = "It is squared.";
    return result;
}

/// Squares its size, behind a gate.
std::shared_ptr<Lab> squareLab(const std::shared_ptr<Gate>& gate)
{
    auto lab = std::make_shared<Lab>();
    lab->name = "square";
    lab->controls = {sizeControl()};
    lab->run = [gate](const LabSettings& settings, const LabContext&, const std::stop_token& stop) {
        gate->wait(stop);
        return squareOf(settings.number("size"));
    };
    return lab;
}

LabJob jobOf(const LabPtr& lab, const std::string& size)
{
    LabJob job{lab, LabSettings(lab->controls)};
    job.settings.set("size", size);
    return job;
}

struct Answers
{
    explicit Answers(LabWorker& worker)
    {
        QObject::connect(&worker, &LabWorker::answered, &worker,
                         [this](const LabAnswer& answer) { all.push_back(answer); });
    }

    std::vector<LabAnswer> all;
};

ModelLoader::Open noModels()
{
    return [](const std::string& name) -> LoadedModel { throw Error("there is no model", name); };
}

} // namespace

class TstLabWorker : public QObject
{
    Q_OBJECT

private slots:

    void aJobIsAnsweredWithItsResult()
    {
        auto gate = std::make_shared<Gate>();
        gate->open();
        LabWorker worker({}, noModels());
        Answers answers(worker);
        const quint64 ticket = worker.post(jobOf(squareLab(gate), "7"));
        QTRY_COMPARE(answers.all.size(), std::size_t{1});
        QCOMPARE(answers.all[0].ticket, ticket);
        QVERIFY(answers.all[0].result);
        QCOMPARE(answers.all[0].result->number("square").value, 49.0);
        QVERIFY(answers.all[0].problem.isEmpty());
    }

    void ofManyWishesOnlyTheFirstAndTheLastRun()
    {
        auto gate = std::make_shared<Gate>();
        const LabPtr lab = squareLab(gate);
        LabWorker worker({}, noModels());
        Answers answers(worker);
        worker.post(jobOf(lab, "2"));
        QTRY_COMPARE(gate->inside.load(), 1);
        for (int size = 3; size <= 9; ++size)
            worker.post(jobOf(lab, std::to_string(size)));
        gate->open();
        QTRY_VERIFY(!answers.all.empty() && answers.all.back().result &&
                    answers.all.back().result->number("square").value == 81.0);
        QCOMPARE(gate->inside.load(), 2);
        QCOMPARE(answers.all.size(), std::size_t{2});
        QCOMPARE(answers.all.front().result->number("square").value, 4.0);
    }

    void anotherLabStopsTheRunningOne()
    {
        auto stuck = std::make_shared<Gate>();
        auto gate = std::make_shared<Gate>();
        gate->open();
        LabWorker worker({}, noModels());
        Answers answers(worker);
        worker.post(jobOf(squareLab(stuck), "2"));
        QTRY_COMPARE(stuck->inside.load(), 1);
        worker.post(jobOf(squareLab(gate), "3")); // the first would never end by itself
        QTRY_COMPARE(answers.all.size(), std::size_t{1});
        QCOMPARE(answers.all[0].result->number("square").value, 9.0);
    }

    void cancelAnswersWithoutAResult()
    {
        auto gate = std::make_shared<Gate>();
        LabWorker worker({}, noModels());
        Answers answers(worker);
        worker.post(jobOf(squareLab(gate), "2"));
        QTRY_COMPARE(gate->inside.load(), 1);
        worker.cancel();
        QTRY_COMPARE(answers.all.size(), std::size_t{1});
        QVERIFY(!answers.all[0].result);
        QVERIFY(answers.all[0].problem.isEmpty());
    }

    void whatALabThrowsIsSaidInOneSentence()
    {
        auto lab = std::make_shared<Lab>();
        lab->controls = {sizeControl()};
        lab->run = [](const LabSettings&, const LabContext& context,
                      const std::stop_token&) -> LabResult {
            context.openModel("builtin:missing");
            return {};
        };
        LabWorker worker({}, noModels());
        Answers answers(worker);
        worker.post(jobOf(lab, "1"));
        QTRY_COMPARE(answers.all.size(), std::size_t{1});
        QVERIFY(!answers.all[0].result);
        QVERIFY(answers.all[0].problem.contains("there is no model"));
        QVERIFY(answers.all[0].problem.contains("builtin:missing"));
    }

    void progressComesHome()
    {
        auto gate = std::make_shared<Gate>();
        auto lab = std::make_shared<Lab>();
        lab->controls = {sizeControl()};
        lab->run = [](const LabSettings&, const LabContext& context, const std::stop_token&) {
            context.progress(0.25);
            context.progress(1.0);
            return squareOf(1.0);
        };
        LabWorker worker({}, noModels());
        QSignalSpy progress(&worker, &LabWorker::progressed);
        worker.post(jobOf(lab, "1"));
        QTRY_COMPARE(progress.size(), 2);
        QCOMPARE(progress[0][1].toDouble(), 0.25);
        QCOMPARE(progress[1][1].toDouble(), 1.0);
    }

    void aPictureThatDoesNotFitTogetherIsRefused_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("matrix") << 0;
        QTest::newRow("tree") << 1;
        QTest::newRow("arrow") << 2;
        QTest::newRow("tile") << 3;
        QTest::newRow("curve") << 4;
    }

    void aPictureThatDoesNotFitTogetherIsRefused()
    {
        QFETCH(int, kind);
        LabMatrix matrix;
        matrix.rowLabels = {"a"};
        matrix.columnLabels = {"b"};
        matrix.values = {1.0, 2.0};
        LabTiles tiles;
        tiles.rows = tiles.columns = 1;
        tiles.tiles = {{0, 1, {}, {}, 0}};
        LabChart chart;
        chart.series = {{"a", {1.0, 2.0}, {1.0}, false}};
        const std::vector<LabPlot> broken{matrix,
                                          LabTree{{{"root", 3, {}, LabTree::Fate::Kept, false}}},
                                          LabDiagram{{{"box", {}, 0, 0}}, {{0, 1}}}, tiles, chart};
        auto lab = std::make_shared<Lab>();
        lab->controls = {sizeControl()};
        lab->run = [image = broken[static_cast<std::size_t>(kind)]](
                       const LabSettings&, const LabContext&, const std::stop_token&) {
            LabResult result;
            result.panels.push_back({"Broken", {}, image});
            return result;
        };
        LabWorker worker({}, noModels());
        Answers answers(worker);
        worker.post(jobOf(lab, "1"));
        QTRY_COMPARE(answers.all.size(), std::size_t{1});
        QVERIFY(!answers.all[0].result);
        QVERIFY(answers.all[0].problem.contains("Broken"));
    }

    void theEndDoesNotWaitForASlowLab()
    {
        auto gate = std::make_shared<Gate>();
        auto worker = std::make_unique<LabWorker>(BackendRegistry{}, noModels());
        worker->post(jobOf(squareLab(gate), "2"));
        QTRY_COMPARE(gate->inside.load(), 1);
        worker.reset(); // would hang if the running lab were not asked to stop
        QCOMPARE(gate->inside.load(), 1);
    }
};

HEADSCOPE_TEST(TstLabWorker)
#include "tst_lab_worker.moc"
