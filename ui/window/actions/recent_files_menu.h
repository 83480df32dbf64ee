#pragma once

#include <QObject>

class QMenu;

namespace headscope::ui {

class Settings;

/// Menu of recently opened files; disabled while there are none.
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
