#include "ui/window/frame/main_window.h"

#include "ui/pages/compare/compare_page.h"
#include "ui/pages/example/example_page.h"
#include "ui/pages/inspector/inspector_page.h"
#include "ui/pages/lessons/lesson_column.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/changes/changes_bar.h"
#include "ui/session/lessons/lesson_run.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/widgets/labels.h"
#include "ui/window/actions/go_actions.h"
#include "ui/window/actions/go_to_anything.h"
#include "ui/window/actions/learn_actions.h"
#include "ui/window/actions/model_actions.h"
#include "ui/window/actions/page_actions.h"
#include "ui/window/actions/recent_files_menu.h"
#include "ui/window/actions/undo_actions.h"
#include "ui/window/actions/view_actions.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/chat/chat_actions.h"
#include "ui/window/chat/chat_editor.h"
#include "ui/window/dialogs/help_dialogs.h"
#include "ui/window/dialogs/manual_desk.h"
#include "ui/window/dialogs/settings_dialog.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/find/text_actions.h"
#include "ui/window/frame/document_bar.h"
#include "ui/window/frame/file_drop.h"
#include "ui/window/frame/fixed_parts.h"
#include "ui/window/frame/inspector_frame.h"
#include "ui/window/frame/live_label.h"
#include "ui/window/frame/loading_bar.h"
#include "ui/window/frame/sentence_field.h"
#include "ui/window/frame/session_messages.h"
#include "ui/window/frame/settling.h"
#include "ui/window/frame/status_line.h"
#include "ui/window/frame/token_rows.h"
#include "ui/window/frame/window_texts.h"
#include "ui/window/lessons/lesson_desk.h"
#include "ui/window/lessons/tour.h"
#include "ui/window/lessons/whats_this.h"
#include "ui/window/models/model_chooser.h"
#include "ui/window/models/model_desk.h"
#include "ui/window/workspaces/page_header.h"
#include "ui/window/workspaces/page_scroll.h"
#include "ui/window/workspaces/training_desk.h"
#include "ui/window/workspaces/workspaces.h"

#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QMenuBar>
#include <QToolButton>
#include <QWhatsThis>

#include <utility>

namespace headscope::ui {

namespace {

constexpr int kMenuHeight = 32;
constexpr QSize kSmallest{960, 600}; // pages scroll where they need more
// Below this width the rail shows icons only and the inspector is an overlay.
constexpr int kNarrow = 1240;

/// Bars without frames and gradients, docks without handles; colours come from the palette.
const QString kFrameSheet = QStringLiteral(
    "QToolBar { background: palette(window); border: none; margin: 0; padding: 0; spacing: 0; }"
    "QMainWindow::separator { width: 1px; height: 1px; background: palette(midlight); }"
    "QMenuBar { background: palette(window); border: none; padding: 0 8px; }"
    "QMenuBar::item { background: transparent; padding: 7px 10px; }"
    "QMenuBar::item:selected { background: palette(alternate-base); }"
    "QStatusBar::item { border: none; }");

} // namespace

MainWindow::MainWindow(Session& session, Settings& settings, const QStringList& builtinModels)
    : m_session(session)
    , m_settings(settings)
    , m_state(*this, session, settings)
{
    setObjectName("MainWindow");
    setWindowTitle(tr("Headscope"));
    setMinimumSize(kSmallest);
    setStyleSheet(kFrameSheet);
    setContextMenuPolicy(Qt::PreventContextMenu);
    makeActions(builtinModels);
    m_document =
        new DocumentBar(*this, session, m_actions->menu("model.choose"), m_actions->menu("tokens"));
    makeBody(builtinModels);
    makeDesks();
    m_status = new StatusLine(this);
    setStatusBar(m_status);
    m_tour = new Tour(*this);
    explainParts();
    connectParts();
    // docks read the width of their separators only on this event
    QEvent restyled(QEvent::StyleChange);
    ensurePolished();
    QCoreApplication::sendEvent(this, &restyled);
    m_state.restore();
    m_railDock->show();
    showPage(settings.text(Setting::Page));
    m_document->refreshState();
    followTrace();
    m_document->sentence().setFocus();
}

void MainWindow::makeActions(const QStringList& builtinModels)
{
    m_actions =
        new WindowActions(actionRows(builtinModels, m_session.registry()), *menuBar(), *this);
    m_go = new GoActions(*m_actions, m_session);
    new ViewActions(*m_actions, m_session, m_settings);
    m_modelActions = new ModelActions(*m_actions, m_session, m_settings, builtinModels);
    connectUndo(*m_actions, m_session.document().undoStack());
    menuBar()->setFixedHeight(kMenuHeight);
}

void MainWindow::makeBody(const QStringList& builtinModels)
{
    auto* body = new QWidget(this);
    body->setProperty("role", "page");
    body->setAttribute(Qt::WA_StyledBackground);
    m_messages = new MessageBar(body);
    auto* find = new FindBar(m_session, body);
    m_workspaces = new Workspaces(m_session, m_settings, *body);
    m_railDock =
        addFixedDock(*this, "rail", tr("Pages"), Qt::LeftDockWidgetArea, m_workspaces->side());
    m_workspaces->stack().whenMade<ComparePage>(
        *this, [builtinModels](ComparePage& page) { page.setModelNames(builtinModels); });
    auto* changes = new ChangesBar(m_session, body);
    connect(changes, &ChangesBar::pageWanted, this, &MainWindow::showPage);
    connect(changes, &ChangesBar::left, this, [this] { m_workspaces->current().focusMain(); });
    connect(m_workspaces, &Workspaces::shown, changes, [changes](const Page& page) {
        changes->setKept(page.objectName() == "what-if"); // its first change moves nothing
    });
    connect(find, &FindBar::left, this, [this] { m_workspaces->current().focusMain(); });
    columnOf(0,
             {m_messages,
              new LoadingBar(m_session, body),
              find,
              new Hairline(Qt::Horizontal, body),
              changes,
              &m_workspaces->header(),
              {new PageScroll(m_workspaces->stack(), body), 1}},
             body);
    connect(m_document, &DocumentBar::busy, new BusyLine(body), &BusyLine::setBusy);
    setCentralWidget(body);
    auto* inspector = new InspectorPage(m_session);
    m_inspector = new InspectorFrame(*this, *body, *inspector, m_actions->action("view.inspector"));
    connect(inspector, &InspectorPage::headSwitchedOff, this, [this] { showPage("what-if"); });
}

void MainWindow::makeDesks()
{
    m_files = new WindowFiles(m_session, m_settings, m_workspaces->stack(), *this);
    m_lessons = new LessonDesk(*this, m_session, m_settings);
    new LearnActions(*m_actions, *m_lessons, lessonsOf(m_session));
    m_manual = new ManualDesk(*this, *m_actions);
    ModelSearch& models = m_modelActions->models();
    auto* desk = new ModelDesk(*this, m_session, *m_actions, *m_messages, models);
    m_training = new TrainingDesk(m_session, m_settings, *m_actions, *m_workspaces, *m_messages);
    m_goToAnything = new GoToAnything(*this, m_session, m_settings, *m_actions, *m_workspaces,
                                      models, [this](std::vector<PaletteEntry>& entries) {
                                          m_lessons->addEntries(entries);
                                          m_manual->addEntries(entries);
                                      });
    m_notes = new SessionMessages(m_session, *m_messages);
    connect(new FileDrop(*this), &FileDrop::dropped, this, &MainWindow::openPath);
    connect(desk, &ModelDesk::fileWanted, this, &MainWindow::openPath);
    connect(m_modelActions, &ModelActions::fileWanted, this, &MainWindow::openPath);
    connect(m_goToAnything, &GoToAnything::fileWanted, this, &MainWindow::openPath);
    connect(m_training, &TrainingDesk::closeWanted, this, &QWidget::close);
    connect(m_manual, &ManualDesk::linkActivated, m_lessons, &LessonDesk::follow);
    connect(m_lessons, &LessonDesk::presentingWanted, this, [this] { setPresenting(true); });
}

void MainWindow::connectParts()
{
    const auto note = [this](const QString& text) { m_notes->note(MessageKind::Note, text); };
    connect(m_document, &DocumentBar::noteRaised, this, note);
    connect(m_document, &DocumentBar::warningRaised, m_notes, &SessionMessages::warn);
    connect(m_document, &DocumentBar::warningEnded, m_notes, &SessionMessages::endWarning);
    connect(m_document, &DocumentBar::left, this, [this] { m_workspaces->current().focusMain(); });
    connect(m_workspaces, &Workspaces::messageWanted, this, note);
    connect(m_workspaces, &Workspaces::hintChanged, m_status, &StatusLine::setHints);
    connect(m_workspaces, &Workspaces::aboutToShow, this, [this](const Page& page) {
        if (!page.wantsInspector()) // else the window would make room for both
            m_inspector->setAllowed(false);
    });
    connect(m_workspaces, &Workspaces::shown, this, &MainWindow::placeParts);
    connect(&lessonsOf(m_session), &LessonRun::stepChanged, this, &MainWindow::placeParts);
    connect(m_files, &WindowFiles::pageWanted, this, &MainWindow::showPage);
    connect(m_files, &WindowFiles::messageWanted, m_notes, &SessionMessages::note);
    connect(m_files, &WindowFiles::aboutToOpen, m_notes, &SessionMessages::endNote);
    // Queued, as the views' own refresh is, so that the ticket belongs to the next frame that they
    // paint.
    connect(&m_session, &Session::traceChanged, this, &MainWindow::followTrace,
            Qt::QueuedConnection);
    connectFileActions();
    connectEditActions();
    connectViewActions();
    connectHelpActions();
}

void MainWindow::connectFileActions()
{
    auto* recent = new RecentFilesMenu(m_actions->menu("file.recent"), m_settings);
    connect(recent, &RecentFilesMenu::fileWanted, this, &MainWindow::openPath);
    m_actions->on("file.open", m_files, &WindowFiles::chooseFile);
    m_actions->on("file.save", m_files, &WindowFiles::saveSession);
    m_actions->on("file.saveAs", m_files, &WindowFiles::saveSessionAs);
    m_actions->on("file.export", m_files, &WindowFiles::exportView);
    m_actions->on("file.exportNumbers", m_files, &WindowFiles::exportNumbers);
    m_actions->on("file.share", m_files, &WindowFiles::sharePage);
    m_actions->on("file.report", m_files, &WindowFiles::writeReport);
    m_actions->on("file.quit", this, &QWidget::close);
    m_actions->on("model.openFile", m_files, &WindowFiles::chooseModelFile);
    m_actions->on("model.openFolder", m_files, &WindowFiles::chooseModelFolder);
}

void MainWindow::connectEditActions()
{
    m_actions->on("edit.sentence", m_document, &DocumentBar::focusText);
    new ChatActions(*m_actions, m_session, *m_document, *m_workspaces);
    new TextActions(*m_actions, m_session, tokenRows(), *findChild<FindBar*>());
    m_actions->on("edit.copyImage", m_files, &WindowFiles::copyImage);
    m_actions->on("edit.copyNumbers", m_files, &WindowFiles::copyNumbers);
    m_actions->on("edit.copyCaption", m_files, &WindowFiles::copyCaption);
    m_actions->on("edit.settings", this, &MainWindow::showSettings);
}

void MainWindow::connectViewActions()
{
    new PageActions(*m_actions, *m_workspaces);
    m_actions->on("go.origin", this, [this] { m_workspaces->current().traceNumber(); });
    m_actions->on("go.workHead", this, &MainWindow::workHead);
    m_actions->on("view.inspector", this, &MainWindow::placeParts);
    m_actions->onToggled("view.presenter", this, &MainWindow::setPresenting);
    m_actions->onToggled("view.fullScreen", this, [this](bool on) {
        setWindowState(windowState().setFlag(Qt::WindowFullScreen, on));
    });
    m_actions->on("view.resetLayout", this, &MainWindow::resetLayout);
}

void MainWindow::connectHelpActions()
{
    m_actions->on("help.tour", this, &MainWindow::startTour);
    m_actions->on("help.whatsThis", this, [] { QWhatsThis::enterWhatsThisMode(); });
    m_actions->on("help.shortcuts", this, [this] { showShortcuts(m_actions->all(), this); });
    m_actions->on("help.about", this, [this] { showAbout(this); });
    m_actions->on("help.aboutQt", this, [] { QApplication::aboutQt(); });
}

void MainWindow::explainParts()
{
    auto* help = new WhatsThis(lessonsOf(m_session), this);
    connect(help, &WhatsThis::linkActivated, m_lessons, &LessonDesk::follow);
    m_workspaces->stack().whenMade(*help, [this, help](Page& page, std::size_t index) {
        help->explain(page, m_workspaces->descriptors()[index]);
    });
    const std::pair<QWidget*, const char*> parts[] = {
        {&m_document->chooser(), "model"},
        {&m_document->sentence(), "sentence"},
        {&m_document->chatSwitch(), "chatSwitch"},
        {&m_document->chat(), "chat"},
        {&m_document->target(), "target"},
        {&m_document->live(), "live"},
        {&m_document->tokens(), "tokens"},
        {&m_document->tokens().menuButton(), "tokenMenu"},
        {&m_workspaces->side(), "rail"},
        {findChild<InspectorPage*>(), "inspector"},
        {&m_lessons->column(), "lesson"},
        {m_status, "status"},
        {m_messages, "messages"},
        {menuBar()->cornerWidget(), "anything"},
        {findChild<LoadingBar*>(), "loading"},
    };
    for (const auto& [part, name] : parts)
        help->explain(*part, QLatin1String(name));
}

SentenceField& MainWindow::sentence()
{
    return m_document->sentence();
}

TokenRows& MainWindow::tokenRows()
{
    return m_document->tokens();
}

TokenStrip& MainWindow::strip()
{
    return tokenRows().source();
}

Rail& MainWindow::rail()
{
    return m_workspaces->rail();
}

OverviewPage& MainWindow::overview()
{
    return m_workspaces->find<OverviewPage>();
}

void MainWindow::showPage(const QString& name)
{
    m_workspaces->show(name);
}

QString MainWindow::page() const
{
    return m_workspaces->currentName();
}

bool MainWindow::isSettled() const
{
    return ui::isSettled(*this);
}

void MainWindow::leaveTimesOut()
{
    m_status->hideTimes();
}

void MainWindow::openPath(const QString& path)
{
    m_files->open(path);
}

void MainWindow::workHead()
{
    auto& example = m_workspaces->find<ExamplePage>();
    example.workHead();
    showPage("example");
    example.focusMain();
}

void MainWindow::showSettings()
{
    if (auto* open = findChild<SettingsDialog*>()) {
        open->raise();
        open->activateWindow();
        return;
    }
    (new SettingsDialog(m_session, m_settings, this))->show();
}

void MainWindow::startTour()
{
    m_settings.set(Setting::TourSeen, true);
    setPresenting(false);
    showPage("overview");
    m_tour->start();
}

void MainWindow::setPresenting(bool on)
{
    if (on)
        m_tour->end(); // its target is hidden now
    m_actions->action("view.presenter").setChecked(on);
    menuBar()->setVisible(!on);
    m_railDock->setVisible(!on);
    m_workspaces->header().setVisible(!on);
    m_status->setVisible(!on);
    if (on)
        m_state.keepSize();
    m_lessons->setPresenting(on);
    emit presentingChanged(on);
    if (!on)
        m_state.bringSizeBack();
}

bool MainWindow::isPresenting() const
{
    return m_actions->action("view.presenter").isChecked();
}

void MainWindow::resetLayout()
{
    setPresenting(false);
    m_inspector->reset();
    m_state.reset();
    showPage("overview");
}

/// Some pages use the whole width; in a lesson its column replaces the inspector.
void MainWindow::placeParts()
{
    m_workspaces->setCompact(width() < kNarrow || m_lessons->isTight());
    m_inspector->setAllowed(m_workspaces->current().wantsInspector() && !m_lessons->isOpen());
}

/// Fits heights and widths of the frame to the type size.
void MainWindow::fitParts()
{
    if (!m_lessons)
        return;
    m_document->fitHeight();
    m_inspector->fitWidth();
    m_lessons->fitWidth();
    m_workspaces->setCompact(width() < kNarrow || m_lessons->isTight());
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    m_inspector->setNarrow(width() < kNarrow);
    m_workspaces->setCompact(width() < kNarrow || m_lessons->isTight());
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange || event->type() == QEvent::FontChange)
        fitParts();
    if (event->type() == QEvent::WindowStateChange)
        m_actions->action("view.fullScreen").setChecked(isFullScreen());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_training->mayClose())
        return event->ignore();
    setPresenting(false);
    m_state.save(m_lessons->ownState());
    QMainWindow::closeEvent(event);
}

// ------------------------------------------------------------------------- pictures, files and keys

void MainWindow::followTrace()
{
    if (!m_session.traceA())
        return;
    m_status->setDevice(deviceText(m_session));
    m_status->setForward(forwardText(m_session));
    m_unpainted = m_session.computation().shownTicket();
    m_status->update();
}

bool MainWindow::event(QEvent* event)
{
    if (event->type() != QEvent::UpdateRequest || m_unpainted == 0)
        return QMainWindow::event(event);
    const quint64 ticket = std::exchange(m_unpainted, 0);
    settleLayouts();
    QElapsedTimer timer;
    timer.start();
    const bool handled = QMainWindow::event(event);
    const double elapsedMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    m_status->setPaintMs(elapsedMs);
    emit painted(ticket, elapsedMs);
    return handled;
}

/// Arrow keys that no plot handled move along the tokens; Esc undoes the latest thing that it can.
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
    if (!m_session.models().loadingName().isEmpty())
        m_session.models().cancelLoading();
    else if (m_session.computation().fraction() > 0.0)
        m_session.computation().cancel();
    else if (m_inspector->dismiss() || m_workspaces->current().escape())
        return true;
    else if (isPresenting())
        setPresenting(false);
    else if (m_session.selection().pinned)
        m_session.view().releasePair();
    else
        return false;
    return true;
}

} // namespace headscope::ui
