#include "tests/support/test_program.h"
#include "ui/session/settings.h"
#include "ui/window/actions/recent_files_menu.h"

#include <QFile>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace headscope::ui;

class TstRecentFiles : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void filesThatAreGoneAreNotOffered()
    {
        const QString kept = m_folder.filePath("kept.safetensors");
        QFile file(kept);
        QVERIFY(file.open(QIODevice::WriteOnly));
        Settings settings(Settings::Storage::Memory);
        settings.addRecentFile(kept);
        settings.addRecentFile(m_folder.filePath("gone.safetensors"));
        QMenu menu;
        RecentFilesMenu recent(menu, settings);
        QCOMPARE(menu.actions().value(0)->toolTip(), kept);
        QVERIFY(menu.actions().value(1)->isSeparator());
        QSignalSpy wanted(&recent, &RecentFilesMenu::fileWanted);
        menu.actions().value(0)->trigger();
        QCOMPARE(wanted.value(0).value(0).toString(), kept);
    }

    void itIsOffWhereAllAreGone()
    {
        Settings settings(Settings::Storage::Memory);
        settings.addRecentFile(m_folder.filePath("gone.safetensors"));
        QMenu menu;
        const RecentFilesMenu recent(menu, settings);
        QVERIFY(!menu.menuAction()->isEnabled());
        QVERIFY(menu.isEmpty());
    }

private:
    QTemporaryDir m_folder;
};

HEADSCOPE_WINDOW_TEST(TstRecentFiles)
#include "tst_recent_files.moc"
