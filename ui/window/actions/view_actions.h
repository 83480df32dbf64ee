#pragma once

#include <QObject>

#include <functional>

namespace headscope::ui {

class Session;
class Settings;
struct TokenDisplay;
class WindowActions;

/// Actions for the display of tokens, theme and attention colours.
class ViewActions : public QObject
{
    Q_OBJECT

public:
    ViewActions(WindowActions& actions, Session& session, Settings& settings);

private:
    void connectTokens();
    void connectTheme();
    void connectColours();
    void changeDisplay(const std::function<void(TokenDisplay&)>& change);
    void refreshTokens();
    void refreshTheme();
    void refreshColours();

    WindowActions& m_actions;
    Session& m_session;
    Settings& m_settings;
};

} // namespace headscope::ui
