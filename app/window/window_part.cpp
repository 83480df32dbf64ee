#include "app/window_part.h"

#include "app/window/window_benches.h"
#include "app/window/window_command.h"
#include "core/base/json_text.h"
#include "ui/pages/report/report_file.h"

#include <QApplication>

#include <memory>

namespace headscope::app {

namespace {

constexpr Bench kBenches[] = {
    {"keystroke", benchKeystroke},
    {"render", benchRendering},
    {"window", benchWindow},
    {"long", benchLongText},
};

} // namespace

void addWindowCommands(CLI::App& app, CommandContext& context)
{
    addRenderCommand(app, context);
    addWindowOptions(app, context);
}

std::span<const Bench> windowBenches()
{
    return kBenches;
}

std::string whyNoReport(const std::string& path)
{
    const bool known = path.ends_with(".pdf") || path.ends_with(".json");
    return known ? "" : inQuotes(path) + " ends neither in .pdf nor in .json";
}

void saveReport(const ModelReport& report, const std::filesystem::path& path,
                CommandContext& context)
{
    std::unique_ptr<QApplication> application;
    if (ui::reportFormat(path) == ui::ReportFormat::Pdf) {
        drawWithoutDisplay();
        application = std::make_unique<QApplication>(context.argc(), context.argv());
    }
    ui::saveReport(report, path);
}

} // namespace headscope::app
