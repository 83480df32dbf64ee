#include "ui/window/window_actions.h"

#include <QActionGroup>
#include <QApplication>
#include <QFileInfo>
#include <QMenuBar>

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
}

void WindowActions::fill(QMenuBar& bar)
{
    fillFile(*bar.addMenu(tr("&File")));
    fillEdit(*bar.addMenu(tr("&Edit")));
    fillView(*bar.addMenu(tr("&View")));
    fillModel(*bar.addMenu(tr("&Model")));
    fillHelp(*bar.addMenu(tr("&Help")));
    refresh();
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
    return action;
}

void WindowActions::fillFile(QMenu& menu)
{
    add(menu, tr("&Open model or text\u2026"), QKeySequence("Ctrl+O"),
        [this] { emit openWanted(); });
    m_recent = menu.addMenu(tr("Open &recent"));
    fillRecent();
    connect(&m_settings, &Settings::changed, this, [this](Setting setting) {
        if (setting == Setting::RecentFiles)
            fillRecent();
    });
    menu.addSeparator();
    add(menu, tr("&Export view\u2026"), QKeySequence("Ctrl+E"),
        [this] { emit exportWanted(FigureView::Head); });
    add(menu, tr("Export all &heads\u2026"), QKeySequence("Ctrl+Shift+E"),
        [this] { emit exportWanted(FigureView::Grid); });
    menu.addSeparator();
    add(menu, tr("&Quit"), QKeySequence("Ctrl+Q"), [this] { m_window->close(); });
}

void WindowActions::fillRecent()
{
    m_recent->clear();
    const QStringList files = m_settings.value(Setting::RecentFiles).toStringList();
    m_recent->menuAction()->setEnabled(!files.isEmpty());
    for (const QString& path : files) {
        QAction* action = m_recent->addAction(QFileInfo(path).fileName());
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
    menu.addSeparator();
    add(menu, tr("Copy &image"), QKeySequence("Ctrl+Shift+C"), [this] { emit copyImageWanted(); });
    add(menu, tr("Copy &values"), QKeySequence("Ctrl+C"), [this] { emit copyValuesWanted(); });
}

void WindowActions::fillView(QMenu& menu)
{
    add(menu, tr("&Overview"), QKeySequence("Ctrl+1"), [this] { emit pageWanted("overview"); });
    add(menu, tr("&What-if"), QKeySequence("Ctrl+2"), [this] { emit pageWanted("what-if"); });
    add(menu, tr("&Positions"), QKeySequence("Ctrl+3"), [this] { emit pageWanted("positions"); });
    menu.addSeparator();
    fillNavigation(menu);
    menu.addSeparator();
    fillThemes(*menu.addMenu(tr("&Theme")));
    fillColourMaps(*menu.addMenu(tr("&Colours of weights")));
    menu.addSeparator();
    m_inspector = add(menu, tr("&Inspector"), QKeySequence("Ctrl+I"),
                      [this] { emit inspectorToggled(m_inspector->isChecked()); });
    m_inspector->setCheckable(true);
    m_inspector->setChecked(true);
    add(menu, tr("Reset la&yout"), {}, [this] { emit layoutResetWanted(); });
    QAction* full = menu.addAction(tr("F&ull screen"));
    full->setShortcut(QKeySequence("F11"));
    full->setCheckable(true);
    m_window->addAction(full);
    m_all << full;
    connect(full, &QAction::toggled, this, &WindowActions::fullScreenToggled);
}

void WindowActions::fillNavigation(QMenu& menu)
{
    add(menu, tr("Next layer"), QKeySequence("PgDown"), [this] { moveHead(1, 0); });
    add(menu, tr("Previous layer"), QKeySequence("PgUp"), [this] { moveHead(-1, 0); });
    add(menu, tr("Next head"), QKeySequence("Shift+PgDown"), [this] { moveHead(0, 1); });
    add(menu, tr("Previous head"), QKeySequence("Shift+PgUp"), [this] { moveHead(0, -1); });
    add(menu, tr("Follow the last token"), QKeySequence("Ctrl+End"),
        [this] { m_session.releasePair(); });
    m_back = add(menu, tr("&Back"), QKeySequence("Alt+Left"), [this] { m_session.goBack(); });
    m_forward =
        add(menu, tr("For&ward"), QKeySequence("Alt+Right"), [this] { m_session.goForward(); });
}

void WindowActions::fillThemes(QMenu& menu)
{
    auto* group = new QActionGroup(this);
    const std::pair<const char*, QString> themes[] = {
        {"system", tr("As the system")}, {"light", tr("Light")}, {"dark", tr("Dark")}};
    for (const auto& [name, text] : themes) {
        const QString value = QLatin1String(name);
        QAction* action =
            addChoice(menu, *group, text, [this, value] { m_settings.set(Setting::Theme, value); });
        action->setChecked(m_settings.text(Setting::Theme) == value);
    }
}

void WindowActions::fillColourMaps(QMenu& menu)
{
    auto* group = new QActionGroup(this);
    for (const MapName map :
         {MapName::Depth, MapName::Viridis, MapName::Cividis, MapName::Magma, MapName::Grey}) {
        const QString name = displayName(map);
        QAction* action = addChoice(menu, *group, name, [this, name, map] {
            m_settings.set(Setting::ColourMap, name);
            m_session.setColourMap(map);
        });
        action->setChecked(m_session.colourMap() == map);
    }
}

void WindowActions::fillModel(QMenu& menu)
{
    m_modelMenu = menu.addMenu(tr("&Choose a model"));
    fillBuiltins(*m_modelMenu);
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
        const Selection& selection = m_session.selection();
        const bool off = m_session.changes().isOff(selection.layer, selection.head);
        m_session.setHeadOff(selection.layer, selection.head, !off);
        m_session.setShownRun(off ? m_session.shownRun() : Run::B);
    });
    m_clear = add(menu, tr("&Make B as trained again"), {}, [this] { m_session.clearChanges(); });
}

void WindowActions::fillBuiltins(QMenu& menu)
{
    for (const QString& name : m_builtinModels)
        add(menu, name, {}, [this, name] { m_session.openModel(name); });
    menu.addSeparator();
    menu.addAction(tr("Open a file\u2026"), this, &WindowActions::openWanted);
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
    add(menu, tr("&Keyboard shortcuts"), QKeySequence("Ctrl+?"),
        [this] { emit shortcutsWanted(); });
    menu.addSeparator();
    add(menu, tr("&About Headscope"), {}, [this] { emit aboutWanted(); });
    add(menu, tr("About &Qt"), {}, [] { QApplication::aboutQt(); });
}

void WindowActions::moveHead(int layers, int heads)
{
    const Selection& selection = m_session.selection();
    m_session.activateHead(selection.layer + layers, selection.head + heads);
}

void WindowActions::refresh()
{
    const Selection& selection = m_session.selection();
    const Changes& changes = m_session.changes();
    const bool off = changes.isOff(selection.layer, selection.head);
    m_back->setEnabled(m_session.canGoBack());
    m_forward->setEnabled(m_session.canGoForward());
    m_noMask->setChecked(changes.mask.kind == MaskChange::Kind::None);
    m_headOff->setText((off ? tr("Switch head %1.%2 &on again") : tr("Switch head %1.%2 &off in B"))
                           .arg(selection.layer)
                           .arg(selection.head));
    m_headOff->setEnabled(m_session.model().model != nullptr);
    m_clear->setEnabled(!changes.empty());
}

} // namespace headscope::ui
