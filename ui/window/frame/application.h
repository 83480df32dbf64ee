#pragma once

#include "core/attention/backend_registry.h"
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_library.h"
#include "core/lessons/manual/manual.h"
#include "ui/workers/models/model_opener.h"

#include <QSize>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::ui {

/// What the application hands to the window. Only `openModel` and `registry` are needed.
struct ApplicationServices
{
    BackendRegistry registry;

    /// Opens "builtin:NAME" or a path. Called on background threads; throws Error.
    ModelOpener openModel;

    /// Called once on a background thread after the first picture: time to measure which device is
    /// the faster one. Must return soon after a stop request. May be empty.
    std::function<void(const std::stop_token&)> measureDevices;

    /// The compiled translation (.qm) for a locale as "zh_CN", to stay in memory; empty where there
    /// is none. May be empty itself.
    std::function<std::string_view(const std::string& locale)> translation;

    std::shared_ptr<const LessonLibrary> lessons; ///< null: none
    std::shared_ptr<const Manual> manual;         ///< null: none

    std::vector<std::string> builtinModels; ///< "builtin:stories", ...; the first is the default
    std::string version;                    ///< for the About box
    std::optional<std::string> model;       ///< what to open instead of the remembered one
    std::optional<std::string> file;        ///< a session, a figure, a model or a text to open
    std::optional<std::string> text;        ///< instead of the remembered sentence
    std::optional<std::string> device;      ///< instead of the remembered one, not remembered
    std::optional<std::string> theme;       ///< "system", "light" or "dark", not remembered
    std::optional<std::string> page;        ///< "overview", "what-if" or "positions"

    /// Show the window without remembering anything, wait until the picture of the text is painted,
    /// write it there as PNG and leave. Works without a display when QT_QPA_PLATFORM=offscreen.
    std::optional<std::string> screenshotPath;
    std::optional<QSize> size; ///< logical pixels, instead of the remembered window size
};

/// Runs the window until it is closed and returns the exit status. Creates the QApplication.
/// Throws Error when there is no display or the screenshot cannot be made.
int runApplication(int& argc, char** argv, ApplicationServices services);

} // namespace headscope::ui
