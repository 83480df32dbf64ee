#include "ui/window/actions/window_actions.h"

#include "ui/window/dialogs/window_files.h"
#include "ui/window/frame/window_texts.h"

#include <QActionGroup>
#include <QApplication>
#include <QMenuBar>
#include <QWhatsThis>

namespace headscope::ui {

WindowActions::WindowActions(Session& session, Settings& settings, QStringList builtinModels,
                             QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_settings(settings)
    , m_builtinModels(std::move(builtinModels))
    , m_window(window)
{
    connect(&session, &Session::selectionChanged, this, &WindowActions::refresh);
    connect(&session, &Session::changesChanged, this, &WindowActions::refresh);
    connect(&session, &Session::modelChanged, this, &WindowActions::refresh);
    connect(&session, &Session::displayChanged, this, &WindowActions::refreshDisplay);
    connect(&session, &Session::colourMapChanged, this, &WindowActions::refreshColourMap);
}

void WindowActions::fill(QMenuBar& bar)
{
    fillFile(*bar.addMenu(tr("&File")));
    fillEdit(*bar.addMenu(tr("&Edit")));
    fillView(*bar.addMenu(tr("&View")));
    fillModel(*bar.addMenu(tr("&Model")));
    fillTraining(*bar.addMenu(tr("T&raining")));
    fillLearn(*bar.addMenu(tr("&Learn")));
    fillHelp(*bar.addMenu(tr("&Help")));
    refresh();
    refreshDisplay();
    refreshTraining();
}

QAction* WindowActions::add(QMenu& menu, const QString& text, const QKeySequence& key,
                            Handler handler)
{
    QAction* action = menu.addAction(text);
    action->setShortcut(key);
    m_window->addAction(action); // works while the menu bar is hidden, too
    m_all << action;
    connect(action, &QAction::triggered, this, std::move(handler));
    return action;
}

QAction* WindowActions::addChoice(QMenu& menu, QActionGroup& group, const QString& text,
                                  Handler handler)
{
    QAction* action = add(menu, text, {}, std::move(handler));
    action->setCheckable(true);
    group.addAction(action);
    action->setProperty("group", menu.title()); // what the palette writes before it
    return action;
}

QAction* WindowActions::addSwitch(QMenu& menu, const QString& text, const QKeySequence& key)
{
    QAction* action = add(menu, text, key, [] {});
    action->setCheckable(true);
    return action;
}

void WindowActions::fillFile(QMenu& menu)
{
    add(menu, tr("&Open model, session or text\u2026"), QKeySequence("Ctrl+O"),
        [this] { emit openWanted(); });
    m_recent = menu.addMenu(tr("Open &recent"));
    fillRecent();
    connect(&m_settings, &Settings::changed, this, [this](Setting setting) {
        if (setting == Setting::RecentFiles)
            fillRecent();
    });
    menu.addSeparator();
    add(menu, tr("&Save session"), QKeySequence("Ctrl+S"), [this] { emit saveSessionWanted(); });
    add(menu, tr("Save session &as\u2026"), QKeySequence("Ctrl+Shift+S"),
        [this] { emit saveSessionAsWanted(); });
    menu.addSeparator();
    add(menu, tr("&Export view\u2026"), QKeySequence("Ctrl+E"), [this] { emit exportWanted(); });
    add(menu, tr("Export &numbers\u2026"), QKeySequence("Ctrl+Shift+E"),
        [this] { emit exportNumbersWanted(); });
    add(menu, tr("&Write a report\u2026"), {}, [this] { emit reportWanted(); });
    menu.addSeparator();
    add(menu, tr("&Quit"), QKeySequence("Ctrl+Q"), [this] { m_window->close(); });
}

void WindowActions::connectFiles(WindowFiles& files)
{
    connect(this, &WindowActions::openWanted, &files, &WindowFiles::chooseFile);
    connect(this, &WindowActions::saveSessionWanted, &files, &WindowFiles::saveSession);
    connect(this, &WindowActions::saveSessionAsWanted, &files, &WindowFiles::saveSessionAs);
    connect(this, &WindowActions::exportWanted, &files, &WindowFiles::exportView);
    connect(this, &WindowActions::exportNumbersWanted, &files, &WindowFiles::exportNumbers);
    connect(this, &WindowActions::reportWanted, &files, &WindowFiles::writeReport);
    connect(this, &WindowActions::copyImageWanted, &files, &WindowFiles::copyImage);
    connect(this, &WindowActions::copyNumbersWanted, &files, &WindowFiles::copyNumbers);
    connect(this, &WindowActions::copyCaptionWanted, &files, &WindowFiles::copyCaption);
}

void WindowActions::fillRecent()
{
    m_recent->clear();
    const QStringList files = m_settings.value(Setting::RecentFiles).toStringList();
    m_recent->menuAction()->setEnabled(!files.isEmpty());
    for (const QString& path : files) {
        QAction* action = m_recent->addAction(sourceName(path));
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { emit fileWanted(path); });
    }
    if (files.isEmpty())
        return;
    m_recent->addSeparator();
    connect(m_recent->addAction(tr("Clear the list")), &QAction::triggered, this,
            [this] { m_settings.set(Setting::RecentFiles, QStringList()); });
}

void WindowActions::fillEdit(QMenu& menu)
{
    QAction* undo = m_session.undoStack().createUndoAction(m_window, tr("&Undo"));
    QAction* redo = m_session.undoStack().createRedoAction(m_window, tr("&Redo"));
    undo->setShortcut(QKeySequence("Ctrl+Z"));
    redo->setShortcuts({QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")});
    for (QAction* action : {undo, redo}) {
        menu.addAction(action);
        m_window->addAction(action);
        m_all << action;
    }
    menu.addSeparator();
    add(menu, tr("Edit the &sentence"), QKeySequence("Ctrl+L"), [this] { emit sentenceWanted(); });
    add(menu, tr("Edit the &token\u2026"), QKeySequence("F2"), [this] { emit tokenEditWanted(); });
    add(menu, tr("&Find a token\u2026"), QKeySequence("Ctrl+F"),
        [this] { emit tokenSearchWanted(); });
    menu.addSeparator();
    add(menu, tr("Copy &image"), QKeySequence("Ctrl+Shift+C"), [this] { emit copyImageWanted(); });
    add(menu, tr("Copy &numbers"), QKeySequence("Ctrl+C"), [this] { emit copyNumbersWanted(); });
    add(menu, tr("Copy &caption"), {}, [this] { emit copyCaptionWanted(); });
    menu.addSeparator();
    add(menu, tr("Se&ttings\u2026"), QKeySequence("Ctrl+,"), [this] { emit settingsWanted(); });
}

void WindowActions::fillModel(QMenu& menu)
{
    fillModels(menu);
    fillDevices(*menu.addMenu(tr("&Device")));
    menu.addSeparator();
    m_noMask = add(menu, tr("No causal &mask in B"), QKeySequence("Ctrl+M"), [this] {
        const bool on = m_noMask->isChecked();
        m_session.setMask({on ? MaskChange::Kind::None : MaskChange::Kind::AsTrained,
                           m_session.changes().mask.window,
                           {},
                           0});
        m_session.setShownRun(on ? Run::B : Run::A);
    });
    m_noMask->setCheckable(true);
    m_headOff = add(menu, {}, QKeySequence("Del"), [this] {
        const Interventions::Head head = m_session.activeHead();
        const bool off = m_session.changes().isOff(head);
        m_session.setHeadOff(head, !off);
        m_session.setShownRun(off ? m_session.shownRun() : Run::B);
    });
    m_clear = add(menu, tr("&Make B as trained again"), {}, [this] { m_session.clearChanges(); });
}

void WindowActions::fillDevices(QMenu& menu)
{
    auto* group = new QActionGroup(this);
    const auto offer = [&](const QString& id, const QString& text, const QString& toolTip) {
        QAction* action = addChoice(menu, *group, text, [this, id] {
            m_settings.set(Setting::Device, id);
            m_session.setDevice(id);
        });
        action->setToolTip(toolTip);
        action->setChecked(m_session.device() == id);
    };
    offer("auto", tr("Automatic: the faster one"), tr("Measured once on this machine"));
    for (const BackendEntry& entry : m_session.registry().entries()) {
        const DeviceFacts& facts = entry.facts;
        const QString id = QString::fromStdString(facts.id);
        const QString name = QString::fromStdString(facts.name);
        const QString text = facts.platform.empty()
                                 ? name
                                 : tr("%1 (%2)").arg(name, QString::fromStdString(facts.platform));
        offer(id, text, QString::fromStdString(facts.version));
    }
    menu.setToolTipsVisible(true);
}

void WindowActions::fillHelp(QMenu& menu)
{
    add(menu, tr("&Go to anything"), QKeySequence("Ctrl+Shift+P"),
        [this] { emit paletteWanted(); });
    add(menu, tr("Guided &tour"), {}, [this] { emit tourWanted(); });
    add(menu, tr("&What\u2019s this?"), QKeySequence("Shift+F1"),
        [] { QWhatsThis::enterWhatsThisMode(); });
    add(menu, tr("&Keyboard shortcuts"), QKeySequence("Ctrl+?"),
        [this] { emit shortcutsWanted(); });
    menu.addSeparator();
    add(menu, tr("&About Headscope"), {}, [this] { emit aboutWanted(); });
    add(menu, tr("About &Qt"), {}, [] { QApplication::aboutQt(); });
}

void WindowActions::refresh()
{
    const Selection& selection = m_session.selection();
    const Changes& changes = m_session.changes();
    const bool off = changes.isOff(m_session.activeHead());
    m_back->setEnabled(m_session.canGoBack());
    m_forward->setEnabled(m_session.canGoForward());
    m_noMask->setEnabled(m_session.model().model != nullptr);
    m_noMask->setChecked(changes.mask.kind == MaskChange::Kind::None);
    m_headOff->setText((off ? tr("Switch head %1.%2 &on again") : tr("Switch head %1.%2 &off in B"))
                           .arg(selection.layer)
                           .arg(selection.head));
    m_headOff->setEnabled(m_session.model().model != nullptr);
    m_clear->setEnabled(!changes.empty());
    m_aboutModel->setEnabled(m_session.model().model != nullptr);
}

} // namespace headscope::ui
