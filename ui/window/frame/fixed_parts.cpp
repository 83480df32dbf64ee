#include "ui/window/frame/fixed_parts.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/labels.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QToolBar>

namespace headscope::ui {

void addFixedBar(QMainWindow& window, const QString& name, const QString& title, QWidget& content)
{
    auto* bar = new QToolBar(title, &window);
    bar->setObjectName(name);
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->toggleViewAction()->setEnabled(false);
    content.setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    bar->addWidget(&content);
    window.addToolBar(Qt::TopToolBarArea, bar);
    window.addToolBarBreak(Qt::TopToolBarArea);
}

QDockWidget* addFixedDock(QMainWindow& window, const QString& name, const QString& title,
                          Qt::DockWidgetArea area, QWidget& content)
{
    auto* frame = new QWidget;
    auto* rows = columnOf(0, {new Hairline(Qt::Horizontal, frame), {&content, 1}}, frame);
    rows->setSizeConstraint(QLayout::SetMinAndMaxSize); // a separator would widen only margins
    auto* dock = new QDockWidget(title, &window);
    dock->setObjectName(name);
    dock->setFeatures(QDockWidget::NoDockWidgetFeatures);
    dock->setTitleBarWidget(new QWidget(dock));
    dock->setWidget(frame);
    window.addDockWidget(area, dock);
    return dock;
}

} // namespace headscope::ui
