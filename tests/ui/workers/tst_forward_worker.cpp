// labels: threads
#include "tests/support/failing_attention.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/small_models.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"
#include "ui/workers/forward/forward_runner.h"
#include "ui/workers/forward/forward_worker.h"
#include "ui/workers/tasks/worker_inbox.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <semaphore>
#include <thread>

using namespace headscope;
using namespace headscope::ui;

namespace {

/// Counts its calls and reports each before computing it.
class ReportingAttention : public AttentionBackend
{
public:
    explicit ReportingAttention(std::function<void(int)> report) : m_report(std::move(report)) {}

    std::string_view name() const override { return "reporting"; }

    std::string describe() const override { return "Reporting"; }

    bool supports(const AttentionInputs&) const override { return true; }

private:
    void computeForward(const AttentionInputs& inputs, const AttentionOutputs& outputs) override
    {
        m_report(++m_calls);
        m_cpu.forward(inputs, outputs);
    }

    void computeBackward(const AttentionInputs& inputs, const AttentionSaved& saved,
                         const AttentionGradients& gradients) override
    {
        m_cpu.backward(inputs, saved, gradients);
    }

    std::function<void(int)> m_report;
    int m_calls = 0;
    CpuAttention m_cpu;
};

BackendEntry deviceNamed(const std::string& id,
                         std::function<std::unique_ptr<AttentionBackend>()> create)
{
    DeviceFacts facts;
    facts.id = id;
    facts.name = id;
    return {facts, std::move(create)};
}

ForwardJob jobFor(const LoadedModel& model, std::uint64_t ticket, const std::string& text)
{
    ForwardJob job;
    job.ticket = ticket;
    job.model = model;
    job.text.text = text;
    job.request = TraceRequest::forViews();
    return job;
}

struct Answers
{
    explicit Answers(ForwardWorker& worker)
    {
        QObject::connect(&worker, &ForwardWorker::finished, &worker,
                         [this](const ForwardResult& result) { results.push_back(result); });
        QObject::connect(&worker, &ForwardWorker::failed, &worker,
                         [this](quint64, const QString& text) { sentences << text; });
    }

    std::uint64_t lastTicket() const { return results.empty() ? 0 : results.back().ticket; }

    std::vector<ForwardResult> results;
    QStringList sentences;
};

TracePtr ownTrace(const LoadedModel& model, const std::string& text,
                  const Interventions& interventions = {})
{
    Tracer tracer(model, std::make_unique<CpuAttention>());
    return tracer.trace(model.tokenizer->encode(text), TraceRequest::forViews(), interventions);
}

} // namespace

class TstForwardWorker : public QObject
{
    Q_OBJECT

private slots:
    void theInboxKeepsTheNewestJobAndEveryCall();
    void answersAreTheTracersOwn();
    void aBurstEndsWithItsLastJob();
    void interventionsMakeASecondTrace();
    void thumbnailsComeWithTheTrace();
    void thumbnailsOfALongTextFollowItsTrace();
    void aThrowingModelBecomesASentence();
    void aDeviceTakesOverWhenItIsReady();
    void aMissingDeviceIsSaidAndTheCpuGoesOn();
    void aDeviceThatFailsInMidRunIsSaid();
    void leavingStopsARunningJobBetweenLayers();
};

void TstForwardWorker::theInboxKeepsTheNewestJobAndEveryCall()
{
    WorkerInbox<int> inbox;
    int calls = 0;
    inbox.put(1);
    inbox.call([&calls] { calls += 1; });
    inbox.put(2);
    inbox.call([&calls] { calls += 10; });
    std::get<1> (*inbox.wait())();
    QCOMPARE(calls, 1);
    std::get<1> (*inbox.wait())();
    QCOMPARE(calls, 11);
    QVERIFY(inbox.hasJob());
    QCOMPARE(std::get<0>(*inbox.wait()), 2);
    QVERIFY(!inbox.hasJob());
    inbox.put(3);
    inbox.close();
    QVERIFY(!inbox.wait().has_value());
}

void TstForwardWorker::answersAreTheTracersOwn()
{
    const LoadedModel model = test::tinyModel();
    ForwardWorker worker{BackendRegistry()};
    Answers answers(worker);
    worker.post(jobFor(model, 1, "the cat sat"));
    QTRY_COMPARE(answers.lastTicket(), 1u);
    QCOMPARE(test::traceDifference(*answers.results.back().a, *ownTrace(model, "the cat sat"), 0.0),
             std::string());
    QVERIFY(!answers.results.back().b);
}

void TstForwardWorker::aBurstEndsWithItsLastJob()
{
    const LoadedModel model = test::tinyModel();
    ForwardWorker worker{BackendRegistry()};
    Answers answers(worker);
    constexpr std::uint64_t kJobs = 300;
    std::string text;
    for (std::uint64_t ticket = 1; ticket <= kJobs; ++ticket) {
        text += ticket % 4 == 0 ? ' ' : 'a';
        worker.post(jobFor(model, ticket, text));
    }
    QTRY_COMPARE(answers.lastTicket(), kJobs);
    QVERIFY(answers.results.size() <= kJobs);
    for (std::size_t index = 1; index < answers.results.size(); ++index)
        QVERIFY(answers.results[index - 1].ticket < answers.results[index].ticket);
    QCOMPARE(test::traceDifference(*answers.results.back().a, *ownTrace(model, text), 1e-6),
             std::string());
}

void TstForwardWorker::interventionsMakeASecondTrace()
{
    const LoadedModel model = test::tinyModel();
    ForwardWorker worker{BackendRegistry()};
    Answers answers(worker);
    ForwardJob job = jobFor(model, 1, "the cat sat");
    Interventions interventions;
    interventions.mask = AttentionMask{};
    job.second = SecondRun{model, job.text,
                           [interventions](const SecondRunContext&) { return interventions; }};
    worker.post(job);
    QTRY_COMPARE(answers.lastTicket(), 1u);
    const ForwardResult& result = answers.results.back();
    QCOMPARE(test::traceDifference(*result.b, *ownTrace(model, "the cat sat", interventions), 0.0),
             std::string());
    QVERIFY(!test::traceDifference(*result.a, *result.b, 1e-6).empty());
}

void TstForwardWorker::thumbnailsComeWithTheTrace()
{
    const LoadedModel model = test::tinyModel();
    ForwardWorker worker{BackendRegistry()};
    Answers answers(worker);
    worker.post(jobFor(model, 1, "the cat sat"));
    QTRY_COMPARE(answers.lastTicket(), 1u);
    const ForwardResult& result = answers.results.back();
    QCOMPARE(result.thumbnailsA.at(AttentionKind::Self).size(), 4u); // 2 layers of 2 heads
    const HeadThumbnail& first = *result.thumbnailsA.at(AttentionKind::Self).front();
    QCOMPARE(first.rows, static_cast<int>(result.a->tokens().size()));
    QCOMPARE(static_cast<int>(first.levels[0]), 254); // the first row sees itself only
    QCOMPARE(first.levels[1], HeadThumbnail::kMasked);
}

/// A forward pass of more than a second whose patterns are recomputed on demand.
void TstForwardWorker::thumbnailsOfALongTextFollowItsTrace()
{
    BackendRegistry registry;
    registry.add(deviceNamed("opencl:0", [] {
        return std::make_unique<ReportingAttention>(
            [](int) { std::this_thread::sleep_for(std::chrono::milliseconds(520)); });
    }));
    ForwardWorker worker(registry);
    Answers answers(worker);
    const QSignalSpy ready(&worker, &ForwardWorker::deviceReady);
    ForwardJob job = jobFor(test::tinyModel(), 1, "the cat sat");
    job.device = "opencl:0";
    job.request.patternBudget = 0;
    worker.post(job);
    QTRY_COMPARE(ready.size(), 1);
    answers.results.clear(); // the fast one on the CPU
    QTRY_COMPARE(answers.results.size(), 2u);
    const ForwardResult& early = answers.results.front();
    const ForwardResult& complete = answers.results.back();
    QCOMPARE(early.ticket, 1u);
    QCOMPARE(complete.ticket, 1u);
    QCOMPARE(early.a, complete.a);
    const auto& missing = early.thumbnailsA.at(AttentionKind::Self);
    const auto& made = complete.thumbnailsA.at(AttentionKind::Self);
    QCOMPARE(missing.size(), 4u);
    QVERIFY(std::none_of(missing.begin(), missing.end(), [](const auto& one) { return one; }));
    QCOMPARE(made.size(), 4u);
    QVERIFY(std::all_of(made.begin(), made.end(), [](const auto& one) { return one; }));
}

void TstForwardWorker::aThrowingModelBecomesASentence()
{
    const LoadedModel model = test::tinyModel();
    ForwardWorker worker{BackendRegistry()};
    Answers answers(worker);
    ForwardJob job = jobFor(model, 1, "the cat");
    job.text.tokens = TokenSequence{"?", {{1'000'000, {0, 1}, false}}};
    worker.post(job);
    QTRY_COMPARE(answers.sentences.size(), 1);
    QVERIFY(!answers.sentences.front().isEmpty());
    worker.post(jobFor(model, 2, "the cat"));
    QTRY_COMPARE(answers.lastTicket(), 2u);
}

void TstForwardWorker::aDeviceTakesOverWhenItIsReady()
{
    std::counting_semaphore<> gate(0);
    BackendRegistry registry;
    registry.add(deviceNamed("opencl:0", [&gate] {
        gate.acquire(); // the device takes long to come up
        return std::make_unique<test::FailingAttention>(1'000'000);
    }));
    const LoadedModel model = test::tinyModel();
    ForwardWorker worker(registry);
    Answers answers(worker);
    ForwardJob job = jobFor(model, 1, "the cat");
    job.device = "opencl:0";
    worker.post(job);
    QTRY_COMPARE(answers.lastTicket(), 1u); // the first picture does not wait
    QCOMPARE(answers.results.back().a->info().device, CpuAttention().describe());
    const QSignalSpy ready(&worker, &ForwardWorker::deviceReady);
    gate.release(10);
    QTRY_COMPARE(ready.size(), 1);
    QTRY_COMPARE(answers.results.size(), 2u); // the same job again, on the device
    QCOMPARE(answers.lastTicket(), 1u);
    QCOMPARE(answers.results.back().a->info().device, std::string("Device: made of paper"));
}

void TstForwardWorker::aMissingDeviceIsSaidAndTheCpuGoesOn()
{
    const LoadedModel model = test::tinyModel();
    ForwardWorker worker{BackendRegistry()};
    Answers answers(worker);
    const QSignalSpy failed(&worker, &ForwardWorker::deviceFailed);
    ForwardJob job = jobFor(model, 1, "the cat");
    job.device = "opencl:7";
    worker.post(job);
    QTRY_COMPARE(answers.lastTicket(), 1u);
    QTRY_COMPARE(failed.size(), 1);
    QCOMPARE(failed.front().front().toString(), QString("opencl:7"));
    QVERIFY(!failed.front().back().toString().isEmpty());
}

void TstForwardWorker::aDeviceThatFailsInMidRunIsSaid()
{
    BackendRegistry registry;
    registry.add(
        deviceNamed("opencl:0", [] { return std::make_unique<test::FailingAttention>(3); }));
    const LoadedModel model = test::tinyModel();
    ForwardWorker worker(registry);
    Answers answers(worker);
    const QSignalSpy ready(&worker, &ForwardWorker::deviceReady);
    const QSignalSpy failed(&worker, &ForwardWorker::deviceFailed);
    ForwardJob job = jobFor(model, 1, "the cat");
    job.device = "opencl:0";
    worker.post(job);
    QTRY_COMPARE(ready.size(), 1);
    QTRY_COMPARE(answers.results.size(), 2u);
    job.ticket = 2;
    job.text.text = "a dog";
    worker.post(job); // the fourth call is the one that fails
    QTRY_COMPARE(failed.size(), 1);
    QTRY_COMPARE(answers.lastTicket(), 2u);
    QCOMPARE(test::traceDifference(*answers.results.back().a, *ownTrace(model, "a dog"), 1e-6),
             std::string());
}

void TstForwardWorker::leavingStopsARunningJobBetweenLayers()
{
    std::atomic<int> calls = 0;
    std::atomic<int> finished = 0;
    std::atomic<ForwardRunner*> running = nullptr;
    BackendRegistry registry;
    registry.add(deviceNamed("opencl:0", [&] {
        return std::make_unique<ReportingAttention>([&](int call) {
            calls = call;
            if (call == 2) // the first is the warm-up: this is layer 0 of the job
                running.load()->stop();
        });
    }));
    ForwardListener listener;
    listener.finished = [&finished](const ForwardResult&) { ++finished; };
    listener.failed = [](std::uint64_t, const QString&) {};
    listener.deviceReady = [](const std::string&) {};
    listener.deviceFailed = [](const std::string&, const QString&) {};
    {
        ForwardRunner runner(registry, listener);
        running = &runner;
        ForwardJob job = jobFor(test::tinyModel(), 1, "the cat");
        job.device = "opencl:0";
        runner.post(job);
        QTRY_COMPARE(calls.load(), 2);
    }
    QCOMPARE(calls.load(), 2);    // layer 1 was not computed
    QCOMPARE(finished.load(), 1); // the run on the CPU, before the device came
}

HEADSCOPE_TEST(TstForwardWorker)
#include "tst_forward_worker.moc"
