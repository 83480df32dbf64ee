#include "ui/pages/compare/model_of_b.h"

#include "core/model/edits/adapter_edit.h"
#include "ui/pages/shared/boxes.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/labels.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>

#include <algorithm>

namespace headscope::ui {

namespace {

/// Step in a name such as "step-400.safetensors"; -1 for other names.
int stepOf(const QString& fileName)
{
    static const QRegularExpression kStep(QStringLiteral("^step-(\\d+)\\.safetensors$"));
    const auto match = kStep.match(fileName);
    return match.hasMatch() ? match.captured(1).toInt() : -1;
}

/// Snapshots of the training run that a path belongs to, in order of steps.
QStringList snapshotsBeside(const QString& path)
{
    const QFileInfo place(path);
    if (path.isEmpty() || path.startsWith(QLatin1String("builtin:")) || !place.exists())
        return {};
    QDir folder = place.isDir() ? QDir(place.absoluteFilePath()) : place.absoluteDir();
    if (folder.exists(QStringLiteral("checkpoints")))
        folder.cd(QStringLiteral("checkpoints"));
    QStringList names = folder.entryList({QStringLiteral("step-*.safetensors")}, QDir::Files);
    names.erase(std::remove_if(names.begin(), names.end(),
                               [](const QString& name) { return stepOf(name) < 0; }),
                names.end());
    std::sort(names.begin(), names.end(),
              [](const QString& a, const QString& b) { return stepOf(a) < stepOf(b); });
    for (QString& name : names)
        name = folder.absoluteFilePath(name);
    return names;
}

/// Label such as "step 400 of dates-run".
QString snapshotName(const QString& path)
{
    const QFileInfo file(path);
    QDir folder = file.absoluteDir();
    if (folder.dirName() == QLatin1String("checkpoints"))
        folder.cdUp();
    return ModelOfB::tr("step %1 of %2").arg(stepOf(file.fileName())).arg(folder.dirName());
}

} // namespace

ModelOfB::ModelOfB(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_box(new ChoiceBox(this))
    , m_file(new QPushButton(tr("Open a file\u2026"), this))
    , m_adapter(new QPushButton(tr("LoRA\u2026"), this))
{
    m_file->setToolTip(
        tr("Open a checkpoint as B\u2019s model; the snapshots of its training run are then "
           "listed"));
    m_adapter->setToolTip(tr("Apply a LoRA adapter to B: a folder that PEFT saved, or a GGUF "
                             "adapter"));
    m_adapter->setAccessibleName(tr("LoRA adapter of B"));
    m_box->setEditable(true);
    m_box->setInsertPolicy(QComboBox::NoInsert);
    m_box->setMinimumWidth(240);
    m_box->setAccessibleName(tr("Model of B"));
    m_box->lineEdit()->setAccessibleName(m_box->accessibleName());
    m_box->setToolTip(
        tr("A built-in model, or the path of a checkpoint or of a training run's snapshot"));
    rowOf(12, {heading(tr("with"), this), m_box, m_file, m_adapter}, this);
    connect(m_box, &QComboBox::activated, this,
            [this](int index) { choose(m_box->itemData(index).toString()); });
    connect(m_box->lineEdit(), &QLineEdit::returnPressed, this, &ModelOfB::chooseTyped);
    connect(m_file, &QPushButton::clicked, this, &ModelOfB::chooseFile);
    connect(m_adapter, &QPushButton::clicked, this, &ModelOfB::chooseAdapter);
    offer();
}

void ModelOfB::setNames(const QStringList& names)
{
    m_names = names;
    m_snapshots.clear();
    m_box->clear();
    offer();
}

void ModelOfB::refresh()
{
    offer();
    if (m_box->lineEdit()->hasFocus())
        return;
    const QString& model = m_session.changes().model;
    const int known = m_box->findData(model);
    m_box->setEditText(known >= 0 ? m_box->itemText(known) : model);
}

/// Lists built-in models, then the snapshots of A's and B's training runs.
void ModelOfB::offer()
{
    QStringList snapshots = snapshotsBeside(QString::fromStdString(m_session.model().name));
    for (const QString& path : snapshotsBeside(m_session.changes().model))
        if (!snapshots.contains(path))
            snapshots << path;
    if (m_box->count() > 0 && snapshots == m_snapshots)
        return;
    m_snapshots = snapshots;
    m_box->clear();
    m_box->addItem(tr("the same model"), QString());
    for (const QString& name : m_names)
        m_box->addItem(name, name);
    for (const QString& path : m_snapshots) {
        m_box->addItem(snapshotName(path), path);
        m_box->setItemData(m_box->count() - 1, path, Qt::ToolTipRole);
    }
}

void ModelOfB::chooseTyped()
{
    const QString name = m_box->currentText().trimmed();
    const int known = m_box->findText(name);
    choose(known >= 0 ? m_box->itemData(known).toString() : name);
}

void ModelOfB::chooseFile()
{
    auto* dialog = new QFileDialog(this, tr("Open B\u2019s model"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    if (const QString folder = folderOfModels(); !folder.isEmpty())
        dialog->setDirectory(folder);
    dialog->setNameFilters({tr("Models (*.gguf *.safetensors)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &ModelOfB::choose);
    dialog->open();
}

/// Folder of B's model, or of A's; empty for built-in ones.
QString ModelOfB::folderOfModels() const
{
    const QString& model = m_session.changes().model;
    const QFileInfo from(model.isEmpty() ? QString::fromStdString(m_session.model().name) : model);
    return from.exists() ? from.absolutePath() : QString();
}

void ModelOfB::chooseAdapter()
{
    auto* dialog = new QFileDialog(this, tr("LoRA adapter of B"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    if (const QString folder = folderOfModels(); !folder.isEmpty())
        dialog->setDirectory(folder);
    dialog->setNameFilters({tr("Adapters (adapter_config.json adapter_model.safetensors *.gguf)"),
                            tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &ModelOfB::addAdapter);
    dialog->open();
}

void ModelOfB::addAdapter(const QString& path)
{
    const QFileInfo place(path);
    const bool isInFolder = place.isFile() &&
                            place.absoluteDir().exists(QStringLiteral("adapter_config.json")) &&
                            place.suffix() != QLatin1String("gguf");
    Changes changes = m_session.changes();
    changes.weights.push_back(
        adapterEdit((isInFolder ? place.absolutePath() : path).toStdString()));
    m_session.document().setChanges(changes, tr("LoRA adapter of B"));
}

void ModelOfB::choose(const QString& name)
{
    Changes changes = m_session.changes();
    changes.model = name;
    m_session.document().setChanges(changes, tr("model of B"));
}

} // namespace headscope::ui
