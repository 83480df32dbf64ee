#pragma once

#include "ui/session/session.h"
#include "ui/session/settings.h"

#include <QMainWindow>

class QStackedWidget;

namespace headscope::ui {

class BusyLine;
class CommandPalette;
class GoActions;
class InspectorFrame;
class InspectorPage;
class LessonDesk;
class LiveLabel;
class LoadingBar;
class MessageBar;
class ModelActions;
class ModelChooser;
class OverviewPage;
class PositionsPage;
class Rail;
class SentenceField;
class StatusLine;
class TokenRows;
class TokenStrip;
class Tour;
class WhatIfPage;
class WindowActions;
class WindowFiles;

/// The frame around the pages. Wires widgets to the session; knows no numbers itself.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    MainWindow(Session& session, Settings& settings, const QStringList& builtinModels);
    ~MainWindow() override;

    void showPage(const QString& name); ///< "overview", "what-if" or "positions"
    QString page() const;
    bool isSettled() const;             ///< nothing that can be seen is still being measured
    void leaveTimesOut();               ///< a picture of the same state is the same picture
    void openPath(const QString& path); ///< a checkpoint, a session, a figure or a text file
    void resetLayout();

    SentenceField& sentence() { return *m_sentence; }

    SentenceField& target() { return *m_target; } ///< hidden unless Session::readsTarget()

    TokenStrip& strip();

    TokenRows& tokenRows() { return *m_tokens; }

    Rail& rail() { return *m_rail; }

    bool isInspectorShown() const;
    void setPresenting(bool on); ///< larger type, without menu, rail and status line
    void startTour();

    Tour& tour() { return *m_tour; }

    OverviewPage& overview();
    WhatIfPage& whatIf();
    InspectorPage& inspector();

    MessageBar& messages() { return *m_messages; }

    LoadingBar& loadingBar() { return *m_loading; }

    CommandPalette& goToAnything() { return *m_palette; }

    WindowActions& windowActions() { return *m_actions; }

    WindowFiles& files() { return *m_files; }

    LessonDesk& lessonDesk() { return *m_desk; }

    bool isPresenting() const;

signals:
    /// The picture of this ticket has reached the screen; `elapsedMs` is the time of painting it.
    void painted(quint64 ticket, double elapsedMs);
    void presentingChanged(bool on);

protected:
    bool event(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeMenu(const QStringList& builtinModels);
    void makeSentenceRow();
    void makeTokenRow();
    void makeRail();
    void makePages();
    void makeInspector();
    void makeDesk();
    void connectSession();
    void connectActions();
    void connectFileActions();
    void connectEditActions();
    void connectViewActions();
    void connectHelpActions();
    void connectSentence();
    void connectSettings();
    void explainFrame();
    void restoreLayout();
    void fitFrame();
    void refreshTokens();
    void refreshMarks();
    void refreshModel();
    void refreshReadOnly();
    void refreshTitle();
    void refreshState();
    void connectTraining();
    void connectModels();
    bool isAboutAudit() const;
    void warnOfAudit();
    void showAudit();
    void showModelList();
    void connectLessons();
    void explainLessons();
    bool mayClose();
    void answerClosing(int button);
    void followTrace();
    void placeInspector();
    void showError(const QString& sentence);
    void showPalette();
    void showTokenSearch();
    void showSettings();
    bool leaveSomething();
    void focusPage();

    Session& m_session;
    Settings& m_settings;
    WindowActions* m_actions = nullptr;
    GoActions* m_go = nullptr;
    ModelActions* m_modelActions = nullptr;
    ModelChooser* m_chooser = nullptr;
    SentenceField* m_sentence = nullptr;
    LiveLabel* m_live = nullptr;
    QWidget* m_sentenceRow = nullptr;
    QWidget* m_targetMark = nullptr;
    SentenceField* m_target = nullptr;
    TokenRows* m_tokens = nullptr;
    Rail* m_rail = nullptr;
    QWidget* m_body = nullptr;
    MessageBar* m_messages = nullptr;
    LoadingBar* m_loading = nullptr;
    QString m_auditSentence; ///< what the messages said of the weights
    BusyLine* m_busy = nullptr;
    QStackedWidget* m_pages = nullptr;
    WindowFiles* m_files = nullptr;
    OverviewPage* m_overview = nullptr;
    WhatIfPage* m_whatIf = nullptr;
    PositionsPage* m_positions = nullptr;
    InspectorPage* m_inspector = nullptr;
    InspectorFrame* m_inspectorFrame = nullptr;
    LessonDesk* m_desk = nullptr;
    QDockWidget* m_railDock = nullptr;
    Tour* m_tour = nullptr;
    bool m_narrow = false;
    bool m_closes = false;  ///< what becomes of a run in training has been said
    bool m_dockWish = true; ///< the inspector was shown before the window became narrow
    QSize m_sizeBefore;     ///< presenter mode; empty outside it
    StatusLine* m_status = nullptr;
    CommandPalette* m_palette = nullptr;
    quint64 m_unpainted = 0; ///< ticket whose picture is on its way to the screen
};

} // namespace headscope::ui
