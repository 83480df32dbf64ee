#include "ui/pages/runs/draft_files.h"

#include "core/experiments/task_catalogue.h"
#include "ui/workers/error_sentence.h"

#include <QFileDialog>
#include <QFileInfo>

namespace headscope::ui {

DraftFiles::DraftFiles(RunDraft& draft, QWidget* page) : QObject(page), m_draft(draft), m_page(page)
{
}

void DraftFiles::attempt(const std::function<void()>& action)
{
    try {
        m_problem.clear();
        action();
    } catch (const std::exception& error) {
        m_problem = errorSentence(error);
    }
    emit tried();
}

void DraftFiles::use(const QString& path)
{
    if (path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive))
        useConfig(path);
    else
        useText(path);
}

void DraftFiles::useText(const QString& path)
{
    for (const CatalogueTask& task : taskCatalogue()) {
        if (!task.needsText)
            continue;
        TrainingConfig config = task.config;
        config.data.text = path.toStdString();
        attempt([&] { m_draft.adopt(config, QFileInfo(path).completeBaseName()); });
    }
}

void DraftFiles::useConfig(const QString& path)
{
    attempt([&] { m_draft.load(path); });
}

void DraftFiles::chooseText()
{
    auto* dialog = new QFileDialog(m_page, tr("Choose a training text"));
    dialog->setObjectName("chooseText");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &DraftFiles::useText);
    connect(dialog, &QFileDialog::rejected, this, &DraftFiles::noTextChosen);
    dialog->open();
}

void DraftFiles::openConfig()
{
    auto* dialog = new QFileDialog(m_page, tr("Open a training configuration"));
    dialog->setObjectName("openConfig");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(tr("Training configurations (*.json)"));
    connect(dialog, &QFileDialog::fileSelected, this, &DraftFiles::useConfig);
    dialog->open();
}

void DraftFiles::saveConfig()
{
    auto* dialog = new QFileDialog(m_page, tr("Save the training configuration"));
    dialog->setObjectName("saveConfig");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Training configurations (*.json)"));
    dialog->setDefaultSuffix("json");
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        attempt([&] {
            m_draft.save(path);
            emit saved(path);
        });
    });
    dialog->open();
}

} // namespace headscope::ui
