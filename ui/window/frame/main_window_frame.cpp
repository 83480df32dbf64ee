// Construction of the frame. What it does afterwards stands in main_window.cpp.
#include "ui/pages/inspector/inspector_page.h"
#include "ui/pages/lessons/lesson_column.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/positions/positions_page.h"
#include "ui/pages/shared/changes/changes_bar.h"
#include "ui/pages/what_if/what_if_page.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/readable.h"
#include "ui/window/actions/command_palette.h"
#include "ui/window/actions/go_actions.h"
#include "ui/window/actions/model_actions.h"
#include "ui/window/actions/training_actions.h"
#include "ui/window/actions/view_actions.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/dialogs/window_files.h"
#include "ui/window/frame/anything_button.h"
#include "ui/window/frame/icons.h"
#include "ui/window/frame/inspector_frame.h"
#include "ui/window/frame/live_label.h"
#include "ui/window/frame/loading_bar.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/frame/rail.h"
#include "ui/window/frame/sentence_field.h"
#include "ui/window/frame/status_line.h"
#include "ui/window/frame/token_rows.h"
#include "ui/window/lessons/lesson_desk.h"
#include "ui/window/lessons/whats_this.h"
#include "ui/window/models/model_chooser.h"
#include "ui/window/workspaces/page_groups.h"

#include <QDockWidget>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>

namespace headscope::ui {

namespace {

constexpr int kMenuHeight = 32;
constexpr int kSentenceHeight = 56;
constexpr int kLiveWidth = 148;

/// A bar across the window that cannot be moved or hidden.
void addFixedBar(QMainWindow& window, const QString& name, const QString& title, QWidget* content)
{
    auto* bar = new QToolBar(title, &window);
    bar->setObjectName(name);
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->toggleViewAction()->setEnabled(false);
    content->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    bar->addWidget(content);
    window.addToolBar(Qt::TopToolBarArea, bar);
    window.addToolBarBreak(Qt::TopToolBarArea);
}

QDockWidget* addFixedDock(QMainWindow& window, const QString& name, const QString& title,
                          Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, &window);
    dock->setObjectName(name);
    dock->setFeatures(QDockWidget::NoDockWidgetFeatures);
    dock->setTitleBarWidget(new QWidget(dock));
    window.addDockWidget(area, dock);
    return dock;
}

/// `content` below the line that parts it from the tokens.
QWidget* edged(QWidget& content)
{
    auto* frame = new QWidget;
    auto* grid = new QGridLayout(frame);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    grid->addWidget(new Hairline(Qt::Horizontal, frame), 0, 0);
    grid->addWidget(&content, 1, 0);
    return frame;
}

} // namespace

void MainWindow::makeMenu(const QStringList& builtinModels)
{
    m_actions =
        new WindowActions(actionRows(builtinModels, m_session.registry()), *menuBar(), *this);
    m_go = new GoActions(*m_actions, m_session);
    new ViewActions(*m_actions, m_session, m_settings);
    m_modelActions = new ModelActions(*m_actions, m_session, m_settings, builtinModels);
    new TrainingActions(*m_actions, m_session.training());
    menuBar()->setFixedHeight(kMenuHeight);
    auto* anything =
        new AnythingButton(tr("Go to anything"), QKeySequence("Ctrl+Shift+P"), menuBar());
    connect(anything, &QToolButton::clicked, this, &MainWindow::showPalette);
    menuBar()->setCornerWidget(anything);
    m_palette = new CommandPalette(this);
}

void MainWindow::makeSentenceRow()
{
    m_sentenceRow = new QWidget;
    m_sentenceRow->setFixedHeight(kSentenceHeight);
    auto* row = new QHBoxLayout(m_sentenceRow);
    row->setSpacing(0);
    row->setContentsMargins(16, 8, 24, 8);
    m_chooser = new ModelChooser;
    m_chooser->setMenu(&m_actions->menu("model.choose"));
    m_sentence = new SentenceField;
    auto* mark =
        new TextLabel(QStringLiteral("\u2192"), TextRole::Sentence, TextLabel::Tone::Text3);
    mark->setAlignment(Qt::AlignCenter);
    mark->setFixedWidth(32);
    mark->setForegroundRole(QPalette::WindowText); // not the tool bar's
    m_targetMark = mark;
    m_target = new SentenceField;
    m_target->setAccessibleName(tr("Target"));
    m_target->setPlaceholderText(tr("Type what the model answers"));
    m_live = new LiveLabel;
    m_live->setMinimumWidth(kLiveWidth);
    m_live->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred); // a cut text has more words
    row->addWidget(m_chooser);
    row->addSpacing(12);
    row->addWidget(m_sentence, 1);
    row->addWidget(m_targetMark);
    row->addWidget(m_target, 1);
    row->addSpacing(24);
    row->addWidget(m_live);
    m_target->hide();
    m_targetMark->hide();
    addFixedBar(*this, "sentence", tr("Sentence"), m_sentenceRow);
}

void MainWindow::makeTokenRow()
{
    m_tokens = new TokenRows(m_session, m_actions->menu("tokens"));
    addFixedBar(*this, "tokens", tr("Tokens"), m_tokens);
}

void MainWindow::makeRail()
{
    m_rail = new Rail;
    for (const PageGroup& group : pageGroups()) {
        m_rail->addGroup(group.name);
        for (const PageEntry& entry : group.pages)
            m_rail->addPage(entry.name, entry.title, entry.icon);
    }
    m_railDock = addFixedDock(*this, "rail", tr("Pages"), Qt::LeftDockWidgetArea);
    m_railDock->setWidget(edged(*m_rail));
}

void MainWindow::makePages()
{
    m_body = new QWidget(this);
    m_body->setProperty("role", "page");
    m_body->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(m_body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_messages = new MessageBar(m_body);
    m_loading = new LoadingBar(m_session, m_body);
    m_pages = new QStackedWidget(m_body);
    for (const PageEntry& entry : pageEntries()) {
        QWidget* page = entry.make(m_session);
        page->setObjectName(entry.name);
        page->setAccessibleName(entry.title);
        makeReadable(*page, QAccessible::Grouping);
        m_pages->addWidget(page);
    }
    m_overview = m_pages->findChild<OverviewPage*>();
    m_whatIf = m_pages->findChild<WhatIfPage*>();
    m_positions = m_pages->findChild<PositionsPage*>();
    m_files = new WindowFiles(m_session, m_settings, *m_pages, *this);
    column->addWidget(m_messages);
    column->addWidget(m_loading);
    auto* changes = new ChangesBar(m_session, m_body);
    connect(changes, &ChangesBar::pageWanted, this, &MainWindow::showPage);
    column->addWidget(new Hairline(Qt::Horizontal, m_body));
    column->addWidget(changes);
    column->addWidget(m_pages, 1);
    m_busy = new BusyLine(m_body);
    setCentralWidget(m_body);
}

void MainWindow::makeInspector()
{
    m_inspector = new InspectorPage(m_session);
    QDockWidget* dock = addFixedDock(*this, "inspector", tr("Inspector"), Qt::RightDockWidgetArea);
    m_inspectorFrame = new InspectorFrame(*this, *m_body, *m_inspector, *dock);
}

/// What's This: pages by their name, docks and controls by theirs. What has a text of its own
/// keeps it; what is inside is covered by what holds it.
void MainWindow::explainFrame()
{
    const auto explain = [](QWidget* widget, const QString& name) {
        if (widget->whatsThis().isEmpty())
            widget->setWhatsThis(whatsThisText(name));
    };
    for (int index = 0; index < m_pages->count(); ++index)
        explain(m_pages->widget(index), m_pages->widget(index)->objectName());
    const std::pair<QWidget*, const char*> frame[] = {
        {m_chooser, "model"},   {m_sentence, "sentence"},   {m_target, "target"},
        {m_live, "live"},       {m_tokens, "tokens"},       {&m_tokens->menuButton(), "tokenMenu"},
        {m_rail, "rail"},       {m_inspector, "inspector"}, {&m_desk->column(), "lesson"},
        {m_status, "status"},   {m_messages, "messages"},   {menuBar()->cornerWidget(), "anything"},
        {m_loading, "loading"},
    };
    for (const auto& [widget, name] : frame)
        explain(widget, QLatin1String(name));
    explainLessons();
}

} // namespace headscope::ui
