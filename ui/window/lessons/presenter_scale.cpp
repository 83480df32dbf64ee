#include "ui/window/lessons/presenter_scale.h"

#include "ui/pages/shared/stages/lab_panels.h"
#include "ui/pages/shared/stages/lab_stage.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/widgets/worked/worked_widget.h"
#include "ui/window/frame/settling.h"

#include <QEvent>
#include <QScreen>
#include <QTimer>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kAgainMs = 200;

} // namespace

PresenterScale::PresenterScale(QWidget& window, const LessonRun& run)
    : QObject(&window)
    , m_window(window)
    , m_run(run)
{
    window.installEventFilter(this);
}

void PresenterScale::setLab(LabStage& lab)
{
    m_lab = &lab;
    connect(&lab, &LabStage::finished, this, &PresenterScale::fit);
}

void PresenterScale::setOn(bool on)
{
    m_isOn = on;
    m_scale = kLargest;
    m_room = m_window.size();
    m_isFitted = false;
}

void PresenterScale::beginStep()
{
    m_isFitted = false;
}

void PresenterScale::fitSoon()
{
    QTimer::singleShot(0, this, &PresenterScale::fit);
}

/// Reduces the type until the page fits, as pages are not designed for large type beside a lesson
/// column, and some labs show three plots.
void PresenterScale::fit()
{
    if (!m_isOn || !m_run.isOpen())
        return;
    switch (m_run.current().state.kind) {
    case LessonState::Kind::Page:
        return fitPage();
    case LessonState::Kind::Lab:
        return fitLab();
    case LessonState::Kind::Example:
        return use(kLargest);
    }
}

void PresenterScale::fitPage()
{
    const QSize room = m_window.isFullScreen() ? m_window.screen()->size() : m_room;
    settleLayouts();
    const QSize needed = m_window.minimumSizeHint();
    const double fits = std::min(1.0 * room.width() / std::max(needed.width(), 1),
                                 1.0 * room.height() / std::max(needed.height(), 1));
    use(std::clamp(m_scale * fits, 1.0, m_scale));
    for (const WorkedWidget* matrices : m_window.findChildren<WorkedWidget*>()) {
        const bool isShown = matrices->isVisible() && !matrices->diagram().isEmpty();
        while (isShown && m_scale > 1.0 && !matrices->layoutNow().fits())
            use(std::max(1.0, m_scale - 0.1));
    }
    if (!isSettled(m_window)) // pending results may need more room
        QTimer::singleShot(kAgainMs, this, &PresenterScale::fit);
}

/// Fits the type once per step, when the lab's plots are ready; it does not change while a slider
/// moves.
void PresenterScale::fitLab()
{
    constexpr double kLeast = 1.1; // still readable for an audience
    constexpr double kStep = 0.1;
    if (m_isFitted || !m_lab)
        return;
    if (!m_lab->result()) // a lab started by hand has no result yet; others will soon
        return use(m_lab->lab()->isSlow ? kLargest : m_scale);
    m_isFitted = true;
    use(kLargest);
    while (m_lab->panels().fit() < 1.0 && m_scale > kLeast + kStep / 2.0)
        use(m_scale - kStep);
}

void PresenterScale::use(double scale)
{
    if (std::abs(scale - m_scale) >= 0.01) {
        emit changed(m_scale = scale);
        settleLayouts();
    }
    if (!m_window.isFullScreen())
        m_window.resize(m_room);
}

bool PresenterScale::eventFilter(QObject* watched, QEvent* event)
{
    const bool isGrown = watched == &m_window && event->type() == QEvent::Resize && m_isOn &&
                         m_window.minimumSizeHint().boundedTo(m_room) != m_window.minimumSizeHint();
    if (isGrown) // the page needs more room than there is
        fitSoon();
    return QObject::eventFilter(watched, event);
}

} // namespace headscope::ui
