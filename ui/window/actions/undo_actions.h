#pragma once

class QUndoStack;

namespace headscope::ui {

class WindowActions;

/// Undo and redo actions whose texts name the change.
void connectUndo(WindowActions& actions, QUndoStack& stack);

} // namespace headscope::ui
