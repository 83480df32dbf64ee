#pragma once

#include <QAction>
#include <QList>

namespace headscope::ui {

/// A menu's text without its mnemonic: "&Quit" or a translated "Q(&Q)".
QString withoutMnemonic(QString text);

/// Neither waits: both show a window of their own, which deletes itself when it is closed.
void showShortcuts(const QList<QAction*>& actions, QWidget* parent);
void showAbout(QWidget* parent);

} // namespace headscope::ui
