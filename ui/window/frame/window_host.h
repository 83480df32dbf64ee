#pragma once

#include "ui/session/settings.h"
#include "ui/window/frame/application.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/frame/translator.h"
#include "ui/workers/tasks/task_thread.h"

#include <QApplication>

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

/// Settings, session and window of one process, in the order of construction and destruction.
class WindowHost
{
public:
    WindowHost(const ApplicationServices& services, std::unique_ptr<Settings> settings);
    ~WindowHost();

    void openFirstModel(const ApplicationServices& services);
    void measureAfterFirstTrace(const ApplicationServices& services);

    Settings& settings() { return *m_settings; }

    Session& session() { return m_session; }

    MainWindow& window() { return *m_window; }

private:
    void offerThings(const ApplicationServices& services);

    std::unique_ptr<Settings> m_settings;
    Session m_session;
    std::unique_ptr<MainWindow> m_window;
    std::stop_source m_leaving;
    TaskThread m_background;
};

/// Runs the event loop until `done` returns true; false after `timeoutMs`. Calls `done` after every
/// batch of events.
bool processEventsUntil(const std::function<bool()>& done, int timeoutMs);

} // namespace headscope::ui
