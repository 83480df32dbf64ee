#pragma once

#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/views/trace_figure.h"

#include <QAction>
#include <QList>

class QActionGroup;
class QMenu;
class QMenuBar;

namespace headscope::ui {

/// Everything that the menus, the shortcuts and the command palette offer. What concerns the
/// session is done here; what concerns the window is a signal.
class WindowActions : public QObject
{
    Q_OBJECT

public:
    WindowActions(Session& session, Settings& settings, QStringList builtinModels, QWidget* window);

    void fill(QMenuBar& bar);

    QMenu* modelMenu() const { return m_modelMenu; }

    QAction* inspectorAction() const { return m_inspector; }

    const QList<QAction*>& all() const { return m_all; } ///< with a text, in menu order

signals:
    void openWanted();
    void fileWanted(const QString& path);
    void exportWanted(headscope::ui::FigureView view);
    void copyImageWanted();
    void copyValuesWanted();
    void pageWanted(const QString& name);
    void sentenceWanted();
    void paletteWanted();
    void inspectorToggled(bool shown);
    void layoutResetWanted();
    void fullScreenToggled(bool on);
    void shortcutsWanted();
    void aboutWanted();

private:
    using Handler = std::function<void()>;

    QAction* add(QMenu& menu, const QString& text, const QKeySequence& key, Handler handler);
    QAction* addChoice(QMenu& menu, QActionGroup& group, const QString& text, Handler handler);
    void fillFile(QMenu& menu);
    void fillEdit(QMenu& menu);
    void fillView(QMenu& menu);
    void fillNavigation(QMenu& menu);
    void fillThemes(QMenu& menu);
    void fillColourMaps(QMenu& menu);
    void fillModel(QMenu& menu);
    void fillBuiltins(QMenu& menu);
    void fillDevices(QMenu& menu);
    void fillHelp(QMenu& menu);
    void fillRecent();
    void moveHead(int layers, int heads);
    void refresh();

    Session& m_session;
    Settings& m_settings;
    QStringList m_builtinModels;
    QWidget* m_window;
    QMenu* m_modelMenu = nullptr;
    QMenu* m_recent = nullptr;
    QAction* m_inspector = nullptr;
    QAction* m_back = nullptr;
    QAction* m_forward = nullptr;
    QAction* m_noMask = nullptr;
    QAction* m_headOff = nullptr;
    QAction* m_clear = nullptr;
    QList<QAction*> m_all;
};

} // namespace headscope::ui
