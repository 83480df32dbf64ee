#include "ui/window/benchmarks/block_benchmark.h"

#include "core/base/error.h"
#include "ui/pages/shared/page.h"
#include "ui/window/frame/sentence_field.h"
#include "ui/window/frame/window_host.h"
#include "ui/window/workspaces/pages.h"

#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QThread>

#include <algorithm>
#include <ctime>

namespace headscope::ui {

namespace {

constexpr int kStartMs = 120'000; ///< longest wait for the first text
constexpr int kAtRestMs = 120;
constexpr double kSomethingMs = 1.0; ///< Shorter event-loop turns are clocks and cursor blinks.
constexpr int kPointerPlaces = 6;    ///< Pointer positions across and down a page.

double threadCpuMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void sendKey(QWidget& widget, int key, const QString& text = {})
{
    for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
        QKeyEvent event(type, key, Qt::NoModifier, text);
        QCoreApplication::sendEvent(&widget, &event);
    }
}

/// Sends the mouse move that the window system would send to the widget at this position.
void movePointer(QWidget& page, QPoint place)
{
    QWidget* under = page.childAt(place);
    QWidget& target = under != nullptr ? *under : page;
    const QPointF local = target.mapFrom(&page, QPointF(place));
    QMouseEvent move(QEvent::MouseMove, local, target.mapToGlobal(local), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&target, &move);
}

/// Performs actions in the window and times every turn of its event loop.
class Driver
{
public:
    Driver(WindowHost& host, int wait) : m_host(host), m_waitMs(1000 * wait)
    {
        QObject::connect(&host.session(), &Session::errorRaised, &host.window(),
                         [this](const QString& sentence) { m_error = sentence; });
    }

    void begin(const std::string& page, const std::string& action)
    {
        m_timing = {};
        m_timing.model = m_host.session().model().name;
        m_timing.page = page;
        m_timing.action = action;
    }

    void end()
    {
        m_timing.idle = settle(m_waitMs);
        m_timing.tokens = static_cast<int>(m_host.session().document().tokens().size());
        m_timings.push_back(m_timing);
    }

    /// Performs one event and processes its consequences.
    void step(const std::function<void()>& work)
    {
        turn(work);
        turn([] { QCoreApplication::processEvents(); });
    }

    /// Waits until all answers have arrived and the window has been idle for a while; false after this
    /// time.
    bool settle(int longestMs)
    {
        QElapsedTimer all;
        QElapsedTimer quiet;
        all.start();
        quiet.start();
        while (!isCurrent() || quiet.elapsed() < kAtRestMs) {
            if (turn([] { QCoreApplication::processEvents(); }))
                quiet.restart();
            else
                QThread::msleep(1);
            if (!m_error.isEmpty())
                throw Error(m_error.toStdString(), "window benchmark");
            if (all.elapsed() > longestMs)
                return false;
        }
        return true;
    }

    /// Nothing can be measured before.
    void requireIdle()
    {
        if (!settle(kStartMs))
            throw Error("the window does not become idle", "window benchmark");
    }

    std::vector<BlockTiming> take() { return std::move(m_timings); }

private:
    bool isCurrent() const
    {
        const Session& session = m_host.session();
        return session.models().loadingName().isEmpty() && session.traceA() &&
               session.computation().shownTicket() == session.computation().postedTicket() &&
               m_host.window().isSettled(); // what is made on other threads has arrived
    }

    /// True when the turn had work to do.
    bool turn(const std::function<void()>& work)
    {
        QElapsedTimer clock;
        clock.start();
        const double before = threadCpuMs();
        work();
        const double cpu = threadCpuMs() - before;
        const double wall = static_cast<double>(clock.nsecsElapsed()) / 1e6;
        m_timing.longestMs = std::max(m_timing.longestMs, wall);
        m_timing.cpuMs = std::max(m_timing.cpuMs, cpu);
        m_timing.turns += cpu > kSomethingMs ? 1 : 0;
        return cpu > kSomethingMs;
    }

    WindowHost& m_host;
    int m_waitMs;
    BlockTiming m_timing;
    std::vector<BlockTiming> m_timings;
    QString m_error;
};

/// Benchmark rounds of one page.
class PageTour
{
public:
    PageTour(WindowHost& host, Driver& driver, std::string page)
        : m_window(host.window())
        , m_session(host.session())
        , m_driver(driver)
        , m_page(std::move(page))
    {
    }

    void run()
    {
        act("open", [this] { m_window.showPage(QString::fromStdString(m_page)); });
        act("type", [this] { sendKey(m_window.sentence(), Qt::Key_A, QStringLiteral("a")); });
        act("delete", [this] { sendKey(m_window.sentence(), Qt::Key_Backspace); });
        act("last head", [this] { activateHead(1); });
        act("first head", [this] { activateHead(0); });
        act("pin", [this] { selectPair(); });
        act("free", [this] { m_session.view().releasePair(); });
        sweepPointer();
        pressArrows();
        act("change", [this] { m_session.document().setHeadOff(0, 0, true); });
        act("difference", [this] { m_session.view().setShownVariant(Variant::Difference); });
        act("run B", [this] { m_session.view().setShownVariant(Variant::B); });
        act("run A", [this] { m_session.view().setShownVariant(Variant::A); });
        act("undo", [this] { m_session.document().clearChanges(); });
        act("resize", [this] { m_window.resize(m_window.size() - QSize(80, 80)); });
        act("resize back", [this] { m_window.resize(m_window.size() + QSize(80, 80)); });
    }

private:
    void act(const char* action, const std::function<void()>& work)
    {
        m_driver.begin(m_page, action);
        m_driver.step(work);
        m_driver.end();
    }

    void activateHead(int last)
    {
        const AttentionKind part = m_session.selection().part;
        const Trace& trace = *m_session.traceA();
        m_session.view().activateHead(last * (trace.layerCount(part) - 1),
                                      last * (trace.headCount(part) - 1));
    }

    void selectPair()
    {
        const auto tokens = static_cast<int>(m_session.document().tokens().size());
        m_session.view().selectPair(tokens - 1, tokens / 2);
    }

    Page* shownPage() const
    {
        for (Page* page : m_window.findChildren<Page*>()) {
            if (page->isVisible())
                return page;
        }
        throw Error("no page is shown", "window benchmark");
    }

    void sweepPointer()
    {
        m_driver.begin(m_page, "pointer");
        QWidget* page = shownPage();
        for (int down = 0; down < kPointerPlaces; ++down)
            for (int across = 0; across < kPointerPlaces; ++across)
                m_driver.step([&] {
                    movePointer(*page, {page->width() * (2 * across + 1) / (2 * kPointerPlaces),
                                        page->height() * (2 * down + 1) / (2 * kPointerPlaces)});
                });
        m_driver.end();
    }

    void pressArrows()
    {
        m_driver.begin(m_page, "arrows");
        Page* page = shownPage();
        m_driver.step([page] { page->focusMain(); });
        for (const int key :
             {Qt::Key_Right, Qt::Key_Down, Qt::Key_Left, Qt::Key_Up, Qt::Key_End, Qt::Key_Home})
            m_driver.step([&] {
                QWidget* focus = m_window.focusWidget();
                sendKey(focus != nullptr ? *focus : *page, key);
            });
        m_driver.end();
    }

    MainWindow& m_window;
    Session& m_session;
    Driver& m_driver;
    std::string m_page;
};

std::vector<std::string> pageNames(const BlockBenchmarkOptions& options)
{
    std::vector<std::string> names;
    for (const QString& name : placeNames())
        names.push_back(name.toStdString());
    for (const std::string& page : options.pages) {
        if (std::find(names.begin(), names.end(), page) == names.end())
            throw Error("no such page", page);
    }
    return options.pages.empty() ? names : options.pages;
}

} // namespace

std::vector<BlockTiming> runBlockBenchmark(int& argc, char** argv, ApplicationServices services,
                                           const BlockBenchmarkOptions& options)
{
    ApplicationHost application(argc, argv, services.version);
    application.useTheme("light");
    const std::vector<std::string> pages = pageNames(options);
    if (!options.model.empty())
        services.model = options.model;
    services.size = options.size;
    WindowHost host(services, std::make_unique<Settings>(Settings::Storage::Memory));
    Driver driver(host, options.wait);
    host.openFirstModel(services);
    host.window().show();
    driver.requireIdle();
    for (const int tokens : options.tokens) {
        // leaves room for a typed token
        const int longest = std::max(1, host.session().models().longestText() - 4);
        host.session().document().replaceText(
            sentenceOf(std::min(tokens, longest), *host.session().model().tokenizer));
        driver.requireIdle();
        for (const std::string& page : pages)
            PageTour(host, driver, page).run();
    }
    return driver.take();
}

} // namespace headscope::ui
