#include "ui/session/session_opener.h"

#include "core/io/trace_file.h"
#include "ui/session/session.h"

#include <utility>

namespace headscope::ui {

SessionOpener::SessionOpener(Session& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
{
    // Queued, so that the session has told everyone of its model first.
    connect(&session, &Session::busyChanged, this, &SessionOpener::modelCame, Qt::QueuedConnection);
}

void SessionOpener::open(const SessionState& state)
{
    m_waiting = state;
    if (isThere(state) && m_session.models().loadingName().isEmpty())
        apply(*std::exchange(m_waiting, std::nullopt));
    else if (isTraceFile(state.model.toStdString()))
        m_session.models().openTrace(state.model);
    else
        m_session.models().open(state.model);
}

/// Called for every change of the session's business, also when the model could not be opened.
void SessionOpener::modelCame()
{
    if (!m_waiting || !m_session.models().loadingName().isEmpty())
        return;
    const SessionState state = *std::exchange(m_waiting, std::nullopt);
    if (isThere(state))
        apply(state);
}

/// A state without a model is for any model, but not for a captured trace.
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
    m_session.view().setColourMap(state.colourMap);
    m_session.view().setDisplay(state.display);
    applyDocument(state);
    applySelection(state.selection);
    m_session.view().setShownVariant(state.shown);
    emit opened(state);
}

void SessionOpener::applyDocument(const SessionState& state)
{
    const bool isSame = m_session.text() == state.text &&
                        m_session.document().target() == state.target &&
                        m_session.changes() == state.changes;
    if (isSame || m_session.isCaptured()) // which brings its own text, and nothing to change
        return;
    m_session.document().undoStack().beginMacro(tr("another session"));
    m_session.document().replaceText(state.text);
    m_session.document().setTarget(state.target);
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
