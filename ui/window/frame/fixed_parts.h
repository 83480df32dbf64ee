#pragma once

#include <QString>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace headscope::ui {

/// Adds a bar across the window that cannot be moved or hidden.
void addFixedBar(QMainWindow& window, const QString& name, const QString& title, QWidget& content);

/// Adds a dock without a title that cannot be moved; `content` is placed below the line that
/// separates it from the tokens.
QDockWidget* addFixedDock(QMainWindow& window, const QString& name, const QString& title,
                          Qt::DockWidgetArea area, QWidget& content);

} // namespace headscope::ui
