#include "ui/window/actions/training_actions.h"

#include "ui/session/runs/training.h"
#include "ui/window/actions/window_actions.h"

namespace headscope::ui {

TrainingActions::TrainingActions(WindowActions& actions, Training& training)
    : QObject(&actions)
    , m_actions(actions)
    , m_training(training)
{
    actions.on("training.step", &training, &Training::step);
    actions.on("training.stop", &training, &Training::stop);
    actions.on("training.save", &training, &Training::save);
    connect(&training, &Training::changed, this, &TrainingActions::refresh);
    refresh();
}

void TrainingActions::refresh()
{
    const QString text = m_training.state() == TrainingPhase::Running ? tr("P&ause training")
                                                                      : tr("St&art training");
    QAction& start = m_actions.action("training.start");
    if (start.text() != text)
        start.setText(text);
    for (const char* id : {"training.step", "training.stop", "training.save"})
        m_actions.action(id).setEnabled(m_training.isOpen());
}

} // namespace headscope::ui
