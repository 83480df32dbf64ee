#pragma once

#include <QObject>

class QMenu;

namespace headscope::ui {

class Settings;

/// Menu of the recently opened files that still exist; disabled while there are none.
class RecentFilesMenu : public QObject
{
    Q_OBJECT

public:
    RecentFilesMenu(QMenu& menu, Settings& settings);

signals:
    void fileWanted(const QString& path);

private:
    void fill();

    QMenu& m_menu;
    Settings& m_settings;
};

} // namespace headscope::ui
