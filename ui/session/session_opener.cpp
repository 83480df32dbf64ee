#include "ui/session/session_opener.h"

#include "core/io/trace_file.h"
#include "ui/session/session.h"

#include <utility>

namespace headscope::ui {

SessionOpener::SessionOpener(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
    // Queued, so that the session emits its model's signals first.
    connect(&session, &Session::busyChanged, this, &SessionOpener::modelCame, Qt::QueuedConnection);
}

void SessionOpener::open(const SessionState& state, History history)
{
    m_waiting = state;
    m_history = history;
    if (isThere(state) && m_session.models().loadingName().isEmpty())
        apply(*std::exchange(m_waiting, std::nullopt));
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
    const SessionState state = *std::exchange(m_waiting, std::nullopt);
    if (isThere(state))
        apply(state);
}

/// True when the state's model is open. A state without a model fits any model, but not a captured
/// trace.
bool SessionOpener::isThere(const SessionState& state) const
{
    const LoadedModel& model = m_session.model();
    if (state.model.isEmpty())
        return model.model != nullptr;
    return (model.model || m_session.isCaptured()) && model.name == state.model.toStdString();
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
