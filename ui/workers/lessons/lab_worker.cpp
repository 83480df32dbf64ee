#include "ui/workers/lessons/lab_worker.h"

#include "core/base/error.h"
#include "ui/workers/error_sentence.h"
#include "ui/workers/lessons/lab_check.h"
#include "ui/workers/tasks/cancel_policy.h"

namespace headscope::ui {

namespace {

constexpr auto kSayEvery = std::chrono::milliseconds(50);

double milliseconds(std::chrono::steady_clock::duration time)
{
    return std::chrono::duration<double, std::milli>(time).count();
}

} // namespace

LabPtr labOfCatalogue(std::string_view name)
{
    return {LabPtr(), &catalogueLab(name)};
}

LabWorker::LabWorker(BackendRegistry registry, ModelLoader::Open openModel)
    : m_registry(std::move(registry))
    , m_openModel(std::move(openModel))
    , m_thread([this] { loop(); })
{
}

LabWorker::~LabWorker()
{
    m_stop.request_stop();
    m_inbox.close();
    m_thread.join();
}

quint64 LabWorker::post(const LabJob& job)
{
    if (m_newest.lab && shouldStopFor(job)) {
        m_stop.request_stop();
        m_stop = std::stop_source();
    }
    m_newest = job;
    m_inbox.put({++m_ticket, job, m_stop.get_token()});
    return m_ticket;
}

bool LabWorker::shouldStopFor(const LabJob& next) const
{
    return next.lab.get() != m_newest.lab.get() || m_newest.lab->isSlow ||
           shouldCancel({m_typicalMs, milliseconds(Clock::now() - m_lastAnswer)});
}

void LabWorker::cancel()
{
    m_stop.request_stop();
    m_stop = std::stop_source();
}

void LabWorker::loop()
{
    while (const auto next = m_inbox.wait()) {
        const auto* posted = std::get_if<Posted>(&*next);
        if (posted == nullptr)
            continue;
        const LabAnswer answer = run(*posted);
        m_home.send([this, answer] {
            if (answer.result) {
                m_typicalMs = answer.elapsedMs;
                m_lastAnswer = Clock::now();
            }
            const bool wasReplaced = !answer.result && answer.ticket != m_ticket;
            if (!wasReplaced)
                emit answered(answer);
        });
    }
}

LabAnswer LabWorker::run(const Posted& posted)
{
    LabAnswer answer{posted.ticket, posted.job, nullptr, {}, 0.0};
    const auto start = Clock::now();
    try {
        if (posted.stop.stop_requested())
            return answer;
        auto result = std::make_shared<const LabResult>(
            posted.job.lab->run(posted.job.settings, contextOf(posted), posted.stop));
        requireDrawable(*result);
        answer.result = std::move(result);
    } catch (const Cancelled&) {
        // Answered without a result.
    } catch (const std::exception& error) {
        answer.problem = errorSentence(error);
    }
    answer.elapsedMs = milliseconds(Clock::now() - start);
    return answer;
}

LabContext LabWorker::contextOf(const Posted& posted)
{
    LabContext context;
    context.model = posted.job.model;
    context.text = posted.job.text;
    context.openModel = m_openModel;
    context.makeBackend = [this, device = posted.job.device] { return m_registry.create(device); };
    context.progress = [this, ticket = posted.ticket,
                        reported = Clock::time_point()](double done) mutable {
        if (Clock::now() - reported < kSayEvery && done < 1.0)
            return;
        reported = Clock::now();
        m_home.send([this, ticket, done] {
            if (ticket == m_ticket)
                emit progressed(ticket, done);
        });
    };
    return context;
}

} // namespace headscope::ui
