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

/// Everything that the application passes to the window. Only `openModel` and `registry` are
/// required.
struct ApplicationServices
{
    BackendRegistry registry;

    /// Opens "builtin:NAME" or a path. Called on background threads; throws Error.
    ModelOpener openModel;

    /// Measures which device is faster. Called once on a background thread after the first painted
    /// result; must return soon after a stop request. May be empty.
    std::function<void(const std::stop_token&)> measureDevices;

    /// Returns the compiled translation (.qm) for a locale such as "zh_CN", which must stay in
    /// memory, or an empty view. May be empty itself.
    std::function<std::string_view(const std::string& locale)> translation;

    /// Returns the translated texts of a resource such as "labs/alibi.json", see
    /// core/base/content_language.h. May be empty.
    std::function<std::string_view(const std::string& locale, const std::string& resource)>
        contentTranslation;

    /// Returns the lesson library in the language of this process. May be empty.
    std::function<std::shared_ptr<const LessonLibrary>()> lessons;

    std::shared_ptr<const Manual> manual; ///< Manual; null: none.

    /// Built-in models, such as "builtin:stories"; the first is the default.
    std::vector<std::string> builtinModels;
    std::string version;              ///< Version shown in the About box.
    std::optional<std::string> model; ///< Model to open instead of the remembered one.
    std::optional<std::string> file;  ///< Session, figure, model or text to open.
    std::optional<std::string> text;  ///< Text to show instead of the remembered sentence.
    /// Device for this session only, instead of the remembered one.
    std::optional<std::string> device;
    /// Theme for this session only: "system", "light" or "dark".
    std::optional<std::string> theme;
    std::optional<std::string> page; ///< Page to show: "overview", "what-if" or "positions".

    /// Path of a PNG screenshot. When set, the window shows the text, writes the image once it is
    /// painted, and exits without saving settings. Works without a display when
    /// QT_QPA_PLATFORM=offscreen.
    std::optional<std::string> screenshotPath;
    std::optional<QSize> size; ///< Window size in logical pixels, instead of the remembered one.
};

/// Runs the window until it is closed and returns the exit status. Creates the QApplication. Throws
/// Error when there is no display or the screenshot fails.
int runApplication(int& argc, char** argv, ApplicationServices services);

} // namespace headscope::ui
