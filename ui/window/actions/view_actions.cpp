#include "ui/window/actions/view_actions.h"

#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/widgets/style/colour_map.h"
#include "ui/window/actions/window_actions.h"

namespace headscope::ui {

ViewActions::ViewActions(WindowActions& actions, Session& session, Settings& settings)
    : QObject(&actions)
    , m_actions(actions)
    , m_session(session)
    , m_settings(settings)
{
    connectTokens();
    connectTheme();
    connectColours();
}

void ViewActions::connectTokens()
{
    m_actions.onChoice("tokens", this, [this](const QVariant& grouping) {
        changeDisplay([&](TokenDisplay& display) {
            display.grouping = static_cast<TokenDisplay::Grouping>(grouping.toInt());
        });
    });
    m_actions.on("tokens.hideSpecial", this, [this](bool on) {
        changeDisplay([on](TokenDisplay& display) { display.hideSpecial = on; });
    });
    m_actions.on("tokens.hideFirst", this, [this](bool on) {
        changeDisplay([on](TokenDisplay& display) { display.hideFirst = on; });
    });
    m_actions.on("tokens.foldTemplate", this, [this](bool on) {
        changeDisplay([on](TokenDisplay& display) { display.foldTemplate = on; });
    });
    m_actions.on("tokens.showIds", this, [this](bool on) {
        changeDisplay([on](TokenDisplay& display) { display.showIds = on; });
    });
    connect(&m_session, &Session::displayChanged, this, &ViewActions::refreshTokens);
    refreshTokens();
}

void ViewActions::changeDisplay(const std::function<void(TokenDisplay&)>& change)
{
    TokenDisplay display = m_session.view().display();
    change(display);
    m_session.view().setDisplay(display);
}

void ViewActions::refreshTokens()
{
    const TokenDisplay& display = m_session.view().display();
    m_actions.setChosen("tokens", static_cast<int>(display.grouping));
    m_actions.action("tokens.hideSpecial").setChecked(display.hideSpecial);
    m_actions.action("tokens.hideFirst").setChecked(display.hideFirst);
    m_actions.action("tokens.foldTemplate").setChecked(display.foldTemplate);
    m_actions.action("tokens.showIds").setChecked(display.showIds);
}

void ViewActions::connectTheme()
{
    m_actions.onChoice("theme", this, [this](const QVariant& name) {
        m_settings.set(Setting::Theme, name.toString());
    });
    connect(&m_settings, &Settings::changed, this, [this](Setting setting) {
        if (setting == Setting::Theme)
            refreshTheme();
    });
    refreshTheme();
}

void ViewActions::refreshTheme()
{
    m_actions.setChosen("theme", m_settings.text(Setting::Theme));
}

void ViewActions::connectColours()
{
    for (const MapName map :
         {MapName::Depth, MapName::Viridis, MapName::Cividis, MapName::Magma, MapName::Grey}) {
        const QString name = displayName(map);
        m_actions.on("colours." + name, this, [this, name, map] {
            m_settings.set(Setting::ColourMap, name);
            m_session.view().setColourMap(map);
        });
    }
    connect(&m_session, &Session::colourMapChanged, this, &ViewActions::refreshColours);
    refreshColours();
}

void ViewActions::refreshColours()
{
    m_actions.setChosen("colours", displayName(m_session.view().colourMap()));
}

} // namespace headscope::ui
