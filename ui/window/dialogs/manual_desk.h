#pragma once

#include "core/lessons/manual/manual.h"
#include "ui/window/actions/command_palette.h"

#include <QObject>

#include <memory>
#include <vector>

namespace headscope::ui {

class MainWindow;
class WindowActions;

/// The manual in the window: its dialog, the actions that open it, its entries of the palette.
class ManualDesk : public QObject
{
    Q_OBJECT

public:
    ManualDesk(MainWindow& window, WindowActions& actions);

    void setManual(std::shared_ptr<const Manual> manual); ///< null: the actions are disabled

    void open(const QString& topic = {}); ///< at this page; without one, where it was left
    void openPage();                      ///< at the page about the current page of the window
    void addEntries(std::vector<PaletteEntry>& entries);

signals:
    void linkActivated(const QString& target); ///< "page:NAME" or "lesson:ID"

private:
    MainWindow& m_window;
    std::vector<QAction*> m_actions;
    std::shared_ptr<const Manual> m_manual;
    QString m_last; ///< page shown last
};

} // namespace headscope::ui
