#pragma once

#include <QAction>
#include <QList>

namespace headscope::ui {

/// Menu text without its mnemonic, whether "&Quit" or a translated "Q(&Q)".
QString withoutMnemonic(QString text);

/// Shows a non-modal window that deletes itself when closed.
void showShortcuts(const QList<QAction*>& actions, QWidget* parent);
void showAbout(QWidget* parent);

} // namespace headscope::ui
