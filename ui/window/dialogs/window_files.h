#pragma once

#include "ui/pages/shared/page.h"
#include "ui/session/session_opener.h"
#include "ui/session/settings.h"
#include "ui/widgets/controls/message_bar.h"

#include <QObject>

#include <functional>

class QStackedWidget;

namespace headscope::ui {

/// What comes into the window from files and what leaves it: models, texts, sessions, pictures,
/// numbers, the clipboard. What fails is a message, never a dialog.
class WindowFiles : public QObject
{
    Q_OBJECT

public:
    WindowFiles(Session& session, Settings& settings, QStackedWidget& pages, QWidget& window);

    /// A model (see modelAt), a captured trace, a run's folder, a session, a figure or shared page
    /// that carries one, or a text.
    void open(const QString& path);
    void chooseFile();
    void chooseModelFile();
    void chooseModelFolder();
    void saveSession(); ///< to the file that it came from; asks when there is none
    void saveSessionAs();
    void saveSessionTo(const QString& path);
    void exportView();
    void exportNumbers();
    void exportNumbersTo(const QString& path);
    void sharePage(); ///< asks for the file
    void sharePageTo(const QString& path);
    void writeReport(); ///< asks for the file
    void copyImage();
    void copyNumbers();
    void copyCaption();

    Figure figure() const;                ///< of the page in front
    SessionState state() const;           ///< the whole window
    void show(const SessionState& state); ///< brings the window into it

signals:
    void messageWanted(headscope::ui::MessageKind kind, const QString& sentence);
    void pageWanted(const QString& name);
    void lessonWanted(const QString& path);

private:
    Page* currentPage() const;
    Figure drawnFigure() const; ///< of the page in front; without a painter where it draws nothing
    void openState(const QString& path);
    void applyPages(const SessionState& state);
    void attempt(const std::function<void()>& action);
    void say(const QString& sentence);

    Session& m_session;
    Settings& m_settings;
    QStackedWidget& m_pages;
    QWidget& m_window;
    SessionOpener m_opener;
    QString m_sessionPath; ///< empty until a session was saved or opened
};

} // namespace headscope::ui
