#pragma once

#include "ui/session/view_snapshot.h"

#include <QElapsedTimer>
#include <QUndoCommand>

#include <optional>

namespace headscope::ui {

class SessionDocument;
class ViewState;

/// Decides which edits of a text belong to one undo step: characters typed one after another, also
/// over a selection, or deleted one after another. A paste, a pause or a change of direction starts
/// the next step.
class TypingStep
{
public:
    static constexpr qint64 kPauseMs = 2000; ///< Shortest pause that starts the next step.

    TypingStep(const QString& before, const QString& after);

    /// Extends the step by a later edit of the same text, if it belongs to this step.
    bool extend(const TypingStep& next);

private:
    enum class Edit {
        Insertion,   ///< One typed character, perhaps over a selection.
        Deletion,    ///< One deleted character.
        Removal,     ///< A deleted selection, also one whose first or last character was typed.
        Replacement, ///< Anything else, such as a paste.
    };

    bool isContinuedBy(const TypingStep& next) const;

    Edit m_edit = Edit::Replacement;
    bool m_isOverSelection = false;
    QElapsedTimer m_sinceLast;
};

/// Replaces the sentence. Typing is merged into steps, see TypingStep.
class TextCommand : public QUndoCommand
{
public:
    enum class Kind { Typing, Replacement };

    TextCommand(SessionDocument& document, const QString& text, Kind kind);

    void undo() override;
    void redo() override;

    int id() const override { return 1; }

    bool mergeWith(const QUndoCommand* other) override;

private:
    SessionDocument& m_document;
    QString m_before;
    QString m_after;
    Kind m_kind;
    TypingStep m_step;
};

/// Replaces an encoder-decoder's target. Typing is merged into steps, see TypingStep.
class TargetCommand : public QUndoCommand
{
public:
    TargetCommand(SessionDocument& document, const QString& target);

    void undo() override;
    void redo() override;

    int id() const override { return 2; }

    bool mergeWith(const QUndoCommand* other) override;

private:
    SessionDocument& m_document;
    QString m_before;
    QString m_after;
    TypingStep m_step;
};

/// Replaces all changes of B.
class ChangesCommand : public QUndoCommand
{
public:
    ChangesCommand(SessionDocument& document, ViewState& view, const Changes& changes,
                   const QString& name);

    void undo() override;
    void redo() override;

private:
    SessionDocument& m_document;
    ViewState& m_view;
    Changes m_before;
    Changes m_after;
    std::optional<Variant> m_shown; ///< Variant shown when the changes were undone.
};

} // namespace headscope::ui
