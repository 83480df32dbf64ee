#include "ui/window/actions/undo_actions.h"

#include "ui/window/actions/window_actions.h"

#include <QUndoStack>

namespace headscope::ui {

namespace {

void showText(QAction& action, const QString& verb, const QString& change)
{
    action.setText(change.isEmpty() ? verb : verb + ' ' + change);
}

} // namespace

void connectUndo(WindowActions& actions, QUndoStack& stack)
{
    QAction& undo = actions.action("edit.undo");
    QAction& redo = actions.action("edit.redo");
    actions.on("edit.undo", &stack, &QUndoStack::undo);
    actions.on("edit.redo", &stack, &QUndoStack::redo);
    QObject::connect(&stack, &QUndoStack::canUndoChanged, &undo, &QAction::setEnabled);
    QObject::connect(&stack, &QUndoStack::canRedoChanged, &redo, &QAction::setEnabled);
    const auto showUndo = [&undo, verb = undo.text()](const QString& change) {
        showText(undo, verb, change);
    };
    const auto showRedo = [&redo, verb = redo.text()](const QString& change) {
        showText(redo, verb, change);
    };
    QObject::connect(&stack, &QUndoStack::undoTextChanged, &undo, showUndo);
    QObject::connect(&stack, &QUndoStack::redoTextChanged, &redo, showRedo);
    undo.setEnabled(stack.canUndo());
    redo.setEnabled(stack.canRedo());
    showUndo(stack.undoText());
    showRedo(stack.redoText());
}

} // namespace headscope::ui
