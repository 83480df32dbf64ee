#include "ui/session/session.h"

#include "ui/session/changes/undo_commands.h"
#include "ui/session/runs/training.h"
#include "ui/session/samples.h"
#include "ui/workers/forward/trace_loader.h"

#include <QCoreApplication>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kStaleAfterMs = 150;

/// Longer texts are tokenized by the worker, so that a key press never waits for it.
constexpr qsizetype kTokenizeAtOnce = 8192;

} // namespace

Session::Session(BackendRegistry registry, ModelLoader::Open openModel, QObject* parent)
    : QObject(parent)
    , m_registry(std::move(registry))
    , m_opener(std::move(openModel))
    , m_loader(std::make_unique<ModelLoader>(m_opener))
    , m_secondLoader(std::make_unique<ModelLoader>(m_opener))
    , m_worker(std::make_unique<ForwardWorker>(m_registry))
{
    m_staleTimer.setSingleShot(true);
    m_staleTimer.setInterval(kStaleAfterMs);
    connect(&m_staleTimer, &QTimer::timeout, this, [this] { setStale(true); });
    connectThreads();
    m_training = std::make_unique<Training>(*this, m_registry);
}

Session::~Session() = default;

void Session::connectThreads()
{
    connectOpening();
    connect(m_worker.get(), &ForwardWorker::finished, this, &Session::accept);
    connect(m_worker.get(), &ForwardWorker::failed, this, &Session::refuse);
    connect(m_worker.get(), &ForwardWorker::advanced, this, &Session::advance);
    connect(m_worker.get(), &ForwardWorker::deviceReady, this, &Session::deviceChanged);
    connect(m_worker.get(), &ForwardWorker::deviceFailed, this,
            [this](const QString&, const QString& sentence) {
                emit deviceChanged();
                emit errorRaised(tr("%1 Attention runs on the CPU meanwhile.").arg(sentence));
            });
}

// ----------------------------------------------------------------------------------- the document

void Session::setText(const QString& text)
{
    if (text != m_text && !isCaptured())
        m_undo.push(new TextCommand(*this, text, TextCommand::Kind::Typing));
}

void Session::replaceText(const QString& text)
{
    if (text != m_text && !isCaptured())
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

void Session::setTarget(const QString& target)
{
    if (target != m_target && !isCaptured())
        m_undo.push(new TargetCommand(*this, target));
}

void Session::applyTarget(const QString& target)
{
    m_target = target;
    emit textChanged();
    emit tokensChanged();
    post();
}

bool Session::readsTarget() const
{
    if (isCaptured())
        return m_result.a->sourceTokens().size() > 0;
    return m_model.model && m_model.model->config().architecture == Architecture::EncoderDecoder;
}

void Session::setChanges(const Changes& changes, const QString& name)
{
    if (changes != m_changes && !isCaptured())
        m_undo.push(new ChangesCommand(*this, changes, name));
}

void Session::setMask(const MaskChange& mask)
{
    Changes changes = m_changes;
    changes.mask = mask;
    setChanges(changes, tr("mask: %1").arg(mask.describe()));
}

void Session::setHeadOff(const Interventions::Head& head, bool off, HeadOff::Method method)
{
    Changes changes = m_changes;
    std::erase_if(changes.headsOff, [&head](const HeadOff& other) { return other.head == head; });
    if (off)
        changes.headsOff.push_back({head, method});
    const QString name = off ? tr("head %1 off") : tr("head %1 on again");
    setChanges(changes, name.arg(headName(head)));
}

void Session::removeChange(int index)
{
    const std::vector<ChangeWords> words = m_changes.words();
    if (index < 0 || index >= static_cast<int>(words.size()))
        return;
    const ChangeWords& change = words[static_cast<std::size_t>(index)];
    setChanges(m_changes.without(index), tr("without %1 %2").arg(change.what, change.scope));
}

void Session::toggleChange(int index)
{
    const std::vector<ChangeWords> words = m_changes.words();
    if (index < 0 || index >= static_cast<int>(words.size()))
        return;
    const ChangeWords& change = words[static_cast<std::size_t>(index)];
    setChanges(
        m_changes.toggled(index),
        (change.aside ? tr("%1 %2 on again") : tr("%1 %2 off")).arg(change.what, change.scope));
}

void Session::clearChanges()
{
    setChanges({}, tr("B as trained"));
}

/// Undone and remembered changes may come from another model.
Changes Session::fitting(Changes changes) const
{
    if (!m_model.model)
        return changes;
    const ModelConfig& config =
        changes.model.isEmpty() ? m_model.model->config() : modelB().model->config();
    const bool twoStacks = config.architecture == Architecture::EncoderDecoder;
    const auto fits = [&](const Interventions::Head& head) {
        const std::int64_t layers =
            head.stack == Stack::Decoder ? config.decoderLayerCount() : config.layers;
        return head.layer < layers && head.head < config.heads &&
               twoStacks == (head.stack != Stack::Blocks);
    };
    const auto fitsKey = [&](const TraceKey& key) { return fits({key.layer, 0, key.stack}); };
    std::erase_if(changes.headsOff, [&](const HeadOff& off) { return !fits(off.head); });
    std::erase_if(changes.edits, [&](const PatternEdit& edit) {
        return !fits({edit.key.layer, edit.head, edit.key.stack});
    });
    std::erase_if(changes.patches, [&](const CellPatch& patch) { return !fitsKey(patch.key); });
    std::erase_if(changes.freezes,
                  [&](const Freeze& freeze) { return freeze.head && !fits(*freeze.head); });
    for (Changes& one : changes.aside)
        if (one.model.isEmpty()) // another model brings its own layers and heads
            one = fitting(std::move(one));
    std::erase(changes.aside, Changes());
    return changes;
}

void Session::applyChanges(const Changes& changes)
{
    const bool sameModel = changes.model == m_changes.model;
    m_changes = fitting(changes);
    if (!sameModel)
        openSecondModel();
    if (m_changes.empty())
        m_shownRun = Run::A;
    emit changesChanged();
    emit selectionChanged();
    post();
}

void Session::tokenize()
{
    m_tokenizeInWorker = m_text.size() > kTokenizeAtOnce;
    if (!m_model.model || m_tokenizeInWorker)
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
    if (isCaptured())
        return static_cast<int>(m_tokens.size());
    return m_model.model ? static_cast<int>(m_model.model->config().maxLen) : 0;
}

// ---------------------------------------------------------------------------------- the selection

void Session::activateHead(int layer, int head)
{
    Selection selection = m_selection;
    const GridSize grid = gridOf(selection.part);
    if (grid.layers == 0 || grid.heads == 0)
        return;
    selection.layer = std::clamp(layer, 0, grid.layers - 1);
    selection.head = std::clamp(head, 0, grid.heads - 1);
    if (!selection.pinned)
        selection.key = -1;
    moveTo(selection);
}

void Session::activatePart(AttentionPart part)
{
    const auto known = parts();
    if (part == m_selection.part || std::find(known.begin(), known.end(), part) == known.end())
        return;
    Selection selection; // tokens of one part are not those of another
    selection.part = part;
    selection.head = m_selection.head;
    moveTo(selection);
}

Interventions::Head Session::activeHead() const
{
    return {m_selection.layer, m_selection.head, stackOf(m_selection.part),
            m_selection.part == AttentionPart::Cross};
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

// ------------------------------------------------------------------------------- model and device

void Session::adoptModel(const LoadedModel& model, LoadAuditPtr audit)
{
    m_loader->cancel(); // an older wish
    m_model = model;
    m_audit.adopt(model, std::move(audit));
    m_nextModel = {};
    m_loading.clear();
    m_result = {};
    m_firstTicket = m_ticket + 1;
    m_selection = {};
    m_selection.part = partsOf(model.model->config()).back(); // an encoder-decoder's alignment
    m_history = SelectionHistory(m_selection);
    m_changes = fitting(m_changes);
    if (m_changes.empty())
        m_shownRun = Run::A;
    const QString sample = sampleSentence(QString::fromStdString(model.name));
    const bool takesSample = m_text != sample && isSampleSentence(m_text);
    if (takesSample)
        m_text = sample;
    tokenize();
    if (takesSample)
        emit textChanged();
    emit modelChanged();
    emit auditChanged();
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
