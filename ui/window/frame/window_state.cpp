#include "ui/window/frame/window_state.h"

#include "ui/session/session.h"
#include "ui/window/frame/settling.h"

#include <QMainWindow>
#include <QScreen>

#include <utility>

namespace headscope::ui {

namespace {

constexpr int kLayoutVersion = 1;
constexpr QSize kFirstSize{1440, 900};
constexpr int kNarrowestScreen = 1024;

} // namespace

WindowState::WindowState(QMainWindow& window, Session& session, Settings& settings)
    : m_window(window)
    , m_session(session)
    , m_settings(settings)
{
    const auto rememberModel = [this] {
        if (m_session.model().model)
            m_settings.set(Setting::Model, QString::fromStdString(m_session.model().name));
    };
    QObject::connect(&session, &Session::modelChanged, &window, rememberModel);
    rememberModel();
}

QSize WindowState::fitting(QSize wanted, QSize available)
{
    constexpr QSize kFrame{16, 56};
    return available.width() < kNarrowestScreen ? wanted : wanted.boundedTo(available - kFrame);
}

void WindowState::restore()
{
    const QSize screen = m_window.screen()->availableSize();
    m_window.resize(fitting(kFirstSize, screen));
    if (m_window.restoreGeometry(m_settings.value(Setting::WindowGeometry).toByteArray()) &&
        !m_window.isMaximized() && !m_window.isFullScreen())
        m_window.resize(fitting(m_window.size(), m_window.screen()->availableSize()));
    m_window.restoreState(m_settings.value(Setting::WindowState).toByteArray(), kLayoutVersion);
}

void WindowState::save(const std::optional<SessionState>& own)
{
    constexpr int kRemembered = 4096; // characters
    m_settings.set(Setting::Sentence,
                   (own ? own->text : m_session.document().sentence()).left(kRemembered));
    if (own)
        m_settings.set(Setting::Model, own->model);
    m_settings.set(Setting::WindowGeometry, m_window.saveGeometry());
    m_settings.set(Setting::WindowState, m_window.saveState(kLayoutVersion));
}

void WindowState::reset()
{
    m_window.showNormal();
    m_window.resize(fitting(kFirstSize, m_window.screen()->availableSize()));
    m_settings.set(Setting::WindowGeometry, QByteArray());
    m_settings.set(Setting::WindowState, QByteArray());
}

void WindowState::keepSize()
{
    if (m_keptSize.isEmpty())
        m_keptSize = m_window.size();
}

void WindowState::bringSizeBack()
{
    if (m_keptSize.isEmpty())
        return;
    settleLayouts(); // larger type may have widened the window
    m_window.resize(std::exchange(m_keptSize, QSize()));
}

} // namespace headscope::ui
