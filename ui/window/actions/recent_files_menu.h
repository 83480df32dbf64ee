#pragma once

#include <QObject>

class QMenu;

namespace headscope::ui {

class Settings;

/// The menu of the files that were opened last; off while there are none.
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
