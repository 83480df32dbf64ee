#include "app/window/window_command.h"

#include "app/commands/device_measurements.h"
#include "app/console.h"
#include "app/lesson_source.h"
#include "app/manual_source.h"
#include "app/model_source.h"
#include "core/base/error.h"
#include "resources/resource.h"
#include "ui/window/workspaces/pages.h"

#include <QString>
#include <QtGlobal>

#include <cstdlib>
#include <memory>

namespace headscope::app {

namespace {

struct WindowOptions
{
    std::string file;
    std::string model;
    std::string text;
    std::string device;
    std::string theme;
    std::string page;
    std::string screenshot;
    std::string size;
};

std::optional<std::string> given(const CLI::App& app, const char* option, const std::string& value)
{
    return app.count(option) != 0 ? std::optional(value) : std::nullopt;
}

void openWindow(const CLI::App& app, const WindowOptions& options, CommandContext& context)
{
    ui::ApplicationServices services = windowServices(context);
    if (!options.file.empty())
        services.file = options.file;
    services.model = given(app, "--model", options.model);
    services.text = given(app, "--text", options.text);
    services.device = given(app, "--device", options.device);
    services.theme = given(app, "--theme", options.theme);
    services.page = given(app, "--page", options.page);
    services.screenshotPath = given(app, "--screenshot", options.screenshot);
    if (app.count("--size") != 0)
        services.size = parseSize(options.size);
    if (services.screenshotPath)
        drawWithoutDisplay();
    const int status = ui::runApplication(context.argc(), context.argv(), std::move(services));
    if (status != 0)
        throw CLI::RuntimeError(status);
}

std::vector<std::string> pageNames()
{
    std::vector<std::string> names;
    for (const QString& name : ui::placeNames())
        names.push_back(name.toStdString());
    return names;
}

} // namespace

void addWindowOptions(CLI::App& app, CommandContext& context)
{
    const auto options = std::make_shared<WindowOptions>();
    app.add_option(
           "FILE", options->file,
           "A session, a figure or shared page that contains one, a model, a training run, a "
           "series of checkpoints or a text to open")
        ->check(CLI::ExistingPath);
    addModelOption(app, options->model);
    addDeviceOption(app, options->device);
    app.add_option("--text", options->text, "The sentence to start with");
    app.add_option("--theme", options->theme, "system, light or dark")
        ->check(CLI::IsMember({"system", "light", "dark"}));
    app.add_option("--page", options->page, "The page to start with")
        ->check(CLI::IsMember(pageNames()));
    app.add_option("--screenshot", options->screenshot,
                   "Write the window as a PNG file and exit; needs no display");
    app.add_option("--size", options->size, "WIDTHxHEIGHT of the window");
    app.callback([&app, &context, options] {
        if (app.get_subcommands().empty())
            openWindow(app, *options, context);
    });
    CLI::App* open = app.add_subcommand("open", "Open a file in the window, as FILE alone does");
    open->fallthrough(); // the options above may follow it
    open->add_option("PATH", options->file, "What FILE may be")
        ->required()
        ->check(CLI::ExistingPath);
    open->callback([&app, &context, options] { openWindow(app, *options, context); });
}

QSize parseSize(const std::string& text)
{
    int width = 0;
    int height = 0;
    char rest = 0;
    const int fields = std::sscanf(text.c_str(), "%5dx%5d%c", &width, &height, &rest);
    if (fields != 2 || width < 1 || height < 1 || width > 16384 || height > 16384)
        throw CLI::ValidationError("--size", "give WIDTHxHEIGHT in pixels, as 1440x900");
    return {width, height};
}

ui::ApplicationServices windowServices(CommandContext& context)
{
    ui::ApplicationServices services;
    services.registry = context.registry();
    services.openModel = openAudited;
    services.builtinModels = builtinModels();
    services.lessons = [] { // these live as long as the process
        return std::shared_ptr<const LessonLibrary>(std::shared_ptr<void>(), &builtinLessons());
    };
    services.manual = {std::shared_ptr<void>(), &builtinManual()};
    services.contentTranslation = [](const std::string& locale, const std::string& name) {
        return resourceText("translations/" + locale + "/" + name).value_or(std::string_view());
    };
    services.translation = [](const std::string& locale) {
        const auto bytes = resourceText("translations/headscope_" + locale + ".qm");
        return bytes.value_or(std::string_view());
    };
    services.measureDevices = [registry = services.registry](const std::stop_token& stop) {
        measureDevices(registry, stop);
    };
    return services;
}

void drawWithoutDisplay()
{
    qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& message) {
        if (type == QtCriticalMsg ||
            type == QtFatalMsg) // warnings about the desktop are of no interest here
            note(message.toStdString());
    });
    const auto isSet = [](const char* name) {
        const char* value = std::getenv(name);
        return value && *value;
    };
    if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY") && !isSet("QT_QPA_PLATFORM"))
        ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
}

} // namespace headscope::app
