#include "ui/window/frame/main_window.h"

#include "ui/pages/compare/compare_page.h"
#include "ui/pages/example/example_page.h"
#include "ui/pages/inspector/inspector_page.h"
#include "ui/pages/origin/origin_page.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/positions/positions_page.h"
#include "ui/pages/what_if/what_if_page.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/window/actions/command_palette.h"
#include "ui/window/actions/model_actions.h"
#include "ui/window/actions/recent_files_menu.h"
#include "ui/window/actions/undo_actions.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/help_dialogs.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/frame/inspector_frame.h"
#include "ui/window/frame/live_label.h"
#include "ui/window/frame/rail.h"
#include "ui/window/frame/sentence_field.h"
#include "ui/window/frame/settling.h"
#include "ui/window/frame/status_line.h"
#include "ui/window/frame/token_rows.h"
#include "ui/window/frame/window_texts.h"
#include "ui/window/lessons/tour.h"
#include "ui/window/models/captured_pages.h"
#include "ui/window/models/model_chooser.h"
#include "ui/window/workspaces/pages.h"
#include "ui/window/workspaces/training_pages.h"

#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QMimeData>
#include <QStackedWidget>
#include <QWhatsThis>

#include <utility>

namespace headscope::ui {

namespace {

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
{
    setObjectName("MainWindow");
    setWindowTitle(tr("Headscope"));
    setAcceptDrops(true);
    setStyleSheet(kFrameSheet);
    setContextMenuPolicy(Qt::PreventContextMenu);
    makeMenu(builtinModels);
    makeSentenceRow();
    makeTokenRow();
    makeRail();
    makePages();
    m_pages->findChild<ComparePage*>()->setModelNames(builtinModels);
    coverPagesOfModels(m_session, *m_pages);
    makeInspector();
    makeDesk();
    m_status = new StatusLine(this);
    setStatusBar(m_status);
    m_tour = new Tour(*this);
    explainFrame();
    connectSentence();
    connectActions();
    connectSession();
    connectSettings();
    connectTraining();
    connectModels();
    connectLessons();
    connectTrainingPages(*this, session, settings);
    QEvent restyled(QEvent::StyleChange); // docks ask for the width of their separators only then
    ensurePolished();
    QCoreApplication::sendEvent(this, &restyled);
    restoreLayout();
    showPage(settings.text(Setting::Page));
    m_sentence->showText(session.text());
    m_target->showText(session.document().target());
    refreshModel();
    refreshTokens();
    refreshState();
    followTrace();
    m_sentence->setFocus();
}

MainWindow::~MainWindow() = default;

void MainWindow::connectSentence()
{
    connect(m_sentence, &QLineEdit::textEdited, &m_session.document(), &SessionDocument::setText);
    connect(&m_session, &Session::textChanged, this,
            [this] { m_sentence->showText(m_session.text()); });
    connect(m_sentence, &SentenceField::left, this, &MainWindow::focusPage);
    connect(m_sentence, &SentenceField::cut, this, [this](int longest) {
        m_messages->show(MessageKind::Warning,
                         tr("The sentence field holds %1 characters; the rest was left out. Open "
                            "the text as a file to look at more.")
                             .arg(longest));
    });
    connect(m_target, &QLineEdit::textEdited, &m_session.document(), &SessionDocument::setTarget);
    connect(&m_session, &Session::textChanged, this,
            [this] { m_target->showText(m_session.document().target()); });
    connect(m_target, &SentenceField::left, this, &MainWindow::focusPage);
    connect(m_tokens, &TokenRows::messageWanted, this,
            [this](const QString& text) { m_messages->show(MessageKind::Note, text); });
}

void MainWindow::connectSession()
{
    connect(&m_session, &Session::tokensChanged, this, &MainWindow::refreshTokens);
    connect(&m_session, &Session::selectionChanged, this, &MainWindow::refreshMarks);
    connect(&m_session, &Session::modelChanged, this, &MainWindow::refreshModel);
    connect(&m_session, &Session::busyChanged, this, &MainWindow::refreshState);
    connect(&m_session, &Session::computingAdvanced, this, &MainWindow::refreshState);
    connect(&m_session, &Session::errorRaised, this, &MainWindow::showError);
    connect(&m_session, &Session::noteRaised, this, [this](const QString& sentence) {
        m_messages->setProperty("ofSession", sentence);
        m_messages->show(MessageKind::Warning, sentence);
    });
    // Queued like the views' own refresh, so that the marked picture is the one they draw next.
    connect(&m_session, &Session::traceChanged, this, &MainWindow::followTrace,
            Qt::QueuedConnection);
    for (Page* page : m_pages->findChildren<Page*>(QString(), Qt::FindDirectChildrenOnly)) {
        connect(page, &Page::pageWanted, this, &MainWindow::showPage);
        connect(page, &Page::messageWanted, this,
                [this](const QString& text) { m_messages->show(MessageKind::Note, text); });
        connect(page, &Page::numberWanted, this, [this](const ShownNumber& number) {
            const QString from = MainWindow::page();
            showPage("origin");
            auto* origin = m_pages->findChild<OriginPage*>();
            origin->trace(number.number, number.variant, from);
            origin->focusMain();
        });
    }
    connect(m_inspector, &InspectorPage::headSwitchedOff, this, [this] { showPage("what-if"); });
}

void MainWindow::connectActions()
{
    connect(m_rail, &Rail::pageChosen, this, &MainWindow::showPage);
    connect(m_files, &WindowFiles::pageWanted, this, &MainWindow::showPage);
    connect(
        m_files, &WindowFiles::messageWanted, m_messages,
        [this](MessageKind kind, const QString& sentence) { m_messages->show(kind, sentence); });
    connect(m_modelActions, &ModelActions::fileWanted, this, &MainWindow::openPath);
    for (const PageEntry& entry : pageEntries())
        m_actions->on("page." + entry.name, this, [this, name = entry.name] { showPage(name); });
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
    m_actions->on("file.report", m_files, &WindowFiles::writeReport);
    m_actions->on("file.quit", this, &QWidget::close);
}

void MainWindow::connectEditActions()
{
    connectUndo(*m_actions, m_session.document().undoStack());
    m_actions->on("edit.sentence", this, [this] {
        m_sentence->setFocus();
        m_sentence->selectAll();
    });
    m_actions->on("edit.token", m_tokens, &TokenRows::editQuery);
    m_actions->on("edit.findToken", this, &MainWindow::showTokenSearch);
    m_actions->on("edit.copyImage", m_files, &WindowFiles::copyImage);
    m_actions->on("edit.copyNumbers", m_files, &WindowFiles::copyNumbers);
    m_actions->on("edit.copyCaption", m_files, &WindowFiles::copyCaption);
    m_actions->on("edit.settings", this, &MainWindow::showSettings);
}

void MainWindow::connectViewActions()
{
    m_actions->on("go.origin", this, [this] {
        if (auto* page = qobject_cast<Page*>(m_pages->currentWidget()))
            page->traceNumber();
    });
    m_actions->on("go.workHead", this, [this] {
        auto* example = m_pages->findChild<ExamplePage*>();
        example->workHead();
        showPage("example");
        example->focusMain();
    });
    m_actions->action("view.inspector").setChecked(true);
    m_actions->on("view.inspector", this, &MainWindow::placeInspector);
    m_actions->onToggled("view.presenter", this, &MainWindow::setPresenting);
    m_actions->onToggled("view.fullScreen", this, [this](bool on) {
        setWindowState(windowState().setFlag(Qt::WindowFullScreen, on));
    });
    m_actions->on("view.resetLayout", this, &MainWindow::resetLayout);
}

void MainWindow::connectHelpActions()
{
    m_actions->on("help.anything", this, &MainWindow::showPalette);
    m_actions->on("help.tour", this, &MainWindow::startTour);
    m_actions->on("help.whatsThis", this, [] { QWhatsThis::enterWhatsThisMode(); });
    m_actions->on("help.shortcuts", this, [this] { showShortcuts(m_actions->all(), this); });
    m_actions->on("help.about", this, [this] { showAbout(this); });
    m_actions->on("help.aboutQt", this, [] { QApplication::aboutQt(); });
}

// --------------------------------------------------------------------------------------- the pages

void MainWindow::showPage(const QString& name)
{
    auto* wanted = m_pages->findChild<QWidget*>(name, Qt::FindDirectChildrenOnly);
    if (!wanted) {
        if (m_rail->currentPage().isEmpty())
            showPage("overview"); // an unknown name in the settings
        return;
    }
    for (int other = 0; other < m_pages->count(); ++other)
        m_pages->widget(other)->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    wanted->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    const auto* page = qobject_cast<const Page*>(wanted);
    if (!page || !page->wantsInspector()) // or the window would make room for both
        m_inspectorFrame->place(false, m_narrow);
    m_pages->setCurrentWidget(wanted); // hidden pages do not hold the window open
    m_rail->setCurrentPage(name);
    m_settings.set(Setting::Page, name);
    m_status->setHints(page && !page->hint().isEmpty() ? page->hint() : hintText(name));
    placeInspector();
}

QString MainWindow::page() const
{
    return m_rail->currentPage();
}

bool MainWindow::isSettled() const
{
    return ui::isSettled(*this);
}

void MainWindow::leaveTimesOut()
{
    m_status->hideTimes();
}

void MainWindow::focusPage()
{
    if (auto* page = qobject_cast<Page*>(m_pages->currentWidget()))
        page->focusMain();
    else
        m_pages->currentWidget()->setFocus();
}

// ---------------------------------------------------------------------------- following the
// session

void MainWindow::refreshTokens()
{
    m_tokens->refreshTokens();
    refreshState();
}

void MainWindow::refreshMarks()
{
    m_tokens->refreshMarks();
}

void MainWindow::refreshModel()
{
    const LoadedModel& model = m_session.model();
    refreshReadOnly();
    if (!model.model)
        return;
    refreshTitle();
    m_target->setVisible(m_session.models().readsTarget());
    m_targetMark->setVisible(m_session.models().readsTarget());
    m_settings.set(Setting::Model, QString::fromStdString(model.name));
    if (m_messages->sentence() == m_messages->property("ofSession").toString())
        m_messages->hide(); // it was about the model before
}

/// What was captured elsewhere can be looked at, not typed over.
void MainWindow::refreshReadOnly()
{
    const bool captured = m_session.isCaptured();
    const QString hint = captured ? capturedHint(m_session) : QString();
    for (SentenceField* field : {m_sentence, m_target}) {
        field->setReadOnly(captured);
        field->setToolTip(hint);
        field->setAccessibleDescription(hint);
    }
    if (!captured)
        return;
    refreshTitle();
    m_target->setVisible(m_session.models().readsTarget());
    m_targetMark->setVisible(m_session.models().readsTarget());
    m_messages->setProperty("ofSession", hint); // a model takes it away
    m_messages->show(MessageKind::Note, hint);
}

void MainWindow::refreshState()
{
    const bool busy =
        m_session.computation().isStale() || !m_session.models().loadingName().isEmpty();
    m_busy->setVisible(busy);
    m_busy->raise();
    m_tokens->refreshStale();
    m_live->setState(!busy && m_session.model().model != nullptr, liveText(m_session));
}

void MainWindow::followTrace()
{
    if (!m_session.traceA())
        return;
    m_status->setDevice(deviceText(m_session));
    m_status->setForward(forwardText(m_session));
    m_tokens->refreshTrace();
    refreshState();
    m_unpainted = m_session.computation().shownTicket();
    m_status->update();
}

void MainWindow::showError(const QString& sentence)
{
    m_messages->setProperty("ofSession", sentence);
    m_messages->show(MessageKind::Error, sentence);
    refreshState();
}

// -------------------------------------------------------------------------------------------
// events

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

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    openPath(event->mimeData()->urls().value(0).toLocalFile());
}

} // namespace headscope::ui
