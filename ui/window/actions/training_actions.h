#pragma once

#include <QObject>

namespace headscope::ui {

class Training;
class WindowActions;

/// What can be done with the run that is open.
class TrainingActions : public QObject
{
    Q_OBJECT

public:
    TrainingActions(WindowActions& actions, Training& training);

private:
    void refresh();

    WindowActions& m_actions;
    Training& m_training;
};

} // namespace headscope::ui
