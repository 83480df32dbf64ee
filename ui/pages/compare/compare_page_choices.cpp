// What B reads, and which model reads it.
#include "ui/pages/compare/compare_page.h"
#include "ui/widgets/labels.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>

#include <algorithm>

namespace headscope::ui {

namespace {

/// The step that "step-400.safetensors" is of; -1 for other names.
int stepOf(const QString& fileName)
{
    static const QRegularExpression kStep(QStringLiteral("^step-(\\d+)\\.safetensors$"));
    const auto match = kStep.match(fileName);
    return match.hasMatch() ? match.captured(1).toInt() : -1;
}

/// The snapshots of the training run that a path is in or is, by rising step.
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

/// "step 400 of dates-run".
QString snapshotName(const QString& path)
{
    const QFileInfo file(path);
    QDir folder = file.absoluteDir();
    if (folder.dirName() == QLatin1String("checkpoints"))
        folder.cdUp();
    return ComparePage::tr("step %1 of %2").arg(stepOf(file.fileName())).arg(folder.dirName());
}

} // namespace

QLayout* ComparePage::makeChoices()
{
    m_sentence->setAccessibleName(tr("Sentence of B"));
    m_sentence->setPlaceholderText(tr("the same sentence"));
    m_sentence->setClearButtonEnabled(true);
    m_target->setAccessibleName(tr("Target of B"));
    m_target->setPlaceholderText(tr("the same target"));
    m_target->setClearButtonEnabled(true);
    m_file->setToolTip(
        tr("B\u2019s model from a checkpoint; the snapshots of its training run then "
           "stand in the list"));
    m_model->setEditable(true);
    m_model->setInsertPolicy(QComboBox::NoInsert);
    m_model->setMinimumWidth(240);
    m_model->setAccessibleName(tr("Model of B"));
    m_model->lineEdit()->setAccessibleName(m_model->accessibleName());
    m_model->setToolTip(
        tr("A built-in model, or the path of a checkpoint or of a training run's snapshot"));
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(heading(tr("B reads"), this));
    row->addWidget(m_sentence, 1);
    row->addWidget(m_targetTitle);
    row->addWidget(m_target, 1);
    row->addSpacing(12);
    row->addWidget(heading(tr("with"), this));
    row->addWidget(m_model);
    row->addWidget(m_file);
    return row;
}

/// A field that loses the focus while its window is destroyed must not ask for a new B.
ComparePage::~ComparePage()
{
    for (QLineEdit* field : {m_sentence, m_target})
        field->disconnect(this);
}

void ComparePage::connectChoices()
{
    for (QLineEdit* field : {m_sentence, m_target}) {
        connect(field, &QLineEdit::textEdited, this, [this] { m_pause.start(); });
        connect(field, &QLineEdit::editingFinished, this, &ComparePage::chooseTexts);
    }
    connect(&m_pause, &QTimer::timeout, this, &ComparePage::chooseTexts);
    connect(m_model, &QComboBox::activated, this,
            [this](int index) { chooseModel(m_model->itemData(index).toString()); });
    connect(m_model->lineEdit(), &QLineEdit::returnPressed, this, [this] {
        const QString name = m_model->currentText().trimmed();
        const int known = m_model->findText(name);
        chooseModel(known >= 0 ? m_model->itemData(known).toString() : name);
    });
    connect(m_file, &QPushButton::clicked, this, &ComparePage::chooseFile);
}

void ComparePage::setModelNames(const QStringList& names)
{
    m_names = names;
    m_snapshots.clear();
    m_model->clear();
    refreshModels();
}

/// Built-in models, then the snapshots of the training runs that A's and B's models lie in.
void ComparePage::refreshModels()
{
    QStringList snapshots = snapshotsBeside(QString::fromStdString(session().model().name));
    for (const QString& path : snapshotsBeside(session().changes().model))
        if (!snapshots.contains(path))
            snapshots << path;
    if (m_model->count() > 0 && snapshots == m_snapshots)
        return;
    m_snapshots = snapshots;
    m_model->clear();
    m_model->addItem(tr("the same model"), QString());
    for (const QString& name : m_names)
        m_model->addItem(name, name);
    for (const QString& path : m_snapshots) {
        m_model->addItem(snapshotName(path), path);
        m_model->setItemData(m_model->count() - 1, path, Qt::ToolTipRole);
    }
}

void ComparePage::chooseFile()
{
    auto* dialog = new QFileDialog(this, tr("Open B\u2019s model"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    const QString from = session().changes().model.isEmpty()
                             ? QString::fromStdString(session().model().name)
                             : session().changes().model;
    if (QFileInfo(from).exists())
        dialog->setDirectory(QFileInfo(from).absolutePath());
    dialog->setNameFilters({tr("Models (*.gguf *.safetensors)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &ComparePage::chooseModel);
    dialog->open();
}

/// Both fields are one step.
void ComparePage::chooseTexts()
{
    m_pause.stop();
    const auto choice = [](const QLineEdit& field, const QString& ofA) {
        const QString text = field.text();
        return text.isEmpty() || text == ofA ? std::nullopt : std::optional(text);
    };
    Changes changes = session().changes();
    changes.text = choice(*m_sentence, session().text());
    changes.target = session().readsTarget() ? choice(*m_target, session().target()) : std::nullopt;
    session().setChanges(changes, changes.text == session().changes().text ? tr("target of B")
                                                                           : tr("sentence of B"));
}

void ComparePage::chooseModel(const QString& name)
{
    Changes changes = session().changes();
    changes.model = name;
    session().setChanges(changes, tr("model of B"));
}

void ComparePage::refreshChoices()
{
    const Changes& changes = session().changes();
    const std::pair<QLineEdit*, QString> fields[] = {
        {m_sentence, changes.text.value_or(QString())},
        {m_target, changes.target.value_or(QString())}};
    for (const auto& [field, text] : fields) {
        const bool typing = field->hasFocus() && m_pause.isActive();
        if (!typing && field->text() != text)
            field->setText(text);
    }
    m_target->setVisible(session().readsTarget());
    m_targetTitle->setVisible(session().readsTarget());
    refreshModels();
    if (!m_model->lineEdit()->hasFocus()) {
        const int known = m_model->findData(changes.model);
        m_model->setEditText(known >= 0 ? m_model->itemText(known) : changes.model);
    }
}

} // namespace headscope::ui
