#pragma once

#include <QAction>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>

#include <memory>

namespace headscope::ui {

/// Text field without undo of its own: the session has it, so the field leaves its keys to the
/// window and its menu has no undo.
template<class Field>
class WithoutOwnUndo : public Field
{
public:
    using Field::Field;

protected:
    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::ShortcutOverride && isUndo(*static_cast<QKeyEvent*>(event))) {
            event->ignore();
            return false;
        }
        return Field::event(event);
    }

    void keyPressEvent(QKeyEvent* event) override
    {
        if (isUndo(*event))
            event->ignore();
        else
            Field::keyPressEvent(event);
    }

    void contextMenuEvent(QContextMenuEvent* event) override
    {
        const std::unique_ptr<QMenu> menu(this->createStandardContextMenu());
        const QList<QAction*> actions = menu->actions();
        for (QAction* action : actions.mid(0, 3)) // undo, redo and their separator
            menu->removeAction(action);
        menu->exec(event->globalPos());
    }

    static bool isUndo(const QKeyEvent& event)
    {
        return event.matches(QKeySequence::Undo) || event.matches(QKeySequence::Redo);
    }
};

} // namespace headscope::ui
