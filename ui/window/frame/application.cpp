#include "ui/window/frame/application.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "ui/session/runs/training.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/frame/settling.h"
#include "ui/window/frame/window_host.h"

#include <QBuffer>
#include <QTimer>

namespace headscope::ui {

namespace {

constexpr int kImageTimeoutMs = 60'000;

void saveImage(MainWindow& window, const std::string& path)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!window.grab().save(&buffer, "PNG"))
        throw Error("the image cannot be encoded", path);
    writeAtomically(path,
                    std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

/// Waits until the last text is painted, computed on the requested device, and saves a screenshot.
int takeScreenshot(WindowHost& host, const ApplicationServices& services)
{
    const QString device = host.session().computation().device();
    bool deviceSettled = device == "auto" || device == "cpu" || device == "reference";
    QString sentence;
    QString refusal; // of what was named on the command line
    quint64 painted = 0;
    QObject::connect(&host.session(), &Session::errorRaised, &host.window(),
                     [&](const QString& text) { sentence = text; });
    QObject::connect(&host.window(), &MainWindow::painted, &host.window(),
                     [&](quint64 ticket, double) { painted = ticket; });
    QObject::connect(
        &host.session().training(), &Training::messageWanted, &host.window(),
        [&](const QString& text, bool isError) { refusal = isError ? text : refusal; });
    QObject::connect(&host.window().files(), &WindowFiles::messageWanted, &host.window(),
                     [&](MessageKind kind, const QString& text) {
                         refusal = kind == MessageKind::Error ? text : refusal;
                     });
    host.openFirstModel(services);
    QObject::connect(&host.session(), &Session::deviceChanged, &host.window(), [&] {
        deviceSettled = true;
        painted = 0;
    });
    QApplication::setCursorFlashTime(0); // steady text cursor
    host.window().show();
    const bool hasModel =
        !host.session().models().loadingName().isEmpty() || host.session().training().isOpening();
    const auto isPainted = [&] {
        return !hasModel || (deviceSettled && painted != 0 &&
                             painted == host.session().computation().postedTicket());
    };
    const bool done = processEventsUntil(
        [&] { return isPainted() || !sentence.isEmpty() || !refusal.isEmpty(); }, kImageTimeoutMs);
    if (!refusal.isEmpty())
        throw Error(refusal.toStdString());
    const bool fellBack = !sentence.isEmpty() && host.session().traceA();
    if (!sentence.isEmpty() && !fellBack)
        throw Error(sentence.toStdString());
    if (!done)
        throw Error("the window was not painted in time", *services.screenshotPath,
                    "Try a smaller model or a shorter text.");
    // A page's additional measurements may be slow; the screenshot then shows them as pending, as
    // the page does.
    processEventsUntil([&] { return host.window().isSettled(); }, kImageTimeoutMs);
    QCoreApplication::processEvents();
    settleLayouts(); // a message may just have gone
    host.window().leaveTimesOut();
    saveImage(host.window(), *services.screenshotPath);
    return 0;
}

int showWindow(QApplication& application, WindowHost& host, const ApplicationServices& services)
{
    host.measureAfterFirstTrace(services);
    host.openFirstModel(services);
    host.window().show();
    // Who asks for a file or a page gets it; the tour would begin on the overview.
    if (!services.file && !services.page && !host.settings().value(Setting::TourSeen).toBool())
        QObject::connect(
            &host.window(), &MainWindow::painted, &host.window(),
            [&host] { QTimer::singleShot(0, &host.window(), &MainWindow::startTour); },
            Qt::SingleShotConnection);
    return application.exec();
}

} // namespace

int runApplication(int& argc, char** argv, ApplicationServices services)
{
    ApplicationHost application(argc, argv, services.version);
    const bool remembers = !services.screenshotPath;
    auto settings = std::make_unique<Settings>(remembers ? Settings::Storage::Person
                                                         : Settings::Storage::Memory);
    application.useLanguage(settings->text(Setting::Language), services);
    const auto theme = [&services](const Settings& from) {
        return services.theme ? QString::fromStdString(*services.theme) : from.text(Setting::Theme);
    };
    application.useTheme(theme(*settings));
    WindowHost host(services, std::move(settings));
    connectHosts(application, host, services);
    return services.screenshotPath ? takeScreenshot(host, services)
                                   : showWindow(application.application(), host, services);
}

} // namespace headscope::ui
