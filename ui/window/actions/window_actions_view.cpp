// The View menu: pages, going through layers, heads and tokens, how things are shown.
#include "ui/window/workspaces/page_groups.h"
#include "ui/window/actions/window_actions.h"

#include <QActionGroup>
#include <QMenu>

#include <algorithm>

namespace headscope::ui {

void WindowActions::fillView(QMenu& menu)
{
    fillPages(menu);
    fillNavigation(*menu.addMenu(tr("&Go")));
    m_tokenMenu = menu.addMenu(tr("&Tokens"));
    fillTokens(*m_tokenMenu);
    menu.addSeparator();
    fillThemes(*menu.addMenu(tr("T&heme")));
    fillColourMaps(*menu.addMenu(tr("&Colours of weights")));
    menu.addSeparator();
    fillWindow(menu);
}

void WindowActions::fillPages(QMenu& menu)
{
    int number = 0;
    for (const PageGroup& group : pageGroups()) {
        for (const PageEntry& page : group.pages)
            m_pageActions[page.name] = add(menu, page.title, QKeySequence(pageShortcut(number++)),
                                           [this, name = page.name] { emit pageWanted(name); });
        menu.addSeparator();
    }
}

void WindowActions::fillNavigation(QMenu& menu)
{
    add(menu, tr("Next layer"), QKeySequence("PgDown"), [this] { moveHead(1, 0); });
    add(menu, tr("Previous layer"), QKeySequence("PgUp"), [this] { moveHead(-1, 0); });
    add(menu, tr("Next head"), QKeySequence("Shift+PgDown"), [this] { moveHead(0, 1); });
    add(menu, tr("Previous head"), QKeySequence("Shift+PgUp"), [this] { moveHead(0, -1); });
    menu.addSeparator();
    fillTokenMoves(menu);
    menu.addSeparator();
    add(menu, tr("Where does this &number come from?"), QKeySequence("Ctrl+Return"),
        [this] { emit originWanted(); });
    add(menu, tr("&Work this head through by hand"), QKeySequence("F4"),
        [this] { emit headWorkWanted(); });
    menu.addSeparator();
    m_back = add(menu, tr("&Back"), QKeySequence("Alt+Left"), [this] { m_session.goBack(); });
    m_forward =
        add(menu, tr("For&ward"), QKeySequence("Alt+Right"), [this] { m_session.goForward(); });
}

/// The arrow keys belong to what is drawn; the window takes those that are left over (see
/// MainWindow::keyPressEvent), so these have no shortcut of their own.
void WindowActions::fillTokenMoves(QMenu& menu)
{
    add(menu, tr("Next query token"), {}, [this] { moveToken(1, 0); });
    add(menu, tr("Previous query token"), {}, [this] { moveToken(-1, 0); });
    add(menu, tr("Next key token"), {}, [this] { moveToken(0, 1); });
    add(menu, tr("Previous key token"), {}, [this] { moveToken(0, -1); });
    add(menu, tr("Follow the last token"), QKeySequence("Ctrl+End"),
        [this] { m_session.releasePair(); });
}

void WindowActions::fillTokens(QMenu& menu)
{
    fillGroupings(menu);
    menu.addSeparator();
    m_hideSpecial = addSwitch(menu, tr("&Hide special tokens, divide by the rest"), {});
    connect(m_hideSpecial, &QAction::triggered, this, [this](bool on) {
        changeDisplay([on](TokenDisplay& display) { display.hideSpecial = on; });
    });
    m_hideFirst = addSwitch(menu, tr("Hide the &first token, divide by the rest"), {});
    connect(m_hideFirst, &QAction::triggered, this, [this](bool on) {
        changeDisplay([on](TokenDisplay& display) { display.hideFirst = on; });
    });
    m_showIds = addSwitch(menu, tr("Show &ids and bytes"), {});
    connect(m_showIds, &QAction::triggered, this, [this](bool on) {
        changeDisplay([on](TokenDisplay& display) { display.showIds = on; });
    });
}

void WindowActions::fillGroupings(QMenu& menu)
{
    using Grouping = TokenDisplay::Grouping;
    m_groupings = new QActionGroup(this);
    const std::pair<Grouping, QString> groupings[] = {
        {Grouping::Pieces, tr("&Pieces, as the model reads them")},
        {Grouping::WordSum, tr("&Words, weights added up")},
        {Grouping::WordMean, tr("Words, weights &averaged")}};
    for (const auto& [grouping, text] : groupings) {
        QAction* action = addChoice(menu, *m_groupings, text, [this, grouping = grouping] {
            changeDisplay([grouping](TokenDisplay& display) { display.grouping = grouping; });
        });
        action->setData(static_cast<int>(grouping));
    }
}

void WindowActions::changeDisplay(const std::function<void(TokenDisplay&)>& change)
{
    TokenDisplay display = m_session.display();
    change(display);
    m_session.setDisplay(display);
}

void WindowActions::fillWindow(QMenu& menu)
{
    m_inspector = addSwitch(menu, tr("&Inspector"), {});
    m_inspector->setShortcuts({QKeySequence("Ctrl+I"), QKeySequence("F6")});
    m_inspector->setChecked(true);
    connect(m_inspector, &QAction::triggered, this, &WindowActions::inspectorToggled);
    m_presenter = addSwitch(menu, tr("P&resenter mode"), QKeySequence("Shift+F11"));
    connect(m_presenter, &QAction::toggled, this, &WindowActions::presenterToggled);
    m_fullScreen = addSwitch(menu, tr("F&ull screen"), QKeySequence("F11"));
    connect(m_fullScreen, &QAction::toggled, this, &WindowActions::fullScreenToggled);
    add(menu, tr("Reset la&yout"), {}, [this] { emit layoutResetWanted(); });
}

void WindowActions::fillThemes(QMenu& menu)
{
    m_themes = new QActionGroup(this);
    const std::pair<const char*, QString> themes[] = {
        {"system", tr("As the system")}, {"light", tr("Light")}, {"dark", tr("Dark")}};
    for (const auto& [name, text] : themes) {
        const QString value = QLatin1String(name);
        QAction* action = addChoice(menu, *m_themes, text,
                                    [this, value] { m_settings.set(Setting::Theme, value); });
        action->setData(value);
        action->setChecked(m_settings.text(Setting::Theme) == value);
    }
    connect(&m_settings, &Settings::changed, this, [this](Setting setting) {
        for (QAction* action : m_themes->actions()) {
            if (setting == Setting::Theme)
                action->setChecked(action->data().toString() == m_settings.text(Setting::Theme));
        }
    });
}

void WindowActions::fillColourMaps(QMenu& menu)
{
    m_colourMaps = new QActionGroup(this);
    for (const MapName map :
         {MapName::Depth, MapName::Viridis, MapName::Cividis, MapName::Magma, MapName::Grey}) {
        const QString name = displayName(map);
        QAction* action = addChoice(menu, *m_colourMaps, name, [this, name, map] {
            m_settings.set(Setting::ColourMap, name);
            m_session.setColourMap(map);
        });
        action->setData(name);
    }
    refreshColourMap();
}

void WindowActions::refreshColourMap()
{
    for (QAction* action : m_colourMaps->actions())
        action->setChecked(action->data().toString() == displayName(m_session.colourMap()));
}

void WindowActions::refreshDisplay()
{
    const TokenDisplay& display = m_session.display();
    for (QAction* action : m_groupings->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(display.grouping));
    m_hideSpecial->setChecked(display.hideSpecial);
    m_hideFirst->setChecked(display.hideFirst);
    m_showIds->setChecked(display.showIds);
}

// -------------------------------------------------------------------------------------- moving

void WindowActions::moveHead(int layers, int heads)
{
    const Selection& selection = m_session.selection();
    m_session.activateHead(selection.layer + layers, selection.head + heads);
}

void WindowActions::moveToken(int queries, int keys)
{
    const TracePtr& trace = m_session.shownTrace();
    const TokenPair pair = m_session.pair();
    if (!trace || pair.query < 0)
        return;
    const AttentionPart part = m_session.selection().part;
    const auto within = [](int index, const TokenSequence& tokens) {
        return std::clamp(index, 0, static_cast<int>(tokens.size()) - 1);
    };
    const int query = within(pair.query + queries, queryTokens(*trace, part));
    const int key = keys == 0 ? -1 : within(pair.key + keys, keyTokens(*trace, part));
    m_session.selectPair(query, key);
}

} // namespace headscope::ui
