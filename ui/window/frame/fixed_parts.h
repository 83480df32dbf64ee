#pragma once

#include <QString>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace headscope::ui {

/// A bar across the window that cannot be moved or hidden.
void addFixedBar(QMainWindow& window, const QString& name, const QString& title, QWidget& content);

/// A dock without a title that cannot be moved; `content` stands below the line that parts it from
/// the tokens.
QDockWidget* addFixedDock(QMainWindow& window, const QString& name, const QString& title,
                          Qt::DockWidgetArea area, QWidget& content);

} // namespace headscope::ui
