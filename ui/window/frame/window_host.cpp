#include "ui/window/frame/window_host.h"

#include "core/base/content_language.h"
#include "core/base/error.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/session/runs/training.h"
#include "ui/session/things_to_try.h"
#include "ui/widgets/style/control_style.h"
#include "ui/widgets/style/theme.h"
#include "ui/window/dialogs/manual_desk.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/frame/window_handover.h"
#include "ui/window/lessons/lesson_desk.h"
#include "ui/window/lessons/presenter_scale.h"

#include <QElapsedTimer>
#include <QIcon>
#include <QLocale>
#include <QTimer>

#include <utility>

namespace headscope::ui {

namespace {

/// Throws Error without a display, as Qt would end the process.
void requireDisplay()
{
    const auto isSet = [](const char* name) { return !qEnvironmentVariableIsEmpty(name); };
    if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY") && !isSet("QT_QPA_PLATFORM"))
        throw Error("no display to open a window on", "DISPLAY is not set",
                    "Start it in a desktop session, or use a subcommand: headscope --help.");
}

MapName colourMapNamed(const QString& name)
{
    for (const MapName map : {MapName::Viridis, MapName::Cividis, MapName::Magma, MapName::Grey}) {
        if (displayName(map) == name)
            return map;
    }
    return MapName::Depth;
}

} // namespace

ApplicationHost::ApplicationHost(int& argc, char** argv, const std::string& version)
{
    requireDisplay();
    QApplication::setStyle(new ControlStyle);
    m_application = std::make_unique<QApplication>(argc, argv);
    m_application->setApplicationName("headscope");
    m_application->setOrganizationName("headscope");
    m_application->setApplicationDisplayName("Headscope");
    m_application->setDesktopFileName("io.github.headscope.Headscope");
    m_application->setWindowIcon(QIcon::fromTheme("io.github.headscope.Headscope"));
    m_application->setApplicationVersion(QString::fromStdString(version));
    m_systemIsDark = m_application->palette().color(QPalette::Window).lightness() < 128;
}

void ApplicationHost::useTheme(const QString& name)
{
    m_theme = name;
    const bool dark = name == "dark" || (name != "light" && m_systemIsDark);
    applyTheme(*m_application, Theme::named(dark, bodyFont(m_typeScale)));
}

void ApplicationHost::useLanguage(const QString& name, const ApplicationServices& services)
{
    const QString locale = name == "system" ? QLocale::system().name() : name;
    const std::string id = locale.toStdString();
    QCoreApplication::removeTranslator(&m_translator);
    setContentLanguage({});
    if (!services.translation || !m_translator.use(services.translation(id)))
        return;
    QCoreApplication::installTranslator(&m_translator);
    if (const auto& content = services.contentTranslation)
        setContentLanguage(
            {id, [content, id](const std::string& resource) { return content(id, resource); }});
}

void ApplicationHost::usePresenterScale(bool presenting)
{
    useTypeScale(presenting ? PresenterScale::kLargest : 1.0);
}

void ApplicationHost::useTypeScale(double scale)
{
    if (scale == m_typeScale)
        return;
    m_typeScale = scale;
    useTheme(m_theme);
}

WindowHost::WindowHost(const ApplicationServices& services, std::unique_ptr<Settings> settings)
    : m_settings(std::move(settings))
    , m_session(services.registry, services.openModel)
    , m_lessons(services.lessons)
    , m_manual(services.manual)
{
    const auto chosen = [this](const std::optional<std::string>& given, Setting setting) {
        return given ? QString::fromStdString(*given) : m_settings->text(setting);
    };
    m_session.computation().setDevice(chosen(services.device, Setting::Device));
    m_session.setPrecision(
        precisionNamed(m_settings->text(Setting::Precision).toStdString())
            .value_or(WeightPrecision::Float32)); // a file of settings may hold anything
    m_session.view().setColourMap(colourMapNamed(m_settings->text(Setting::ColourMap)));
    m_session.document().replaceText(chosen(services.text, Setting::Sentence));
    m_session.document().undoStack().clear();
    offerThings(services);
    for (const std::string& name : services.builtinModels)
        m_builtinModels << QString::fromStdString(name);
    makeWindow();
    if (services.size)
        m_window->resize(*services.size);
    if (!services.page)
        return;
    const QString page = QString::fromStdString(*services.page);
    m_window->showPage(page);
    QObject::connect( // the requested model takes precedence over the one in a session file
        &m_window->files(), &WindowFiles::pageWanted, m_window.get(),
        [this, page] { m_window->showPage(page); }, Qt::QueuedConnection);
}

/// On the sample sentence, with nothing else to open, the first head shown is one worth seeing.
void WindowHost::offerThings(const ApplicationServices& services)
{
    ThingsToTry& things = thingsToTryOf(m_session);
    things.setTried(m_settings->value(Setting::ThingsTried).toInt());
    QObject::connect(&things, &ThingsToTry::changed, m_settings.get(), [this, &things] {
        if (things.tried() != m_settings->value(Setting::ThingsTried).toInt())
            m_settings->set(Setting::ThingsTried, things.tried());
    });
    if (!services.file && things.isOnSample())
        things.selectAtFirst();
}

void WindowHost::makeWindow()
{
    if (m_lessons)
        lessonsOf(m_session).setLibrary(m_lessons());
    m_window = std::make_unique<MainWindow>(m_session, *m_settings, m_builtinModels);
    m_window->manual().setManual(m_manual);
    if (m_prepare)
        m_prepare(*m_window);
}

void WindowHost::onWindow(std::function<void(MainWindow&)> prepare)
{
    m_prepare = std::move(prepare);
    m_prepare(*m_window);
}

void WindowHost::remakeWindow(std::function<void()> change)
{
    constexpr int kAgainMs = 50;
    const bool isFree = !QApplication::activeModalWidget() && !QApplication::activePopupWidget();
    QTimer::singleShot(isFree ? 0 : kAgainMs, &m_session,
                       [this, isFree, change = std::move(change)] {
                           if (isFree)
                               makeWindowAgain(change);
                           else
                               remakeWindow(change);
                       });
}

void WindowHost::makeWindowAgain(const std::function<void()>& change)
{
    const bool quits = QApplication::quitOnLastWindowClosed();
    QApplication::setQuitOnLastWindowClosed(false);
    const WindowHandover handover(*m_window);
    m_window.reset();
    change();
    makeWindow();
    handover.apply(*m_window);
    QApplication::setQuitOnLastWindowClosed(quits);
}

void WindowHost::openFirstModel(const ApplicationServices& services)
{
    const QString file = QString::fromStdString(services.file.value_or(""));
    if (!file.isEmpty()) {
        m_window->openPath(file);
        if (m_session.training().isOpening() ||
            !m_session.models().loadingName().isEmpty()) // the file names a model or is one
            return;
    }
    QString name = m_settings->text(Setting::Model);
    if (services.model)
        name = QString::fromStdString(*services.model);
    else if (name.isEmpty() && !services.builtinModels.empty())
        name = QString::fromStdString(services.builtinModels.front());
    if (!name.isEmpty())
        m_session.models().open(name);
}

WindowHost::~WindowHost()
{
    m_leaving.request_stop();
}

void WindowHost::measureAfterFirstTrace(const ApplicationServices& services)
{
    if (!services.measureDevices)
        return;
    const auto begin = [this, measure = services.measureDevices] {
        m_background.run([measure, stop = m_leaving.get_token()] { measure(stop); });
    };
    QObject::connect(m_window.get(), &MainWindow::painted, m_window.get(), begin,
                     Qt::SingleShotConnection);
}

void connectHosts(ApplicationHost& application, WindowHost& host,
                  const ApplicationServices& services)
{
    QObject::connect(&host.settings(), &Settings::changed, &host.session(), [&](Setting setting) {
        const QString value = host.settings().text(setting);
        if (setting == Setting::Theme)
            application.useTheme(value);
        if (setting == Setting::Language)
            host.remakeWindow([&, value] { application.useLanguage(value, services); });
    });
    host.onWindow([&application](MainWindow& window) {
        QObject::connect(&window, &MainWindow::presentingChanged, &window,
                         [&](bool on) { application.usePresenterScale(on); });
        QObject::connect(&window.lessonDesk().presenterScale(), &PresenterScale::changed, &window,
                         [&](double scale) { application.useTypeScale(scale); });
    });
}

bool processEventsUntil(const std::function<bool()>& done, int timeoutMs)
{
    QElapsedTimer timer;
    timer.start();
    while (!done()) {
        const auto left = static_cast<int>(timeoutMs - timer.elapsed());
        if (left <= 0)
            return false;
        // Every event wakes the loop; the timer only limits the wait.
        QTimer wake;
        wake.setSingleShot(true);
        wake.start(left);
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
    return true;
}

} // namespace headscope::ui
