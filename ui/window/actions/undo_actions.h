#pragma once

class QUndoStack;

namespace headscope::ui {

class WindowActions;

/// Undo and redo, which say what of.
void connectUndo(WindowActions& actions, QUndoStack& stack);

} // namespace headscope::ui
