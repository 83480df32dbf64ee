#include "ui/session/changes/undo_commands.h"

#include "ui/session/session.h"

#include <QCoreApplication>

namespace headscope::ui {

namespace {

/// Typing at one place only grows or only shrinks the text.
bool continues(const QString& before, const QString& middle, const QString& after)
{
    return (before.size() < middle.size()) == (middle.size() < after.size());
}

} // namespace

TextCommand::TextCommand(Session& session, const QString& text, Kind kind)
    : QUndoCommand(kind == Kind::Typing
                       ? QCoreApplication::translate("TextCommand", "typing")
                       : QCoreApplication::translate("TextCommand", "another sentence"))
    , m_session(session)
    , m_before(session.text())
    , m_after(text)
    , m_kind(kind)
{
}

void TextCommand::undo()
{
    m_session.applyText(m_before);
}

void TextCommand::redo()
{
    m_session.applyText(m_after);
}

bool TextCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const TextCommand*>(other);
    if (m_kind != Kind::Typing || next->m_kind != Kind::Typing)
        return false;
    if (!continues(m_before, m_after, next->m_after))
        return false;
    m_after = next->m_after;
    return true;
}

TargetCommand::TargetCommand(Session& session, const QString& target)
    : QUndoCommand(QCoreApplication::translate("TextCommand", "typing the target"))
    , m_session(session)
    , m_before(session.target())
    , m_after(target)
{
}

void TargetCommand::undo()
{
    m_session.applyTarget(m_before);
}

void TargetCommand::redo()
{
    m_session.applyTarget(m_after);
}

bool TargetCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const TargetCommand*>(other);
    if (!continues(m_before, m_after, next->m_after))
        return false;
    m_after = next->m_after;
    return true;
}

ChangesCommand::ChangesCommand(Session& session, const Changes& changes, const QString& name)
    : QUndoCommand(name)
    , m_session(session)
    , m_before(session.changes())
    , m_after(changes)
{
}

void ChangesCommand::undo()
{
    m_shown = m_session.shownRun();
    m_session.applyChanges(m_before);
}

void ChangesCommand::redo()
{
    m_session.applyChanges(m_after);
    if (m_shown)
        m_session.setShownRun(*m_shown);
}

} // namespace headscope::ui
