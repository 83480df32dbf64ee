#pragma once

#include "ui/session/settings.h"
#include "ui/window/frame/application.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/frame/translator.h"
#include "ui/workers/tasks/task_thread.h"

#include <QApplication>

#include <functional>
#include <memory>

namespace headscope::ui {

/// QApplication with Headscope's names, style and theme. Throws Error without a display.
class ApplicationHost
{
public:
    ApplicationHost(int& argc, char** argv, const std::string& version);

    /// Sets the theme: "system", "light" or "dark".
    void useTheme(const QString& name);

    /// Sets the language: "system" or a locale name. Untranslated texts stay English.
    void useLanguage(const QString& name, const ApplicationServices& services);

    /// Scales all type for presenter mode.
    void usePresenterScale(bool presenting);
    void useTypeScale(double scale); ///< Scales all type; 1 is the designed size.

    QApplication& application() { return *m_application; }

private:
    std::unique_ptr<QApplication> m_application;
    Translator m_translator; ///< Removes itself from the application before that is destroyed.
    bool m_systemIsDark = false;
    QString m_theme = "system";
    double m_typeScale = 1.0;
};

/// Settings, session and window of one process, in the order of construction and destruction. The
/// window is made again for another language, around the same session.
class WindowHost
{
public:
    WindowHost(const ApplicationServices& services, std::unique_ptr<Settings> settings);
    ~WindowHost();

    void openFirstModel(const ApplicationServices& services);
    void measureAfterFirstTrace(const ApplicationServices& services);

    /// Calls `prepare` with the window, and with every later one once it is made.
    void onWindow(std::function<void(MainWindow&)> prepare);

    /// Makes the window again in another language, which `change` sets while there is no window.
    /// Waits until no menu and no modal dialog is open.
    void remakeWindow(std::function<void()> change);

    Settings& settings() { return *m_settings; }

    Session& session() { return m_session; }

    MainWindow& window() { return *m_window; }

private:
    void offerThings(const ApplicationServices& services);
    void makeWindow();
    void makeWindowAgain(const std::function<void()>& change);

    std::unique_ptr<Settings> m_settings;
    Session m_session;
    std::function<std::shared_ptr<const LessonLibrary>()> m_lessons;
    std::shared_ptr<const Manual> m_manual;
    QStringList m_builtinModels;
    std::function<void(MainWindow&)> m_prepare;
    std::unique_ptr<MainWindow> m_window;
    std::stop_source m_leaving;
    TaskThread m_background;
};

/// Applies every change of theme, type size and language.
void connectHosts(ApplicationHost& application, WindowHost& host,
                  const ApplicationServices& services);

/// Runs the event loop until `done` returns true; false after `timeoutMs`. Calls `done` after every
/// batch of events.
bool processEventsUntil(const std::function<bool()>& done, int timeoutMs);

} // namespace headscope::ui
