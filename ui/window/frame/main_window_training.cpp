// What the frame has to do with a run in training: its title, its menu, closing.
#include "ui/pages/train/train_page.h"
#include "ui/session/runs/training.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/frame/main_window.h"
#include "ui/window/frame/window_texts.h"
#include "ui/window/models/model_chooser.h"

#include <QStackedWidget>

namespace headscope::ui {

void MainWindow::connectTraining()
{
    Training& training = m_session.training();
    auto* page = m_pages->findChild<TrainPage*>();
    connect(&training, &Training::changed, this, [this] {
        refreshTitle();
        refreshState();
    });
    connect(&training, &Training::messageWanted, this,
            [this](const QString& sentence, bool isError) {
                if (MainWindow::page() != QLatin1String("train")) // which says it itself
                    m_messages->show(isError ? MessageKind::Error : MessageKind::Note, sentence);
            });
    m_actions->on("training.newRun", this, [this, page] {
        showPage("train");
        page->planRun();
        page->focusMain();
    });
    m_actions->on("training.allSettings", this, [this] { showPage("new-run"); });
    m_actions->on("training.follow", this, [this, &training] {
        if (training.hasRun())
            training.followLive();
        showPage("train");
    });
    m_actions->on("training.start", this, [this, page, &training] {
        if (!page->isPlanning())
            return training.startOrPause();
        const bool wasThere = MainWindow::page() == QLatin1String("train");
        showPage("train");
        if (wasThere)
            page->startPlanned();
    });
    connect(m_messages, &MessageBar::answered, this, &MainWindow::answerClosing);
}

void MainWindow::refreshTitle()
{
    if (!m_session.model().model && !m_session.isCaptured())
        return;
    const Training& training = m_session.training();
    const QString name = documentName(m_session);
    m_chooser->setTexts(name, documentFacts(m_session));
    setWindowTitle(
        training.isOpen()
            ? tr("%1 (step %2) \u2013 Headscope").arg(name, count(training.record().step))
            : tr("%1 \u2013 Headscope").arg(name));
}

/// Asks first, without a dialog, what becomes of steps that are on no disk yet.
bool MainWindow::mayClose()
{
    const Training& training = m_session.training();
    if (m_closes || !training.hasUnsavedSteps())
        return true;
    m_messages->ask(MessageKind::Warning,
                    tr("A run is in training, at step %1. What shall become of it?")
                        .arg(count(training.record().step)),
                    {tr("Save and close"), tr("Discard and close"), tr("Keep training")});
    m_messages->setProperty("asksToClose", true);
    return false;
}

void MainWindow::answerClosing(int button)
{
    if (!m_messages->property("asksToClose").toBool())
        return;
    m_messages->setProperty("asksToClose", false);
    m_messages->hide();
    if (button == 2)
        return;
    if (button == 1) {
        m_session.training().discard();
        if (m_session.training().isFollowed())
            m_settings.set(Setting::Model, QString()); // it will be gone
    }
    m_closes = true; // the session saves what is not discarded
    close();
}

} // namespace headscope::ui
