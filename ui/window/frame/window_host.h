#pragma once

#include "ui/session/settings.h"
#include "ui/window/frame/application.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/frame/translator.h"
#include "ui/workers/tasks/task_thread.h"

#include <QApplication>

#include <memory>

namespace headscope::ui {

/// Creates the QApplication with our names, style and theme. Throws Error without a display.
class ApplicationHost
{
public:
    ApplicationHost(int& argc, char** argv, const std::string& version);

    /// "system", "light", "dark".
    void useTheme(const QString& name);

    /// "system", or the name of a locale. What is not translated stays English.
    void useLanguage(const QString& name, const ApplicationServices& services);

    /// Larger type for everything, for an audience.
    void usePresenterScale(bool presenting);
    void useTypeScale(double scale); ///< of all type; 1 as designed

    QApplication& application() { return *m_application; }

private:
    std::unique_ptr<QApplication> m_application;
    Translator m_translator; ///< leaves the application before it
    bool m_systemIsDark = false;
    QString m_theme = "system";
    double m_typeScale = 1.0;
};

/// Settings, session and window of one run, in the order in which they must be born and die.
class WindowHost
{
public:
    WindowHost(const ApplicationServices& services, std::unique_ptr<Settings> settings);
    ~WindowHost();

    void openFirstModel(const ApplicationServices& services);
    void measureAfterFirstPicture(const ApplicationServices& services);

    Settings& settings() { return *m_settings; }

    Session& session() { return m_session; }

    MainWindow& window() { return *m_window; }

private:
    std::unique_ptr<Settings> m_settings;
    Session m_session;
    std::unique_ptr<MainWindow> m_window;
    std::stop_source m_leaving;
    TaskThread m_background;
};

/// Runs the event loop until `done` holds; false when `timeoutMs` passed first. `done` is asked
/// after every batch of events.
bool processEventsUntil(const std::function<bool()>& done, int timeoutMs);

} // namespace headscope::ui
