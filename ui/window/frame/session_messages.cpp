#include "ui/window/frame/session_messages.h"

#include "ui/session/session.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/window/frame/window_texts.h"

namespace headscope::ui {

SessionMessages::SessionMessages(Session& session, MessageBar& messages)
    : QObject(&messages)
    , m_session(session)
    , m_messages(messages)
{
    connect(&session, &Session::errorRaised, this,
            [this](const QString& sentence) { say(MessageKind::Error, sentence); });
    connect(&session, &Session::noteRaised, this,
            [this](const QString& sentence) { say(MessageKind::Warning, sentence); });
    connect(&session, &Session::modelChanged, this, &SessionMessages::followModel);
    connect(&session.computation(), &Computation::failed, this,
            [this](const QString& sentence) { m_failed = sentence; });
    connect(&session, &Session::traceChanged, this, [this] { end(m_failed); });
    for (auto signal : {&Session::textChanged, &Session::changesChanged, &Session::modelChanged})
        connect(&session, signal, this, &SessionMessages::endNote);
    followModel();
}

void SessionMessages::say(MessageKind kind, const QString& sentence)
{
    m_reported = sentence;
    m_messages.show(kind, sentence);
}

void SessionMessages::note(MessageKind kind, const QString& sentence)
{
    m_noted = sentence;
    m_messages.show(kind, sentence);
}

void SessionMessages::endNote()
{
    end(m_noted);
}

void SessionMessages::warn(const QString& sentence)
{
    m_warned = sentence;
    m_messages.show(MessageKind::Warning, sentence);
}

void SessionMessages::endWarning()
{
    end(m_warned);
}

void SessionMessages::end(QString& sentence)
{
    if (!sentence.isEmpty() && m_messages.sentence() == sentence)
        m_messages.hide();
    sentence.clear();
}

void SessionMessages::followModel()
{
    if (m_session.isCaptured())
        say(MessageKind::Note, capturedHint(m_session));
    else if (m_session.model().model && m_messages.sentence() == m_reported)
        m_messages.hide(); // the message was about the previous model
}

} // namespace headscope::ui
