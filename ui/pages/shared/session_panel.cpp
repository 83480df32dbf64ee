#include "ui/pages/shared/session_panel.h"

#include <QShowEvent>

#include <utility>

namespace headscope::ui {

SessionPanel::SessionPanel(Session& session, QWidget* parent) : QWidget(parent), m_session(session)
{
    const auto follow = [this, &session](auto signal, Change change) {
        connect(&session, signal, this, [this, change] { note(change); });
    };
    follow(&Session::tokensChanged, Change::Tokens);
    follow(&Session::traceChanged, Change::Trace);
    follow(&Session::selectionChanged, Change::Selection);
    follow(&Session::modelChanged, Change::Model);
    follow(&Session::weightsChanged, Change::Model);
    follow(&Session::changesChanged, Change::Changes);
    follow(&Session::busyChanged, Change::Busy);
    follow(&Session::colourMapChanged, Change::ColourMap);
    follow(&Session::displayChanged, Change::Display);
    m_pending = {Change::Tokens | Change::Trace | Change::Selection | Change::Model |
                 Change::Changes | Change::Busy};
}

void SessionPanel::note(ChangeSet changes)
{
    m_pending |= changes;
    if (m_posted || !isVisible())
        return;
    m_posted = true;
    QMetaObject::invokeMethod(this, &SessionPanel::refreshNow, Qt::QueuedConnection);
}

void SessionPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refreshNow();
}

void SessionPanel::refreshNow()
{
    m_posted = false;
    if (m_pending && isVisible())
        refresh(std::exchange(m_pending, {}));
}

} // namespace headscope::ui
