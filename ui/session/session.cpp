#include "ui/session/session.h"

#include "ui/session/runs/training.h"

#include <utility>

namespace headscope::ui {

Session::Session(BackendRegistry registry, ModelLoader::Open openModel)
    : m_registry(std::move(registry))
    , m_models(std::move(openModel))
    , m_view(m_models)
    , m_document(m_models, m_view)
    , m_computation(m_document, m_models, m_registry)
{
    connectModels();
    connectDocument();
    connectComputation();
    connect(&m_view, &ViewState::selectionChanged, this, &Session::selectionChanged);
    connect(&m_view, &ViewState::colourMapChanged, this, &Session::colourMapChanged);
    connect(&m_view, &ViewState::displayChanged, this, &Session::displayChanged);
    m_training = std::make_unique<Training>(*this, m_registry);
}

Session::~Session() = default;

void Session::connectModels()
{
    connect(&m_models, &OpenModels::opened, this, &Session::adoptOpened);
    connect(&m_models, &OpenModels::traceOpened, this, &Session::adoptTrace);
    connect(&m_models, &OpenModels::secondOpened, &m_computation, &Computation::post);
    connect(&m_models, &OpenModels::loadingChanged, this, &Session::busyChanged);
    connect(&m_models, &OpenModels::loadingAdvanced, this, &Session::loadingAdvanced);
    connect(&m_models, &OpenModels::loadingCancelled, this, &Session::loadingCancelled);
    connect(&m_models, &OpenModels::auditChanged, this, &Session::auditChanged);
    connect(&m_models, &OpenModels::failed, this, &Session::errorRaised);
}

void Session::connectDocument()
{
    connect(&m_document, &SessionDocument::edited, this, [this] {
        emit textChanged();
        emit tokensChanged();
        m_computation.post();
    });
    connect(&m_document, &SessionDocument::changesReplaced, this, [this] {
        m_models.openSecond(changes().model, changes().weights);
        m_view.setHasB(!changes().empty());
        emit changesChanged();
        emit selectionChanged();
        m_computation.post();
    });
}

void Session::connectComputation()
{
    connect(&m_computation, &Computation::finished, this, &Session::takeResult);
    connect(&m_computation, &Computation::caughtUp, this, [this] {
        if (m_nextModel.model) // after the listeners of this answer
            QMetaObject::invokeMethod(this, &Session::followNext, Qt::QueuedConnection);
    });
    connect(&m_computation, &Computation::advanced, this, &Session::computingAdvanced);
    connect(&m_computation, &Computation::staleChanged, this, &Session::busyChanged);
    connect(&m_computation, &Computation::deviceChanged, this, &Session::deviceChanged);
    connect(&m_computation, &Computation::failed, this, &Session::errorRaised);
    connect(&m_computation, &Computation::deviceFailed, this, &Session::errorRaised);
}

void Session::takeResult()
{
    const TracePtr a = traceA();
    const bool isNewest = m_computation.shownTicket() == m_computation.postedTicket();
    if (m_document.readsChat() || (m_document.isTokenizedInWorker() && isNewest)) {
        m_document.takeTokens(a->tokens());
        emit tokensChanged();
    }
    m_models.checkAudit(a);
    emit traceChanged();
}

void Session::adoptOpened(const OpenedModel& opened)
{
    const bool isAudited = !opened.audit.tensors.empty();
    adoptModel(opened.model, isAudited ? std::make_shared<const LoadAudit>(opened.audit) : nullptr,
               OpenModels::Origin::Opened);
}

void Session::adoptModel(const LoadedModel& model, LoadAuditPtr audit, OpenModels::Origin origin)
{
    m_models.adopt(model, std::move(audit), origin);
    m_nextModel = {};
    m_computation.forget();
    m_view.restart();
    const bool takesSample = m_document.adoptModel();
    m_models.openSecond(changes().model, changes().weights);
    m_view.setHasB(!changes().empty());
    if (takesSample)
        emit textChanged();
    emit modelChanged();
    emit auditChanged();
    emit changesChanged();
    emit selectionChanged();
    emit tokensChanged();
    emit busyChanged();
    m_computation.post();
}

/// Adopts a captured trace. Its text is read-only until a model is opened, which adopts it.
void Session::adoptTrace(const CapturedTrace& captured)
{
    m_models.adoptTrace(captured);
    m_nextModel = {};
    m_document.adoptTrace(*captured.result.a);
    m_computation.adopt(captured.result);
    m_view.setHasB(false);
    m_view.restart();
    emit textChanged();
    emit modelChanged();
    emit changesChanged();
    emit selectionChanged();
    emit tokensChanged();
    emit busyChanged();
    emit traceChanged();
    if (!captured.note.isEmpty())
        emit noteRaised(captured.note);
}

void Session::followModel(const LoadedModel& model)
{
    const LoadedModel& shown = m_models.model();
    const bool isSameKind = shown.model && shown.tokenizer == model.tokenizer &&
                            shown.model->config() == model.model->config();
    if (!isSameKind)
        return adoptModel(model, nullptr, OpenModels::Origin::Trained);
    if (shown.model == model.model)
        return;
    if (m_computation.isRunning()) {
        m_nextModel = model;
        return;
    }
    m_models.followWeights(model);
    emit weightsChanged();
    emit auditChanged();
    m_computation.post();
}

void Session::setPrecision(WeightPrecision precision)
{
    if (precision == m_models.precision())
        return;
    const bool isNew = m_models.setPrecision(precision);
    emit precisionChanged();
    if (isNew) {
        emit weightsChanged();
        emit auditChanged();
    }
    m_computation.post();
}

void Session::followNext()
{
    if (m_nextModel.model && !m_computation.isRunning())
        followModel(std::exchange(m_nextModel, {}));
}

const TracePtr& Session::shownTrace() const
{
    return m_view.shownVariant() != Variant::A && traceB() ? traceB() : traceA();
}

TokenPair Session::pair() const
{
    return shownTrace() ? resolve(selection(), *shownTrace()) : TokenPair{};
}

qint64 Session::textTokens() const
{
    if (!m_document.isTokenizedInWorker())
        return static_cast<qint64>(m_document.tokens().size());
    const bool isNewest = m_computation.shownTicket() == m_computation.postedTicket();
    const bool isCounted = traceA() && (isNewest || m_document.readsChat());
    return isCounted ? traceA()->info().textTokens : -1;
}

ViewSnapshot Session::viewSnapshot() const
{
    const ForwardResult& result = m_computation.result();
    ViewSnapshot view;
    view.modelA = m_models.model();
    view.modelB = m_models.second();
    view.a = result.a;
    view.b = result.b;
    view.thumbnailsA = result.thumbnailsA;
    view.thumbnailsB = result.thumbnailsB;
    view.thumbnailsDifference = result.thumbnailsDifference;
    view.changes = changes();
    view.selection = selection();
    view.shown = result.b ? m_view.shownVariant() : Variant::A;
    view.colourMap = m_view.colourMap();
    view.display = m_view.display();
    view.stale = m_computation.isStale();
    return view;
}

} // namespace headscope::ui
