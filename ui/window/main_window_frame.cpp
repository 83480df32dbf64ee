// Construction of the frame. What it does afterwards stands in main_window.cpp.
#include "ui/views/changes_bar.h"
#include "ui/views/inspector_view.h"
#include "ui/views/overview_view.h"
#include "ui/views/positions_view.h"
#include "ui/views/what_if_view.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/token_strip.h"
#include "ui/window/command_palette.h"
#include "ui/window/icons.h"
#include "ui/window/live_label.h"
#include "ui/window/main_window.h"
#include "ui/window/model_chooser.h"
#include "ui/window/pages.h"
#include "ui/window/rail.h"
#include "ui/window/sentence_field.h"
#include "ui/window/status_line.h"
#include "ui/window/window_actions.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>

namespace headscope::ui {

namespace {

constexpr int kMenuHeight = 32;
constexpr int kSentenceHeight = 56;
constexpr int kTokenHeight = 48;
constexpr int kInspectorWidth = 312;
constexpr int kTokensLeft = 148; // where the strip begins: above the page
constexpr int kLiveWidth = 148;

/// A bar across the window that cannot be moved or hidden.
QHBoxLayout* addFixedBar(QMainWindow& window, const QString& name, const QString& title, int height)
{
    auto* bar = new QToolBar(title, &window);
    bar->setObjectName(name);
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->toggleViewAction()->setEnabled(false);
    auto* content = new QWidget(bar);
    content->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    content->setFixedHeight(height);
    auto* row = new QHBoxLayout(content);
    row->setSpacing(0);
    bar->addWidget(content);
    window.addToolBar(Qt::TopToolBarArea, bar);
    window.addToolBarBreak(Qt::TopToolBarArea);
    return row;
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

} // namespace

void MainWindow::makeMenu(const QStringList& builtinModels)
{
    m_actions = new WindowActions(m_session, m_settings, builtinModels, this);
    menuBar()->setFixedHeight(kMenuHeight);
    m_actions->fill(*menuBar());
    auto* anything = new QToolButton(menuBar());
    anything->setText(tr("Go to anything   Ctrl+Shift+P"));
    anything->setProperty("role", "plain");
    anything->setAccessibleName(tr("Go to anything"));
    anything->setFocusPolicy(Qt::TabFocus);
    connect(anything, &QToolButton::clicked, this, &MainWindow::showPalette);
    menuBar()->setCornerWidget(anything);
    m_palette = new CommandPalette(this);
}

void MainWindow::makeSentenceRow()
{
    QHBoxLayout* row = addFixedBar(*this, "sentence", tr("Sentence"), kSentenceHeight);
    row->setContentsMargins(16, 8, 24, 8);
    m_chooser = new ModelChooser;
    m_chooser->setMenu(m_actions->modelMenu());
    m_sentence = new SentenceField;
    m_live = new LiveLabel;
    m_live->setFixedWidth(kLiveWidth);
    row->addWidget(m_chooser);
    row->addSpacing(12);
    row->addWidget(m_sentence, 1);
    row->addSpacing(24);
    row->addWidget(m_live);
}

void MainWindow::makeTokenRow()
{
    QHBoxLayout* row = addFixedBar(*this, "tokens", tr("Tokens"), kTokenHeight);
    row->setContentsMargins(16, 0, 24, 0);
    auto* title = new TextLabel(tr("Tokens"), TextRole::Body, TextLabel::Tone::Text3);
    title->setFixedWidth(kTokensLeft - 16);
    title->setForegroundRole(QPalette::WindowText); // not the tool bar's
    m_strip = new TokenStrip;
    m_strip->setAccessibleName(tr("Tokens"));
    row->addWidget(title);
    row->addWidget(m_strip, 1);
}

void MainWindow::makeRail()
{
    m_rail = new Rail;
    m_rail->addGroup(tr("Explore"));
    for (const PageEntry& entry : pageEntries())
        m_rail->addPage(entry.name, entry.title, entry.icon);
    QDockWidget* dock = addFixedDock(*this, "rail", tr("Pages"), Qt::LeftDockWidgetArea);
    dock->setWidget(m_rail);
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
    m_pages = new QStackedWidget(m_body);
    for (const PageEntry& entry : pageEntries()) {
        QWidget* page = entry.make(m_session);
        page->setObjectName(entry.name);
        m_pages->addWidget(page);
    }
    m_overview = m_pages->findChild<OverviewView*>();
    m_whatIf = m_pages->findChild<WhatIfView*>();
    m_positions = m_pages->findChild<PositionsView*>();
    column->addWidget(m_messages);
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
    m_inspector = new InspectorView(m_session);
    m_inspectorDock = addFixedDock(*this, "inspector", tr("Inspector"), Qt::RightDockWidgetArea);
    m_inspector->setFixedWidth(kInspectorWidth);
    m_inspectorDock->setWidget(m_inspector);
}

} // namespace headscope::ui
