#include "ui/window/dialogs/growing_dialog.h"

#include <QEvent>
#include <QLayout>

namespace headscope::ui {

bool GrowingDialog::event(QEvent* event)
{
    const bool isHandled = QDialog::event(event);
    if (event->type() == QEvent::LayoutRequest)
        fitHeight();
    return isHandled;
}

void GrowingDialog::resizeEvent(QResizeEvent* event)
{
    QDialog::resizeEvent(event);
    fitHeight();
}

/// The size that Qt proposes is too high where texts wrap at another width.
void GrowingDialog::showEvent(QShowEvent* event)
{
    fitHeight();
    resize(width(), minimumHeight());
    QDialog::showEvent(event);
}

void GrowingDialog::fitHeight()
{
    if (layout() && layout()->hasHeightForWidth())
        setMinimumHeight(layout()->totalHeightForWidth(width()));
}

} // namespace headscope::ui
