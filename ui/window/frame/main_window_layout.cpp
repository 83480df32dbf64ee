// Sizes and places of the frame: narrow windows, presenter mode, what is remembered; and the keys
// that nothing else took.
#include "ui/pages/example/example_page.h"
#include "ui/pages/inspector/inspector_page.h"
#include "ui/pages/positions/positions_page.h"
#include "ui/pages/shared/page.h"
#include "ui/window/actions/go_actions.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/frame/inspector_frame.h"
#include "ui/window/frame/live_label.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/frame/motion.h"
#include "ui/window/frame/rail.h"
#include "ui/window/frame/settling.h"
#include "ui/window/frame/status_line.h"
#include "ui/window/frame/token_rows.h"
#include "ui/window/lessons/lesson_desk.h"
#include "ui/window/lessons/tour.h"
#include "ui/window/models/model_chooser.h"

#include <QDockWidget>
#include <QJsonObject>
#include <QKeyEvent>
#include <QMenuBar>
#include <QScreen>
#include <QStackedWidget>

#include <utility>

namespace headscope::ui {

namespace {

constexpr int kLayoutVersion = 1;
constexpr int kNarrow = 1240; // below it the rail shows icons only, and the inspector is an overlay
constexpr int kSentenceHeight = 56;
constexpr QSize kFirstSize{1440, 900};

/// Within the screen, its panels and a title bar; no screen that we know of is narrower than 1024.
QSize firstSize(const QWidget& window)
{
    constexpr QSize kFrame{16, 56};
    const QSize room = window.screen()->availableSize() - kFrame;
    return room.width() < 1024 - kFrame.width() ? kFirstSize : kFirstSize.boundedTo(room);
}

} // namespace

TokenStrip& MainWindow::strip()
{
    return m_tokens->source();
}

OverviewPage& MainWindow::overview()
{
    return *m_overview;
}

WhatIfPage& MainWindow::whatIf()
{
    return *m_whatIf;
}

InspectorPage& MainWindow::inspector()
{
    return *m_inspector;
}

bool MainWindow::isInspectorShown() const
{
    return m_inspectorFrame->isShown();
}

/// Some pages need the whole width.
void MainWindow::placeInspector()
{
    const bool wanted = m_actions->action("view.inspector").isChecked();
    const auto* page = qobject_cast<const Page*>(m_pages->currentWidget());
    m_inspectorFrame->place(wanted && page && page->wantsInspector() && !m_desk->isOpen(),
                            m_narrow);
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    const bool narrow = width() < kNarrow;
    m_rail->setCompact(narrow || m_desk->isTight());
    if (narrow == m_narrow)
        return;
    QAction& inspector = m_actions->action("view.inspector");
    if (narrow)
        m_dockWish = inspector.isChecked();
    inspector.setChecked(narrow ? false : m_dockWish);
    m_narrow = narrow;
    placeInspector();
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange || event->type() == QEvent::FontChange)
        fitFrame();
    if (event->type() == QEvent::WindowStateChange)
        m_actions->action("view.fullScreen").setChecked(isFullScreen());
}

/// Heights of the frame follow the type size.
void MainWindow::fitFrame()
{
    if (!m_desk)
        return;
    const double scale = Theme::of(*this).scale();
    m_sentenceRow->setFixedHeight(qRound(kSentenceHeight * scale));
    m_chooser->fitSize();
    m_tokens->fitHeight();
    m_inspectorFrame->fitWidth();
    m_desk->fitWidth();
    m_rail->setCompact(m_narrow || m_desk->isTight());
}

void MainWindow::setPresenting(bool on)
{
    if (on)
        m_tour->end(); // it points at what is hidden now
    m_actions->action("view.presenter").setChecked(on);
    menuBar()->setVisible(!on);
    m_railDock->setVisible(!on);
    m_status->setVisible(!on);
    if (on && m_sizeBefore.isEmpty())
        m_sizeBefore = size();
    m_desk->setPresenting(on);
    emit presentingChanged(on);
    if (on || m_sizeBefore.isEmpty())
        return;
    settleLayouts(); // larger type may have made the window wider
    resize(std::exchange(m_sizeBefore, QSize()));
}

bool MainWindow::isPresenting() const
{
    return m_actions->action("view.presenter").isChecked();
}

void MainWindow::startTour()
{
    m_settings.set(Setting::TourSeen, true);
    setPresenting(false);
    showPage("overview");
    m_tour->start();
}

// ---------------------------------------------------------------------------------- remembering

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayClose())
        return event->ignore();
    constexpr int kRemembered = 4096; // characters
    setPresenting(false);
    const auto& own = m_desk->ownState(); // not what a lesson shows
    m_settings.set(Setting::Sentence, (own ? own->text : m_session.text()).left(kRemembered));
    if (own)
        m_settings.set(Setting::Model, own->model);
    m_settings.set(Setting::WindowGeometry, saveGeometry());
    m_settings.set(Setting::WindowState, saveState(kLayoutVersion));
    QMainWindow::closeEvent(event);
}

void MainWindow::restoreLayout()
{
    resize(firstSize(*this));
    restoreGeometry(m_settings.value(Setting::WindowGeometry).toByteArray());
    restoreState(m_settings.value(Setting::WindowState).toByteArray(), kLayoutVersion);
    m_railDock->show();
}

void MainWindow::resetLayout()
{
    setPresenting(false);
    m_dockWish = true;
    m_actions->action("view.inspector").setChecked(true);
    showNormal();
    resize(firstSize(*this));
    showPage("overview");
    m_settings.set(Setting::WindowGeometry, QByteArray());
    m_settings.set(Setting::WindowState, QByteArray());
}

void MainWindow::connectSettings()
{
    const auto follow = [this](Setting setting) {
        if (setting == Setting::Motion) {
            m_positions->setReducedMotion(wantsReducedMotion(m_settings));
            m_pages->findChild<ExamplePage*>()->setReducedMotion(wantsReducedMotion(m_settings));
        }
        if (setting != Setting::Scale)
            return;
        const QJsonObject scale{{"scale", m_settings.text(Setting::Scale)}};
        for (Page* page : m_pages->findChildren<Page*>(QString(), Qt::FindDirectChildrenOnly))
            page->setOptions(scale); // pages without such a choice do not know the key
    };
    connect(&m_settings, &Settings::changed, this, follow);
    follow(Setting::Motion);
    if (m_settings.text(Setting::Scale) != Settings(Settings::Storage::Memory).text(Setting::Scale))
        follow(Setting::Scale);
}

// ------------------------------------------------------------------------------------- the keys

/// Arrows that no drawing wanted walk along the tokens; Esc undoes the newest thing that can be
/// undone by it.
void MainWindow::keyPressEvent(QKeyEvent* event)
{
    const bool shift = event->modifiers() == Qt::ShiftModifier;
    const bool plain = shift || event->modifiers() == Qt::NoModifier;
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (plain && step != 0)
        m_go->moveToken(shift ? 0 : step, shift ? step : 0);
    else if (event->key() != Qt::Key_Escape || !leaveSomething())
        QMainWindow::keyPressEvent(event);
}

bool MainWindow::leaveSomething()
{
    auto* page = qobject_cast<Page*>(m_pages->currentWidget());
    if (!m_session.models().loadingName().isEmpty())
        m_session.models().cancelLoading();
    else if (m_session.computation().fraction() > 0.0)
        m_session.computation().cancel();
    else if (m_narrow && isInspectorShown())
        m_actions->action("view.inspector").trigger();
    else if (page && page->escape())
        return true;
    else if (m_actions->action("view.presenter").isChecked())
        setPresenting(false);
    else if (m_session.selection().pinned)
        m_session.view().releasePair();
    else
        return false;
    return true;
}

} // namespace headscope::ui
