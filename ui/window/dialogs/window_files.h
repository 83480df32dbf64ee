#pragma once

#include "ui/pages/shared/page.h"
#include "ui/session/session_opener.h"
#include "ui/session/settings.h"
#include "ui/widgets/controls/message_bar.h"

#include <QObject>

#include <functional>

class QFileDialog;

namespace headscope::ui {

class PageStack;

/// Opens models, texts and sessions from files, and exports sessions, figures and numbers to files
/// and the clipboard. Failures are shown as messages, never as dialogs.
class WindowFiles : public QObject
{
    Q_OBJECT

public:
    WindowFiles(Session& session, Settings& settings, PageStack& pages, QWidget& window);

    /// Opens a model (see modelAt), a captured trace, a run's folder, a series of
    /// checkpoints, a session, a figure or shared page that contains one, or a text.
    void open(const QString& path);
    void chooseFile();
    void chooseModelFile();
    void chooseModelFolder();
    void saveSession(); ///< Saves to the session's file; asks for one when there is none.
    void saveSessionAs();
    void saveSessionTo(const QString& path);
    void exportView();
    void exportNumbers();
    void exportNumbersTo(const QString& path); ///< Asks before it replaces files.
    void sharePage();                          ///< Asks for a file and writes the page.
    void sharePageTo(const QString& path);
    void writeReport(); ///< Asks for a file and writes the report.
    void copyImage();
    void copyNumbers();
    void copyCaption();

    Figure figure() const;                ///< Figure of the page in front.
    SessionState state() const;           ///< State of the whole window.
    void show(const SessionState& state); ///< Restores the window to the given state.
    /// Restores the pages only: their options, and the one in front.
    void showPages(const SessionState& state);

    /// Path of the session; empty until one is saved or opened.
    const QString& sessionPath() const { return m_sessionPath; }

    void setSessionPath(const QString& path) { m_sessionPath = path; }

signals:
    void aboutToOpen(); ///< Emitted before a file is opened.
    void messageWanted(headscope::ui::MessageKind kind, const QString& sentence);
    void pageWanted(const QString& name);
    void lessonWanted(const QString& path);

private:
    Page* currentPage() const;
    Figure
    drawnFigure() const; ///< Figure of the page in front; without a painter where it draws nothing
    void openState(const QString& path);
    void writeNumbers(const Figure& shown, const QString& path);
    void propose(QFileDialog& dialog, const QString& name, const QString& ending) const;
    void attempt(const std::function<void()>& action);
    void say(const QString& sentence);

    Session& m_session;
    Settings& m_settings;
    PageStack& m_pages;
    QWidget& m_window;
    SessionOpener m_opener;
    QString m_sessionPath;
};

} // namespace headscope::ui
