#include "ui/window/workspaces/training_pages.h"

#include "ui/pages/experiments/experiments_page.h"
#include "ui/pages/runs/run_form_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/train/train_page.h"
#include "ui/session/runs/training.h"
#include "ui/session/settings.h"
#include "ui/window/frame/main_window.h"

#include <functional>
#include <memory>

namespace headscope::ui {

namespace {

void rememberFolders(RunsPage& runs, Settings& settings)
{
    for (const QString& folder : settings.value(Setting::RunFolders).toStringList())
        runs.addFolder(folder);
    QObject::connect(&runs, &RunsPage::foldersChanged, &runs,
                     [&settings](const QStringList& folders) {
                         settings.set(Setting::RunFolders, folders.mid(1)); // the first is our own
                     });
}

/// Opens the run on the page of training, and then does something with it: reading it takes a
/// moment.
void open(MainWindow& window, Session& session, const QString& path,
          const std::function<void(Training&)>& then = {})
{
    Training& training = session.training();
    const std::filesystem::path folder = path.toStdString();
    window.showPage(QStringLiteral("train"));
    const bool isOpen = training.record().folder == folder && training.isOpen();
    if (!isOpen)
        training.openRun(folder);
    if (!then)
        return;
    if (isOpen)
        return then(training);
    auto once = std::make_shared<QMetaObject::Connection>();
    *once =
        QObject::connect(&training, &Training::changed, &window, [&training, folder, once, then] {
            if (training.record().folder != folder || training.isOpening() ||
                training.state() != TrainingPhase::Stopped)
                return;
            QObject::disconnect(*once);
            then(training);
        });
}

void connectRuns(MainWindow& window, Session& session, RunsPage& runs)
{
    QObject::connect(&runs, &RunsPage::openWanted, &window,
                     [&](const QString& path) { open(window, session, path); });
    QObject::connect(&runs, &RunsPage::resumeWanted, &window, [&](const QString& path) {
        open(window, session, path, [](Training& training) { training.startOrPause(); });
    });
    QObject::connect(&runs, &RunsPage::forkWanted, &window, [&](const QString& path, qint64 step) {
        open(window, session, path, [step](Training& training) { training.fork(step); });
    });
}

} // namespace

void connectTrainingPages(MainWindow& window, Session& session, Settings& settings)
{
    auto* runs = window.findChild<RunsPage*>();
    rememberFolders(*runs, settings);
    connectRuns(window, session, *runs);
    auto* form = window.findChild<RunFormPage*>();
    QObject::connect(window.findChild<TrainPage*>(), &TrainPage::settingsWanted, form,
                     [&window, form](const QString& task) {
                         form->chooseTask(task);
                         window.showPage(QStringLiteral("new-run"));
                     });
    QObject::connect(window.findChild<ExperimentsPage*>(), &ExperimentsPage::runWanted, runs,
                     [&window, runs](const QString& path) {
                         window.showPage(QStringLiteral("runs"));
                         runs->showRun(path);
                     });
    QObject::connect(form, &RunFormPage::startWanted, &window,
                     [&](const TrainingConfig& config, const QString& name, const RunText& probe) {
                         session.training().start(config, name, probe);
                         window.showPage(QStringLiteral("train"));
                     });
}

} // namespace headscope::ui
