#pragma once

#include "ui/session/view_snapshot.h"

#include <QUndoCommand>

#include <optional>

namespace headscope::ui {

class SessionDocument;
class ViewState;

/// Replaces the sentence. Typing in one direction is one step, until a pause or a replacement.
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
};

/// Replaces an encoder-decoder's target; typing in one direction is one step.
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
