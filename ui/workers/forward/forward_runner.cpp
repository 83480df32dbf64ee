#include "ui/workers/forward/forward_runner.h"

#include "core/attention/auto_attention.h"
#include "core/attention/fallback_attention.h"
#include "core/base/error.h"
#include "core/generate/generator.h"
#include "core/model/pass/input_tokens.h"
#include "ui/widgets/tr.h"
#include "ui/workers/error_sentence.h"
#include "ui/workers/forward/borrowed_backend.h"
#include "ui/workers/forward/freed_elsewhere.h"
#include "ui/workers/tasks/cancel_policy.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

/// Fraction of a job's time for the forward passes; the rest is for thumbnails.
constexpr double kForwardShare = 0.8;

/// Forward passes from this time on are shown before their thumbnails are complete.
constexpr auto kLongJob = std::chrono::seconds(1);

bool isOnHost(const std::string& choice)
{
    return choice == "cpu" || choice == "reference";
}

double milliseconds(std::chrono::steady_clock::duration duration)
{
    return std::chrono::duration<double, std::milli>(duration).count();
}

bool hasTwoStacks(const LoadedModel& model)
{
    return model.model->config().isEncoderDecoder();
}

RunText tokenized(RunText text, const LoadedModel& model)
{
    if (!text.tokens)
        text.tokens =
            text.chat ? chatTokens(model, *text.chat) : inputTokens(model, text.text, text.target);
    return text;
}

/// Decoder input: the start token, then the target.
TokenSequence targetSequence(const LoadedModel& model, const std::string& target)
{
    TokenSequence tokens = model.tokenizer->encode(target, false);
    tokens.tokens.insert(tokens.tokens.begin(), {targetStart(model), {0, 0}, true});
    return tokens;
}

TracePtr traceText(Tracer& tracer, const RunText& text, const TraceRequest& request,
                   const Interventions& interventions, const std::stop_token& stop)
{
    const LoadedModel& model = tracer.model();
    const RunText known = tokenized(text, model);
    if (!hasTwoStacks(model))
        return tracer.trace(*known.tokens, request, interventions, stop);
    return tracer.trace({*known.tokens, targetSequence(model, known.target)}, request,
                        interventions, stop);
}

} // namespace

void warmUp(AttentionBackend& backend, const ModelConfig& config)
{
    constexpr std::int64_t kTokens = 8;
    const Shape shape{1, config.heads, kTokens, config.headDim()};
    const Tensor operand(shape);
    Tensor context(shape);
    Tensor pattern({1, config.heads, kTokens, kTokens});
    AttentionInputs inputs;
    inputs.queries = inputs.keys = inputs.values = operand.view();
    inputs.scale = 1.0F / std::sqrt(static_cast<float>(config.headDim()));
    inputs.mask.causal = true;
    AttentionOutputs outputs;
    outputs.context = context.view();
    outputs.pattern = pattern.view();
    backend.forward(inputs, outputs);
}

ForwardRunner::ForwardRunner(BackendRegistry registry, ForwardListener listener)
    : m_registry(std::move(registry))
    , m_listener(std::move(listener))
    , m_thread([this] { loop(); })
{
}

ForwardRunner::~ForwardRunner()
{
    stop();
    m_inbox.close();
    m_thread.join();
}

void ForwardRunner::post(ForwardJob job)
{
    {
        const std::lock_guard lock(m_mutex);
        const RunningJob running{m_typicalMs, milliseconds(Clock::now() - m_lastFrame)};
        if (m_running && (m_isDelivered || shouldCancel(running)))
            m_running->request_stop();
    }
    m_inbox.put(std::move(job));
}

void ForwardRunner::stop()
{
    const std::lock_guard lock(m_mutex);
    m_leaving = true;
    if (m_running)
        m_running->request_stop();
}

void ForwardRunner::cancel()
{
    const std::lock_guard lock(m_mutex);
    m_givenUp = m_running.has_value();
    if (m_running)
        m_running->request_stop();
}

void ForwardRunner::loop()
{
    while (const auto next = m_inbox.wait()) {
        if (const auto* job = std::get_if<ForwardJob>(&*next))
            run(*job);
        else
            std::get<WorkerInbox<ForwardJob>::Call> (*next)();
    }
}

void ForwardRunner::run(const ForwardJob& job)
{
    const auto begin = Clock::now();
    m_ticket = job.ticket;
    m_begin = m_lastAdvance = begin;
    const std::stop_token stopToken = beginJob();
    try {
        useDevice(job);
        ForwardResult result = compute(job, stopToken);
        result.elapsedMs = milliseconds(Clock::now() - begin);
        endJob(result.elapsedMs);
        m_last = job;
        m_listener.finished(result);
        reportFailedDevice();
    } catch (const Cancelled&) {
        if (endJob({}))
            m_listener.failed(job.ticket, tr("Computation stopped; the view shows the previous "
                                             "text. Edit the text to continue."));
        else if (m_isDelivered)
            m_listener.advanced(job.ticket, 0.0); // no thumbnails will follow
    } catch (const std::exception& error) {
        endJob({});
        forgetTracers();
        m_listener.failed(job.ticket, errorSentence(error));
    }
}

ForwardResult ForwardRunner::compute(const ForwardJob& job, std::stop_token stop)
{
    prepareTracer(m_tracerA, job.model, m_thumbnailsA);
    m_tracerA->setListener([this](double fraction) { advance(0.0, kForwardShare, fraction); });
    ForwardResult result;
    result.ticket = job.ticket;
    result.a = freedElsewhere(
        traceText(*m_tracerA, complete(job.text, job.model, stop), job.request, {}, stop));
    if (!job.second)
        deliverEarly(job, result);
    result.thumbnailsA = m_thumbnailsA.of(
        *result.a, stop, [this](double fraction) { advance(kForwardShare, 1.0, fraction); });
    if (!job.second)
        return result;
    try {
        computeSecond(job, result, stop);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) { // A is still useful
        result.problem = errorSentence(error);
        m_tracerB.reset();
        m_thumbnailsB.forget();
    }
    return result;
}

/// Delivers a long text's trace before its thumbnails, which take as long as the attention itself.
void ForwardRunner::deliverEarly(const ForwardJob& job, const ForwardResult& result)
{
    if (result.a->retainedPatterns().empty() || Clock::now() - m_begin < kLongJob)
        return;
    ForwardResult early = result;
    for (const AttentionKind part : result.a->attentionKinds())
        early.thumbnailsA[part].resize(static_cast<std::size_t>(result.a->layerCount(part)) *
                                       static_cast<std::size_t>(result.a->headCount(part)));
    early.elapsedMs = milliseconds(Clock::now() - m_begin);
    m_last = job;
    {
        const std::lock_guard lock(m_mutex);
        m_isDelivered = true;
    }
    m_listener.finished(early);
}

void ForwardRunner::computeSecond(const ForwardJob& job, ForwardResult& result,
                                  std::stop_token stop)
{
    const SecondRun& second = *job.second;
    prepareTracer(m_tracerB, second.model, m_thumbnailsB);
    const RunText text = complete(second.text, second.model, stop);
    const auto tokens = static_cast<std::int64_t>(
        hasTwoStacks(second.model) ? targetSequence(second.model, text.target).size()
                                   : text.tokens->size());
    const std::int64_t longest = second.model.model->config().maxLen;
    const auto cut = [longest](std::int64_t count) {
        return std::clamp<std::int64_t>(count, 1, longest);
    };
    const auto source = static_cast<std::int64_t>(text.tokens->size());
    const SecondRunContext context{*result.a, second.model, cut(tokens),
                                   hasTwoStacks(second.model) ? cut(source) : 0,
                                   [this, &second, stop](const RunText& other) {
                                       return asideTrace(second.model, other, stop);
                                   }};
    const Interventions interventions = second.interventions(context);
    result.b = freedElsewhere(traceText(*m_tracerB, text, job.request, interventions, stop));
    result.thumbnailsB = m_thumbnailsB.of(*result.b, stop, {});
    result.thumbnailsDifference = differenceThumbnails(*result.a, *result.b, stop);
}

/// Adds tokens, and the model's own output where no target was typed.
RunText ForwardRunner::complete(RunText text, const LoadedModel& model, const std::stop_token& stop)
{
    RunText known = tokenized(std::move(text), model);
    if (hasTwoStacks(model) && known.target.empty() && !known.text.empty())
        known.target = m_answer.of(model, *m_backend, *known.tokens, stop);
    return known;
}

TracePtr ForwardRunner::asideTrace(const LoadedModel& model, const RunText& text,
                                   std::stop_token stop)
{
    constexpr std::size_t kKept = 8;
    if (m_tracerAside && m_tracerAside->model().model != model.model)
        m_aside.clear();
    for (const auto& [known, trace] : m_aside) {
        if (known == text)
            return trace;
    }
    if (!m_tracerAside || m_tracerAside->model().model != model.model)
        m_tracerAside.emplace(model, std::make_unique<BorrowedBackend>(*m_backend));
    const TracePtr trace =
        traceText(*m_tracerAside, text, TraceRequest{{"*hook_pattern", "*hook_embed"}}, {}, stop);
    m_aside.emplace_back(text, trace);
    if (m_aside.size() > kKept)
        m_aside.pop_front();
    return trace;
}

std::stop_token ForwardRunner::beginJob()
{
    const std::lock_guard lock(m_mutex);
    m_running.emplace();
    m_givenUp = m_isDelivered = false;
    if (m_leaving)
        m_running->request_stop();
    return m_running->get_token();
}

/// True when the user cancelled the job before anything of it was delivered.
bool ForwardRunner::endJob(std::optional<double> elapsedMs)
{
    const std::lock_guard lock(m_mutex);
    m_running.reset();
    if (!elapsedMs)
        return m_givenUp && !m_isDelivered;
    constexpr double kNewest = 0.3;
    m_typicalMs =
        m_typicalMs == 0.0 ? *elapsedMs : (1.0 - kNewest) * m_typicalMs + kNewest * *elapsedMs;
    m_lastFrame = Clock::now();
    return false;
}

/// Reports progress of a long job: `fraction` of the interval from `from` to `to`.
void ForwardRunner::advance(double from, double to, double fraction)
{
    constexpr auto kLong = std::chrono::milliseconds(300);
    constexpr auto kBetween = std::chrono::milliseconds(50);
    const auto now = Clock::now();
    if (now - m_begin < kLong || now - m_lastAdvance < kBetween)
        return;
    m_lastAdvance = now;
    m_listener.advanced(m_ticket, from + (to - from) * fraction);
}

void ForwardRunner::useDevice(const ForwardJob& job)
{
    if (!m_backend)
        m_backend = m_registry.create("cpu");
    if (job.device == m_wantedDevice)
        return;
    m_wantedDevice = job.device;
    if (isReadyAtOnce(job.device))
        adopt(job.device, m_registry.create(job.device));
    else
        makeInBackground(job.device, job.model.model->config());
}

void ForwardRunner::makeInBackground(const std::string& choice, const ModelConfig& config)
{
    m_deviceMaker.run([this, choice, config] {
        try {
            const BackendPtr backend = m_registry.create(choice);
            if (auto* choosing = dynamic_cast<AutoAttention*>(backend.get()))
                choosing->prepare();
            warmUp(*backend, config);
            m_inbox.call([this, choice, backend] { adopt(choice, backend); });
        } catch (const std::exception& error) {
            m_inbox.call(
                [this, choice, sentence = errorSentence(error)] { reject(choice, sentence); });
        }
    });
}

void ForwardRunner::adopt(const std::string& choice, BackendPtr backend)
{
    if (choice != m_wantedDevice)
        return;
    forgetTracers();
    m_backend = std::move(backend);
    m_failureReported = false;
    m_listener.deviceReady(choice);
    if (!isReadyAtOnce(choice) && m_last && !m_inbox.hasJob())
        run(ForwardJob(*m_last));
}

void ForwardRunner::reject(const std::string& choice, const QString& sentence)
{
    if (choice == m_wantedDevice)
        m_listener.deviceFailed(choice, sentence);
}

/// True for devices that need no preparation, such as "auto" on a machine without a GPU.
bool ForwardRunner::isReadyAtOnce(const std::string& choice) const
{
    const auto& entries = m_registry.entries();
    const bool hasGpu = std::any_of(entries.begin(), entries.end(),
                                    [](const BackendEntry& entry) { return entry.facts.isGpu; });
    return isOnHost(choice) || (choice == "auto" && !hasGpu);
}

/// Reports, once, a device that failed during a forward pass and was already replaced by the CPU.
void ForwardRunner::reportFailedDevice()
{
    const auto* device = dynamic_cast<const FallbackAttention*>(m_backend.get());
    if (m_failureReported || !device || !device->hasFailed())
        return;
    m_failureReported = true;
    m_listener.deviceFailed(m_wantedDevice, QString::fromStdString(device->failure()));
}

void ForwardRunner::prepareTracer(std::optional<Tracer>& tracer, const LoadedModel& model,
                                  Thumbnails& thumbnails)
{
    if (tracer && tracer->model().model == model.model)
        return;
    thumbnails.forget();
    tracer.emplace(model, std::make_unique<BorrowedBackend>(*m_backend));
}

void ForwardRunner::forgetTracers()
{
    m_tracerA.reset();
    m_tracerB.reset();
    m_tracerAside.reset();
    m_thumbnailsA.forget();
    m_thumbnailsB.forget();
    m_aside.clear();
}

} // namespace headscope::ui
