#include "ui/pages/train/train_menu.h"

#include "ui/pages/train/train_film.h"
#include "ui/session/runs/training.h"

#include <QMenu>

#include <algorithm>

namespace headscope::ui {

TrainMenu::TrainMenu(QMenu& menu, Training& training, const TrainFilm& film)
    : m_menu(menu)
    , m_training(training)
    , m_film(film)
{
    m_menu.setToolTipsVisible(true); // why an entry is disabled
    addBeginnings();
    m_menu.addSeparator();
    add("save", tr("Save a checkpoint"), [this] { m_training.save(); });
    add("longer", tr("Extend training by half"), [this] {
        const std::int64_t steps = m_training.record().steps;
        m_training.setSteps(steps + std::max<std::int64_t>(1, steps / 2));
    });
    m_menu.addSeparator();
    addSnapshots();
    m_menu.addSeparator();
    add("measure", tr("Measure the heads of all checkpoints"),
        [this] { m_training.measureHeads(); });
    add("film", tr("Export as film frames\u2026"), [this] { emit filmWanted(); });
}

template<typename Handler>
void TrainMenu::add(const char* name, const QString& text, Handler handler)
{
    QAction* action = m_menu.addAction(text);
    action->setObjectName(name);
    connect(action, &QAction::triggered, this, handler);
}

void TrainMenu::addBeginnings()
{
    add("new", tr("New run\u2026"), [this] { emit planWanted(); });
    add("again", tr("Restart with the same seed"),
        [this] { m_training.reset(m_training.record().config.seed); });
    add("seed", tr("Restart with a new seed"),
        [this] { m_training.reset(m_training.record().config.seed + 1); });
}

void TrainMenu::addSnapshots()
{
    add("fork", tr("Fork a new run from the shown snapshot"),
        [this] { m_training.fork(*m_training.shownStep()); });
    add("compare", tr("Compare the shown snapshot as B"), [this] {
        m_training.compareWith(*m_training.shownStep());
        emit compareShown();
    });
    add("pin", tr("Pin or unpin the shown snapshot"), [this] { togglePin(); });
}

void TrainMenu::togglePin()
{
    const TrainingRecord& record = m_training.record();
    const int index = record.snapshotOf(*m_training.shownStep());
    if (index >= 0)
        m_training.pin(*m_training.shownStep(),
                       !record.snapshots[static_cast<std::size_t>(index)].isPinned);
}

void TrainMenu::refresh()
{
    for (QAction* action : m_menu.actions()) {
        const QString name = action->objectName();
        if (name.isEmpty() || name == "new")
            continue;
        action->setEnabled(isPossible(name));
        action->setToolTip(isTraining(name) ? m_training.whyReadOnly() : QString());
    }
}

/// Whether an action trains, or writes to the run.
bool TrainMenu::isTraining(const QString& name)
{
    static const QStringList names{"again", "seed", "save", "longer", "fork", "pin"};
    return names.contains(name);
}

bool TrainMenu::isPossible(const QString& name) const
{
    if (isTraining(name) && m_training.isSeries())
        return false;
    if (name == "measure")
        return m_training.isSeries() && !m_training.meter().isMeasuring();
    if (name == "fork" || name == "compare" || name == "pin")
        return m_training.shownStep().has_value();
    if (name == "film")
        return !m_training.record().snapshots.empty() && !m_film.isRunning();
    if (name == "save" || name == "longer")
        return m_training.isOpen();
    return m_training.hasRun();
}

} // namespace headscope::ui
