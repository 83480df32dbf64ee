#include "ui/session/session_opener.h"

#include "core/io/trace_file.h"
#include "core/runs/run_library.h"
#include "ui/session/runs/training.h"
#include "ui/session/session.h"

#include <utility>

namespace headscope::ui {

SessionOpener::SessionOpener(Session& session) : m_session(session)
{
    // Queued, so that the session emits its model's signals first.
    connect(&session, &Session::busyChanged, this, &SessionOpener::modelCame, Qt::QueuedConnection);
    connect(&session, &Session::modelChanged, this, &SessionOpener::modelCame,
            Qt::QueuedConnection);
    connect(&session.training(), &Training::changed, this, &SessionOpener::seriesCame,
            Qt::QueuedConnection);
    connect(&session.training(), &Training::messageWanted, this,
            [this](const QString&, bool isError) {
                if (isError)
                    openWithoutSeries();
            });
}

void SessionOpener::open(const SessionState& state, History history)
{
    m_waiting = state;
    m_history = history;
    if (!RunLibrary::isForeignSeries(state.series.toStdString()))
        m_waiting->series.clear();
    if (isThere(*m_waiting) && m_session.models().loadingName().isEmpty())
        apply(*std::exchange(m_waiting, std::nullopt));
    else
        openModel(*m_waiting);
}

void SessionOpener::openModel(const SessionState& state)
{
    if (!state.series.isEmpty())
        m_session.training().openRun(state.series.toStdString(), state.model.toStdString());
    else if (isTraceFile(state.model.toStdString()))
        m_session.models().openTrace(state.model);
    else
        m_session.models().open(state.model);
}

/// Called whenever the session's busy state changes, even after a failure to open the model.
void SessionOpener::modelCame()
{
    if (!m_waiting || !m_session.models().loadingName().isEmpty())
        return;
    if (!m_waiting->series.isEmpty() && !isThere(*m_waiting))
        return; // the series is being read
    const SessionState state = *std::exchange(m_waiting, std::nullopt);
    if (isThere(state))
        apply(state);
}

/// A series that lost the checkpoint cannot show it.
void SessionOpener::seriesCame()
{
    const Training& training = m_session.training();
    if (!m_waiting || training.isOpening() ||
        training.record().folder != m_waiting->series.toStdString())
        return;
    if (!training.record().snapshotAt(m_waiting->model.toStdString()))
        openWithoutSeries();
}

void SessionOpener::openWithoutSeries()
{
    if (!m_waiting || m_waiting->series.isEmpty())
        return;
    m_waiting->series.clear();
    openModel(*m_waiting);
}

/// True when the state's model is open, as a checkpoint of its series. A state without a model fits
/// any model, but not a captured trace.
bool SessionOpener::isThere(const SessionState& state) const
{
    const LoadedModel& model = m_session.model();
    if (state.model.isEmpty())
        return model.model != nullptr;
    if (!state.series.isEmpty())
        return isInItsSeries(state);
    return (model.model || m_session.isCaptured()) && model.name == state.model.toStdString();
}

bool SessionOpener::isInItsSeries(const SessionState& state) const
{
    const Training& training = m_session.training();
    const auto step = training.record().snapshotAt(state.model.toStdString());
    return step && training.isFollowed() &&
           training.record().folder == state.series.toStdString() &&
           m_session.model().name == training.record().snapshotPath(*step).string();
}

void SessionOpener::apply(const SessionState& state)
{
    m_session.computation().setDevice(state.device);
    m_session.setPrecision(*precisionNamed(state.precision.toStdString())); // checked when parsed
    m_session.view().setColourMap(state.colourMap);
    m_session.view().setDisplay(state.display);
    applyDocument(state);
    if (m_history == History::Restart)
        m_session.document().undoStack().clear();
    applySelection(state.selection);
    m_session.view().setShownVariant(state.shown);
    emit opened(state);
}

void SessionOpener::applyDocument(const SessionState& state)
{
    const bool isSame = m_session.document().sentence() == state.text &&
                        m_session.document().target() == state.target &&
                        m_session.document().chat() == state.chat &&
                        m_session.changes() == state.changes;
    if (isSame || m_session.isCaptured()) // a captured trace has its own text and no changes
        return;
    m_session.document().undoStack().beginMacro(tr("replace session"));
    m_session.document().replaceText(state.text);
    m_session.document().setTarget(state.target);
    m_session.document().setChat(state.chat, tr("chat of the session"));
    m_session.document().setChanges(state.changes, tr("changes of the session"));
    m_session.document().undoStack().endMacro();
}

void SessionOpener::applySelection(const Selection& selection)
{
    m_session.view().releasePair();
    m_session.view().activatePart(selection.part);
    m_session.view().activateHead(selection.layer, selection.head);
    if (selection.pinned)
        m_session.view().selectPair(selection.query, selection.key);
}

} // namespace headscope::ui
