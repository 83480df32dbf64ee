#include "ui/session/session.h"

#include "ui/session/undo_commands.h"

#include <QCoreApplication>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kStaleAfterMs = 150;

/// Longer texts are tokenized by the worker, so that a key press never waits for it.
constexpr qsizetype kTokenizeAtOnce = 8192;

int strongestKey(const Tensor& pattern, int head, int query)
{
    const TensorView row = pattern.view()[head][query];
    const float* begin = row.data;
    return static_cast<int>(std::max_element(begin, begin + row.shape[0]) - begin);
}

} // namespace

TokenPair resolve(const Selection& selection, const Trace& trace)
{
    const int tokens = static_cast<int>(trace.tokens().size());
    const auto pattern = trace.find({Site::Pattern, selection.layer});
    if (tokens == 0 || !pattern || selection.head >= pattern->shape()[0])
        return {};
    TokenPair pair;
    pair.query = selection.query < 0 ? tokens - 1 : std::min(selection.query, tokens - 1);
    const bool follows = selection.key < 0 || selection.key >= tokens;
    pair.key = follows ? strongestKey(*pattern, selection.head, pair.query) : selection.key;
    return pair;
}

Session::Session(BackendRegistry registry, ModelLoader::Open openModel, QObject* parent)
    : QObject(parent)
    , m_registry(std::move(registry))
    , m_loader(std::make_unique<ModelLoader>(std::move(openModel)))
    , m_worker(std::make_unique<ForwardWorker>(m_registry))
{
    m_staleTimer.setSingleShot(true);
    m_staleTimer.setInterval(kStaleAfterMs);
    connect(&m_staleTimer, &QTimer::timeout, this, [this] { setStale(true); });
    connectThreads();
}

Session::~Session() = default;

void Session::connectThreads()
{
    connect(m_loader.get(), &ModelLoader::loaded, this, &Session::adoptModel);
    connect(m_loader.get(), &ModelLoader::failed, this,
            [this](const QString&, const QString& sentence) {
                m_loading.clear();
                emit busyChanged();
                emit errorRaised(sentence);
            });
    connect(m_worker.get(), &ForwardWorker::finished, this, &Session::accept);
    connect(m_worker.get(), &ForwardWorker::failed, this, &Session::refuse);
    connect(m_worker.get(), &ForwardWorker::deviceReady, this, &Session::deviceChanged);
    connect(m_worker.get(), &ForwardWorker::deviceFailed, this,
            [this](const QString&, const QString& sentence) {
                emit deviceChanged();
                emit errorRaised(tr("%1 Attention runs on the CPU meanwhile.").arg(sentence));
            });
}

// ------------------------------------------------------------------------------------- the
// document

void Session::setText(const QString& text)
{
    if (text != m_text)
        m_undo.push(new TextCommand(*this, text, TextCommand::Kind::Typing));
}

void Session::replaceText(const QString& text)
{
    if (text != m_text)
        m_undo.push(new TextCommand(*this, text, TextCommand::Kind::Replacement));
}

void Session::applyText(const QString& text)
{
    m_text = text;
    tokenize();
    emit textChanged();
    emit tokensChanged();
    post();
}

void Session::setMask(const MaskChange& mask)
{
    Changes changes = m_changes;
    changes.mask = mask;
    pushChanges(changes, mask.describe());
}

void Session::setHeadOff(int layer, int head, bool off)
{
    Changes changes = m_changes;
    std::erase(changes.headsOff, Interventions::Head{layer, head});
    if (off)
        changes.headsOff.push_back({layer, head});
    const QString name = off ? tr("head %1.%2 off") : tr("head %1.%2 on again");
    pushChanges(changes, name.arg(layer).arg(head));
}

void Session::clearChanges()
{
    pushChanges({}, tr("B as trained"));
}

void Session::pushChanges(const Changes& changes, const QString& name)
{
    if (changes != m_changes)
        m_undo.push(new ChangesCommand(*this, changes, name));
}

Changes Session::fitting(Changes changes) const
{
    if (!m_model.model)
        return changes;
    const ModelConfig& config = m_model.model->config();
    std::erase_if(changes.headsOff, [&config](const Interventions::Head& head) {
        return head.layer >= config.layers || head.head >= config.heads;
    });
    return changes;
}

void Session::applyChanges(const Changes& changes)
{
    m_changes = fitting(changes); // an undone change may come from another model
    if (m_changes.empty())
        m_shownRun = Run::A;
    emit changesChanged();
    emit selectionChanged();
    post();
}

void Session::tokenize()
{
    m_tokenizeInWorker = m_text.size() > kTokenizeAtOnce;
    if (!m_model.tokenizer || m_tokenizeInWorker)
        m_tokens = {};
    else
        m_tokens = m_model.tokenizer->encode(m_text.toStdString());
}

qint64 Session::textTokens() const
{
    if (!m_tokenizeInWorker)
        return static_cast<qint64>(m_tokens.size());
    const bool counted = m_result.a && m_result.ticket == m_ticket;
    return counted ? m_result.a->info().textTokens : -1;
}

int Session::longestText() const
{
    return m_model.model ? static_cast<int>(m_model.model->config().maxLen) : 0;
}

// ------------------------------------------------------------------------------------ looking at
// it

void Session::post()
{
    if (!m_model.model)
        return;
    ForwardJob job;
    job.ticket = ++m_ticket;
    job.model = m_model;
    if (m_tokenizeInWorker)
        job.text = m_text.toStdString();
    else
        job.tokens = m_tokens;
    if (!m_changes.empty())
        job.interventions = m_changes.toInterventions();
    job.request = TraceRequest::forViews();
    job.device = m_device.toStdString();
    m_worker->post(std::move(job));
    if (!m_staleTimer.isActive())
        m_staleTimer.start();
}

void Session::accept(const ForwardResult& result)
{
    if (result.ticket < m_firstTicket || result.ticket < m_result.ticket)
        return;
    m_result = result;
    answered(result.ticket);
    if (m_tokenizeInWorker && result.ticket == m_ticket) {
        m_tokens = result.a->tokens();
        emit tokensChanged();
    }
    emit traceChanged();
}

void Session::refuse(quint64 ticket, const QString& sentence)
{
    if (ticket < m_firstTicket)
        return;
    answered(ticket);
    emit errorRaised(sentence);
}

void Session::answered(quint64 ticket)
{
    if (ticket == m_ticket) {
        m_staleTimer.stop();
        setStale(false);
    } else {
        m_staleTimer.start();
    }
}

void Session::setStale(bool stale)
{
    if (stale == m_stale)
        return;
    m_stale = stale;
    emit busyChanged();
}

const TracePtr& Session::shownTrace() const
{
    return m_shownRun == Run::B && m_result.b ? m_result.b : m_result.a;
}

const std::vector<ThumbnailPtr>& Session::shownThumbnails() const
{
    return m_shownRun == Run::B && m_result.b ? m_result.thumbnailsB : m_result.thumbnailsA;
}

TokenPair Session::pair() const
{
    return shownTrace() ? resolve(m_selection, *shownTrace()) : TokenPair{};
}

// ------------------------------------------------------------------------------------ the
// selection

void Session::activateHead(int layer, int head)
{
    if (!m_model.model)
        return;
    Selection selection = m_selection;
    const ModelConfig& config = m_model.model->config();
    selection.layer = std::clamp(layer, 0, static_cast<int>(config.layers) - 1);
    selection.head = std::clamp(head, 0, static_cast<int>(config.heads) - 1);
    if (!selection.pinned)
        selection.key = -1;
    moveTo(selection);
}

void Session::selectPair(int query, int key)
{
    Selection selection = m_selection;
    selection.query = query;
    selection.key = key;
    selection.pinned = true;
    moveTo(selection);
}

void Session::releasePair()
{
    Selection selection = m_selection;
    selection.query = selection.key = -1;
    selection.pinned = false;
    moveTo(selection);
}

void Session::moveTo(const Selection& selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    m_history.visit(selection);
    emit selectionChanged();
}

void Session::goBack()
{
    if (!m_history.canGoBack())
        return;
    m_selection = m_history.goBack();
    emit selectionChanged();
}

void Session::goForward()
{
    if (!m_history.canGoForward())
        return;
    m_selection = m_history.goForward();
    emit selectionChanged();
}

void Session::setShownRun(Run run)
{
    const Run possible = m_changes.empty() ? Run::A : run;
    if (possible == m_shownRun)
        return;
    m_shownRun = possible;
    emit selectionChanged();
}

void Session::setColourMap(MapName map)
{
    if (map == m_colourMap)
        return;
    m_colourMap = map;
    emit colourMapChanged();
}

// --------------------------------------------------------------------------------- model and
// device

void Session::openModel(const QString& name)
{
    m_loading = name;
    m_loader->load(name);
    emit busyChanged();
}

void Session::adoptModel(const LoadedModel& model)
{
    m_model = model;
    m_loading.clear();
    m_result = {};
    m_firstTicket = m_ticket + 1;
    m_selection = {};
    m_history = {};
    m_changes = fitting(m_changes);
    if (m_changes.empty())
        m_shownRun = Run::A;
    tokenize();
    emit modelChanged();
    emit changesChanged();
    emit selectionChanged();
    emit tokensChanged();
    emit busyChanged();
    post();
}

void Session::setDevice(const QString& choice)
{
    if (choice == m_device)
        return;
    m_device = choice;
    emit deviceChanged();
    post();
}

} // namespace headscope::ui
