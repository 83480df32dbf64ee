#pragma once

#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/views/trace_figure.h"

#include <QMainWindow>

class QStackedWidget;

namespace headscope::ui {

class BusyLine;
class CommandPalette;
class InspectorView;
class LiveLabel;
class MessageBar;
class ModelChooser;
class OverviewView;
class PositionsView;
class Rail;
class SentenceField;
class StatusLine;
class TokenStrip;
class WhatIfView;
class WindowActions;

/// The frame: sentence, tokens, rail, page, inspector, status. Wires widgets to the session; knows
/// no numbers itself.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    MainWindow(Session& session, Settings& settings, const QStringList& builtinModels);
    ~MainWindow() override;

    void showPage(const QString& name); ///< "overview", "what-if" or "positions"
    QString page() const;
    void openPath(const QString& path); ///< a checkpoint or a text file
    void resetLayout();

    SentenceField& sentence() { return *m_sentence; }

    TokenStrip& strip() { return *m_strip; }

    OverviewView& overview() { return *m_overview; }

    WhatIfView& whatIf() { return *m_whatIf; }

    InspectorView& inspector() { return *m_inspector; }

    MessageBar& messages() { return *m_messages; }

    CommandPalette& goToAnything() { return *m_palette; }

    WindowActions& windowActions() { return *m_actions; }

signals:
    /// The picture of this ticket has reached the screen; `elapsedMs` is the time of painting it.
    void painted(quint64 ticket, double elapsedMs);

protected:
    bool event(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void makeMenu(const QStringList& builtinModels);
    void makeSentenceRow();
    void makeTokenRow();
    void makeRail();
    void makePages();
    void makeInspector();
    void connectSession();
    void connectActions();
    void connectSentence();
    void restoreLayout();

    void refreshTokens();
    void refreshMarks();
    void refreshModel();
    void refreshState();
    void followTrace();
    void placeInspector();
    void showError(const QString& sentence);
    void showPalette();
    FigureRequest figure(FigureView view) const;
    void copyImage();
    void exportView(FigureView view);
    void attempt(const std::function<void()>& action);
    void chooseFile();
    void focusPage();
    void settleLayouts();

    Session& m_session;
    Settings& m_settings;
    WindowActions* m_actions;
    ModelChooser* m_chooser = nullptr;
    SentenceField* m_sentence = nullptr;
    LiveLabel* m_live = nullptr;
    TokenStrip* m_strip = nullptr;
    Rail* m_rail = nullptr;
    QWidget* m_body = nullptr;
    MessageBar* m_messages = nullptr;
    BusyLine* m_busy = nullptr;
    QStackedWidget* m_pages = nullptr;
    OverviewView* m_overview = nullptr;
    WhatIfView* m_whatIf = nullptr;
    PositionsView* m_positions = nullptr;
    InspectorView* m_inspector = nullptr;
    QDockWidget* m_inspectorDock = nullptr;
    StatusLine* m_status = nullptr;
    CommandPalette* m_palette = nullptr;
    quint64 m_unpainted = 0; ///< ticket whose picture is on its way to the screen
};

} // namespace headscope::ui
