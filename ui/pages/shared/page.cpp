#include "ui/pages/shared/page.h"

#include "ui/widgets/heads/head_grid_widget.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>

namespace headscope::ui {

namespace {

/// Typing belongs to fields, which have their own menus.
bool takesText(const QObject* watched)
{
    const auto* widget = qobject_cast<const QWidget*>(watched);
    return widget && widget->testAttribute(Qt::WA_InputMethodEnabled);
}

/// A page inside another one watches its own widgets.
const Page* pageOf(const QWidget* widget)
{
    while (widget && !qobject_cast<const Page*>(widget))
        widget = widget->parentWidget();
    return static_cast<const Page*>(widget);
}

} // namespace

/// Most pages show the active head's selected pair, and thumbnails of heads.
MaybeNumber Page::numberAt(std::optional<QPoint> place) const
{
    if (!place)
        return pairNumber(session().viewSnapshot());
    for (const HeadGridWidget* grid : findChildren<HeadGridWidget*>()) {
        const auto inside = within(*grid, place);
        const auto head = inside ? grid->layoutNow().headAt(*inside) : std::nullopt;
        if (head)
            return pairNumber(session().viewSnapshot(), head);
    }
    return std::nullopt;
}

QString Page::whyNoNumber() const
{
    return session().text().isEmpty()
               ? tr("Type a sentence first: its numbers can be traced to the weights.")
               : tr("Select a number first: a cell, a bar or a link.");
}

bool Page::traceNumber(std::optional<QPoint> place)
{
    const MaybeNumber number = session().text().isEmpty() ? std::nullopt : numberAt(place);
    if (number)
        emit numberWanted(*number);
    else
        emit messageWanted(whyNoNumber());
    return number.has_value();
}

void Page::showEvent(QShowEvent* event)
{
    SessionPanel::showEvent(event);
    for (QWidget* widget : findChildren<QWidget*>()) {
        if (pageOf(widget) == this)
            widget->installEventFilter(this); // again is the same as once
    }
}

bool Page::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const QPoint place = mouse->globalPosition().toPoint();
        const bool asks =
            mouse->button() == Qt::LeftButton && mouse->modifiers() == Qt::ControlModifier;
        if (asks && !takesText(watched) && !session().text().isEmpty() && numberAt(place))
            return traceNumber(place);
    } else if (event->type() == QEvent::ContextMenu && !takesText(watched)) {
        const auto* menu = static_cast<QContextMenuEvent*>(event);
        if (offerOrigin(menu->globalPos(), menu->reason() == QContextMenuEvent::Keyboard))
            return true;
    }
    return SessionPanel::eventFilter(watched, event);
}

bool Page::offerOrigin(QPoint place, bool byKeyboard)
{
    const std::optional<QPoint> at = byKeyboard ? std::nullopt : std::optional(place);
    const MaybeNumber number = session().text().isEmpty() ? std::nullopt : numberAt(at);
    if (!number)
        return false;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Where does this number come from?\tCtrl+click"), this,
                    [this, number] { emit numberWanted(*number); });
    menu->popup(place);
    return true;
}

} // namespace headscope::ui
