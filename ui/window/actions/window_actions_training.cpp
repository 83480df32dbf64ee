// The Training menu.
#include "ui/session/runs/training.h"
#include "ui/window/actions/window_actions.h"

#include <QMenu>

namespace headscope::ui {

void WindowActions::fillTraining(QMenu& menu)
{
    Training& training = m_session.training();
    add(menu, tr("&New run\u2026"), QKeySequence("Ctrl+R"), [this] { emit newRunWanted(); });
    add(menu, tr("New run with &all settings\u2026"), QKeySequence("Ctrl+Shift+R"),
        [this] { emit pageWanted("new-run"); });
    menu.addSeparator();
    m_startRun = add(menu, {}, QKeySequence("F5"), [this] { emit startRunWanted(); });
    m_ofOpenRun << add(menu, tr("&One step"), QKeySequence("F10"),
                       [&training] { training.step(); });
    m_ofOpenRun << add(menu, tr("Sto&p and close the run"), QKeySequence("Shift+F5"),
                       [&training] { training.stop(); });
    menu.addSeparator();
    m_ofOpenRun << add(menu, tr("&Save a checkpoint"), {}, [&training] { training.save(); });
    add(menu, tr("&Follow the newest weights"), {}, [this, &training] {
        if (training.hasRun())
            training.followLive();
        emit pageWanted("train");
    });
    connect(&training, &Training::changed, this, &WindowActions::refreshTraining);
}

void WindowActions::refreshTraining()
{
    const Training& training = m_session.training();
    const QString text =
        training.state() == TrainingPhase::Running ? tr("P&ause training") : tr("St&art training");
    if (m_startRun->text() != text)
        m_startRun->setText(text);
    for (QAction* action : m_ofOpenRun)
        action->setEnabled(training.isOpen());
}

} // namespace headscope::ui
