#include "ui/window/workspaces/training_desk.h"

#include "ui/pages/experiments/experiments_page.h"
#include "ui/pages/runs/run_form_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/train/train_page.h"
#include "ui/session/runs/training.h"
#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/workspaces/rail_notes.h"
#include "ui/window/workspaces/workspaces.h"

#include <memory>
#include <utility>

namespace headscope::ui {

namespace {

const QString kPage = QStringLiteral("train");

} // namespace

TrainingDesk::TrainingDesk(Session& session, Settings& settings, WindowActions& actions,
                           Workspaces& workspaces, MessageBar& messages)
    : QObject(&workspaces)
    , m_training(session.training())
    , m_settings(settings)
    , m_workspaces(workspaces)
    , m_messages(messages)
{
    connect(&m_training, &Training::messageWanted, this,
            [this](const QString& sentence, bool isError) {
                if (m_workspaces.currentName() != kPage) // which says it itself
                    m_messages.show(isError ? MessageKind::Error : MessageKind::Note, sentence);
            });
    connect(&messages, &MessageBar::answered, this, &TrainingDesk::answerClosing);
    connectActions(actions);
    connectPages();
}

// --------------------------------------------------------------------------------------- the menu

void TrainingDesk::connectActions(WindowActions& actions)
{
    actions.on("training.step", &m_training, &Training::step);
    actions.on("training.stop", &m_training, &Training::stop);
    actions.on("training.save", &m_training, &Training::save);
    actions.on("training.start", this, &TrainingDesk::start);
    actions.on("training.allSettings", this, [this] { m_workspaces.show("new-run"); });
    actions.on("training.newRun", this, [this] {
        m_workspaces.show(kPage);
        m_workspaces.find<TrainPage>().planRun();
        m_workspaces.find<TrainPage>().focusMain();
    });
    actions.on("training.follow", this, [this] {
        if (m_training.hasRun())
            m_training.followLive();
        m_workspaces.show(kPage);
    });
    const auto refresh = [this, &actions] { refreshActions(actions); };
    connect(&m_training, &Training::changed, this, refresh);
    m_workspaces.stack().whenMade<TrainPage>(*this, [this, refresh](TrainPage& page) {
        connect(&page, &TrainPage::planningChanged, this, refresh);
    });
    refresh();
}

void TrainingDesk::refreshActions(const WindowActions& actions)
{
    const QString text = m_training.state() == TrainingPhase::Running ? tr("P&ause training")
                                                                      : tr("St&art training");
    QAction& start = actions.action("training.start");
    if (start.text() != text)
        start.setText(text);
    start.setEnabled(!m_training.isSeries() || m_workspaces.find<TrainPage>().isPlanning());
    start.setToolTip(start.isEnabled() ? QString() : m_training.whyReadOnly());
    for (const char* id : {"training.step", "training.stop", "training.save"})
        actions.action(id).setEnabled(m_training.isOpen());
}

void TrainingDesk::start()
{
    auto& page = m_workspaces.find<TrainPage>();
    if (!page.isPlanning())
        return m_training.startOrPause();
    const bool wasThere = m_workspaces.currentName() == kPage;
    m_workspaces.show(kPage);
    if (wasThere)
        page.startPlanned();
}

// -------------------------------------------------------------------------------------- the pages

void TrainingDesk::connectPages()
{
    PageStack& pages = m_workspaces.stack();
    const auto showRun = [this](const QString& path) {
        m_workspaces.show("runs");
        auto& runs = m_workspaces.find<RunsPage>();
        runs.showRun(path);
        runs.focusMain();
    };
    pages.whenMade<TrainPage>(*this, [this](TrainPage& page) {
        connect(&page, &TrainPage::settingsWanted, this, [this](const QString& task) {
            m_workspaces.find<RunFormPage>().chooseTask(task);
            m_workspaces.show("new-run");
        });
    });
    pages.whenMade<RunFormPage>(*this, [this](RunFormPage& form) {
        connect(&form, &RunFormPage::startWanted, this,
                [this](const TrainingConfig& config, const QString& name, const RunText& probe) {
                    m_training.start(config, name, probe);
                    m_workspaces.show(kPage);
                });
    });
    pages.whenMade<RunsPage>(*this, [this](RunsPage& runs) {
        connectRuns(runs);
        rememberFolders(runs);
    });
    pages.whenMade<ExperimentsPage>(*this, [this, showRun](ExperimentsPage& page) {
        connect(&page, &ExperimentsPage::runWanted, this, showRun);
    });
    connect(&m_workspaces.notes(), &RailNotes::runWanted, this, showRun);
    const auto follow = [this] {
        if (m_training.hasRun() || m_training.isOpen())
            m_workspaces.find<TrainPage>(); // it follows every run from the start
    };
    connect(&m_training, &Training::changed, this, follow);
    follow();
}

void TrainingDesk::connectRuns(RunsPage& runs)
{
    connect(&runs, &RunsPage::openWanted, this, [this](const QString& path) { openRun(path); });
    connect(&runs, &RunsPage::resumeWanted, this, [this](const QString& path) {
        openRun(path, [](Training& training) { training.startOrPause(); });
    });
    connect(&runs, &RunsPage::forkWanted, this, [this](const QString& path, qint64 step) {
        openRun(path, [step](Training& training) { training.fork(step); });
    });
}

void TrainingDesk::rememberFolders(RunsPage& runs)
{
    for (const QString& folder : m_settings.value(Setting::RunFolders).toStringList())
        runs.addFolder(folder);
    connect(&runs, &RunsPage::foldersChanged, this, [this](const QStringList& folders) {
        m_settings.set(Setting::RunFolders, folders.mid(1)); // the first is our own
    });
}

/// Opens the run on the Training page and calls `then` when it has been read.
void TrainingDesk::openRun(const QString& path, const std::function<void(Training&)>& then)
{
    const std::filesystem::path folder = path.toStdString();
    m_workspaces.show(kPage);
    m_workspaces.find<TrainPage>().focusMain();
    const bool isOpen = m_training.record().folder == folder && m_training.isOpen();
    if (!isOpen)
        m_training.openRun(folder);
    if (!then)
        return;
    if (isOpen)
        return then(m_training);
    auto once = std::make_shared<QMetaObject::Connection>();
    *once = connect(&m_training, &Training::changed, this, [this, folder, once, then] {
        if (m_training.record().folder != folder || m_training.isOpening() ||
            m_training.state() != TrainingPhase::Stopped)
            return;
        disconnect(*once);
        then(m_training);
    });
}

// ---------------------------------------------------------------------------------------- closing

bool TrainingDesk::mayClose()
{
    if (m_closes || !m_training.hasUnsavedSteps())
        return true;
    m_messages.ask(MessageKind::Warning,
                   tr("A run is in training, at step %1. What shall become of it?")
                       .arg(count(m_training.record().step)),
                   {tr("Save and close"), tr("Discard and close"), tr("Keep training")});
    m_messages.focusFirstAnswer(); // nothing else may go on before this is answered
    m_asks = true;
    return false;
}

void TrainingDesk::answerClosing(int button)
{
    if (!std::exchange(m_asks, false))
        return;
    m_messages.hide();
    if (button == 2)
        return;
    if (button == 1) {
        m_training.discard();
        if (m_training.isFollowed())
            m_settings.set(Setting::Model, QString()); // it will be gone
    }
    m_closes = true; // the session saves what is not discarded
    emit closeWanted();
}

} // namespace headscope::ui
