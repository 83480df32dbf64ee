#include "ui/session/changes/undo_commands.h"

#include "ui/session/session_document.h"
#include "ui/session/view_state.h"

#include <QCoreApplication>

namespace headscope::ui {

namespace {

/// True for typing that only extends or only shortens the text at one position.
bool continues(const QString& before, const QString& middle, const QString& after)
{
    return (before.size() < middle.size()) == (middle.size() < after.size());
}

} // namespace

TextCommand::TextCommand(SessionDocument& document, const QString& text, Kind kind)
    : QUndoCommand(kind == Kind::Typing
                       ? QCoreApplication::translate("TextCommand", "typing")
                       : QCoreApplication::translate("TextCommand", "replace sentence"))
    , m_document(document)
    , m_before(document.text())
    , m_after(text)
    , m_kind(kind)
{
}

void TextCommand::undo()
{
    m_document.applyText(m_before);
}

void TextCommand::redo()
{
    m_document.applyText(m_after);
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

TargetCommand::TargetCommand(SessionDocument& document, const QString& target)
    : QUndoCommand(QCoreApplication::translate("TextCommand", "typing in the target"))
    , m_document(document)
    , m_before(document.target())
    , m_after(target)
{
}

void TargetCommand::undo()
{
    m_document.applyTarget(m_before);
}

void TargetCommand::redo()
{
    m_document.applyTarget(m_after);
}

bool TargetCommand::mergeWith(const QUndoCommand* other)
{
    const auto* next = static_cast<const TargetCommand*>(other);
    if (!continues(m_before, m_after, next->m_after))
        return false;
    m_after = next->m_after;
    return true;
}

ChangesCommand::ChangesCommand(SessionDocument& document, ViewState& view, const Changes& changes,
                               const QString& name)
    : QUndoCommand(name)
    , m_document(document)
    , m_view(view)
    , m_before(document.changes())
    , m_after(changes)
{
}

void ChangesCommand::undo()
{
    m_shown = m_view.shownVariant();
    m_document.applyChanges(m_before);
}

void ChangesCommand::redo()
{
    m_document.applyChanges(m_after);
    if (m_shown)
        m_view.setShownVariant(*m_shown);
}

} // namespace headscope::ui
