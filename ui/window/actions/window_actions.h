#pragma once

#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/workers/models/model_search.h"

#include <QAction>
#include <QHash>
#include <QList>

#include <functional>

class QActionGroup;
class QMenu;
class QMenuBar;

namespace headscope::ui {

class WindowFiles;

/// Everything that the menus, the shortcuts and the command palette offer. What concerns the
/// session is done here; what concerns the window is a signal.
class WindowActions : public QObject
{
    Q_OBJECT

public:
    WindowActions(Session& session, Settings& settings, QStringList builtinModels, QWidget* window);

    void fill(QMenuBar& bar);

    void connectFiles(WindowFiles& files); ///< everything of File and Copy

    QMenu* modelMenu() const { return m_modelMenu; }

    ModelSearch& models() { return m_models; } ///< of this machine

    QMenu* tokenMenu() const { return m_tokenMenu; }

    QAction* inspectorAction() const { return m_inspector; }

    QAction* presenterAction() const { return m_presenter; }

    QAction* fullScreenAction() const { return m_fullScreen; }

    /// Steps along the query's or the key's tokens of the active head.
    void moveToken(int queries, int keys);

    const QList<QAction*>& all() const { return m_all; } ///< with a text, in menu order

signals:
    void openWanted();
    void fileWanted(const QString& path);
    void modelFileWanted();   ///< asks which
    void modelFolderWanted(); ///< asks which
    void modelListWanted();   ///< how to get one
    void modelFactsWanted();  ///< of the open one
    void saveSessionWanted();
    void saveSessionAsWanted();
    void exportWanted();
    void exportNumbersWanted();
    void reportWanted();
    void copyImageWanted();
    void copyNumbersWanted();
    void copyCaptionWanted();
    void pageWanted(const QString& name);
    void sentenceWanted();
    void paletteWanted();
    void tokenSearchWanted();
    void tokenEditWanted();
    void originWanted(); ///< of the page's current number
    void headWorkWanted(); ///< the active head as a worked example
    void newRunWanted();
    void startRunWanted(); ///< or pause it
    void lessonNextWanted();
    void lessonBackWanted();
    void lessonOfPageWanted(); ///< the page in front
    void stepAddWanted();      ///< to the person's own lesson
    void lessonOpenWanted();
    void lessonSaveWanted();
    void settingsWanted();
    void inspectorToggled(bool shown);
    void layoutResetWanted();
    void fullScreenToggled(bool on);
    void presenterToggled(bool on);
    void tourWanted();
    void shortcutsWanted();
    void aboutWanted();

private:
    using Handler = std::function<void()>;

    QAction* add(QMenu& menu, const QString& text, const QKeySequence& key, Handler handler);
    QAction* addChoice(QMenu& menu, QActionGroup& group, const QString& text, Handler handler);
    QAction* addSwitch(QMenu& menu, const QString& text, const QKeySequence& key);
    void fillFile(QMenu& menu);
    void fillEdit(QMenu& menu);
    void fillView(QMenu& menu);
    void fillPages(QMenu& menu);
    void fillNavigation(QMenu& menu);
    void fillTokenMoves(QMenu& menu);
    void fillTokens(QMenu& menu);
    void fillGroupings(QMenu& menu);
    void fillWindow(QMenu& menu);
    void fillThemes(QMenu& menu);
    void fillColourMaps(QMenu& menu);
    void fillModel(QMenu& menu);
    void fillModels(QMenu& menu);
    void fillDevices(QMenu& menu);
    void fillTraining(QMenu& menu);
    void fillLearn(QMenu& menu);
    void fillHelp(QMenu& menu);
    void fillRecent();
    void moveHead(int layers, int heads);
    void changeDisplay(const std::function<void(TokenDisplay&)>& change);
    void refresh();
    void refreshTraining();
    void refreshDisplay();
    void refreshColourMap();

    Session& m_session;
    Settings& m_settings;
    QStringList m_builtinModels;
    QWidget* m_window;
    ModelSearch m_models;
    QMenu* m_modelMenu = nullptr;
    QAction* m_aboutModel = nullptr;
    QMenu* m_recent = nullptr;
    QMenu* m_tokenMenu = nullptr;
    QAction* m_inspector = nullptr;
    QAction* m_back = nullptr;
    QAction* m_forward = nullptr;
    QAction* m_noMask = nullptr;
    QAction* m_headOff = nullptr;
    QAction* m_clear = nullptr;
    QAction* m_presenter = nullptr;
    QAction* m_fullScreen = nullptr;
    QAction* m_startRun = nullptr;
    QAction* m_lessonBack = nullptr;
    QHash<QString, QAction*> m_pageActions; ///< by the page's name
    QList<QAction*> m_ofOpenRun; ///< step, stop, save
    QActionGroup* m_groupings = nullptr;
    QActionGroup* m_themes = nullptr;
    QActionGroup* m_colourMaps = nullptr;
    QAction* m_hideSpecial = nullptr;
    QAction* m_hideFirst = nullptr;
    QAction* m_showIds = nullptr;
    QList<QAction*> m_all;
};

} // namespace headscope::ui
