#pragma once

namespace headscope::ui {

class MainWindow;
class Session;
class Settings;

/// How the pages about training lead to each other, and which folders of runs are remembered.
void connectTrainingPages(MainWindow& window, Session& session, Settings& settings);

} // namespace headscope::ui
