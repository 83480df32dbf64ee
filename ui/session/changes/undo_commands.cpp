#include "ui/session/changes/undo_commands.h"

#include "ui/session/session_document.h"
#include "ui/session/view_state.h"

#include <QCoreApplication>
#include <QTextBoundaryFinder>

#include <algorithm>

namespace headscope::ui {

namespace {

/// True for one character as a reader counts them, which may be several code units.
bool isOneCharacter(const QString& text)
{
    QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, text);
    return !text.isEmpty() && finder.toNextBoundary() == text.size();
}

} // namespace

TypingStep::TypingStep(const QString& before, const QString& after)
{
    m_sinceLast.start();
    const qsizetype shorter = std::min(before.size(), after.size());
    const qsizetype start =
        std::mismatch(before.begin(), before.begin() + shorter, after.begin()).first -
        before.begin();
    qsizetype end = 0; // length of the common end
    while (end < shorter - start &&
           before[before.size() - 1 - end] == after[after.size() - 1 - end])
        ++end;
    const QString removed = before.mid(start, before.size() - start - end);
    const QString inserted = after.mid(start, after.size() - start - end);
    m_isOverSelection = !removed.isEmpty();
    if (isOneCharacter(inserted))
        m_edit = Edit::Insertion;
    else if (inserted.isEmpty())
        m_edit = isOneCharacter(removed) ? Edit::Deletion : Edit::Removal;
}

bool TypingStep::extend(const TypingStep& next)
{
    if (!isContinuedBy(next))
        return false;
    m_edit = next.m_edit;
    m_sinceLast = next.m_sinceLast;
    return true;
}

bool TypingStep::isContinuedBy(const TypingStep& next) const
{
    if (m_sinceLast.msecsTo(next.m_sinceLast) >= kPauseMs)
        return false;
    if (next.m_edit == Edit::Deletion)
        return m_edit == Edit::Deletion;
    return next.m_edit == Edit::Insertion && !next.m_isOverSelection &&
           (m_edit == Edit::Insertion || m_edit == Edit::Removal);
}

TextCommand::TextCommand(SessionDocument& document, const QString& text, Kind kind)
    : QUndoCommand(kind == Kind::Typing
                       ? QCoreApplication::translate("TextCommand", "typing")
                       : QCoreApplication::translate("TextCommand", "replace sentence"))
    , m_document(document)
    , m_before(document.sentence())
    , m_after(text)
    , m_kind(kind)
    , m_step(m_before, m_after)
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
    if (m_kind != Kind::Typing || next->m_kind != Kind::Typing || !m_step.extend(next->m_step))
        return false;
    m_after = next->m_after;
    return true;
}

TargetCommand::TargetCommand(SessionDocument& document, const QString& target)
    : QUndoCommand(QCoreApplication::translate("TextCommand", "typing in the target"))
    , m_document(document)
    , m_before(document.target())
    , m_after(target)
    , m_step(m_before, m_after)
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
    if (!m_step.extend(next->m_step))
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
