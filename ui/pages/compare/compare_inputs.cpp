#include "ui/pages/compare/compare_inputs.h"

#include "ui/session/session.h"
#include "ui/widgets/controls/choice_box.h"
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

constexpr int kPauseMs = 300; // typing B's sentence is one step until the hand rests

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

} // namespace

CompareInputs::CompareInputs(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_sentence(new QLineEdit(this))
    , m_targetTitle(heading(tr("and writes"), this))
    , m_target(new QLineEdit(this))
    , m_model(new ChoiceBox(this))
    , m_file(new QPushButton(tr("Open a file\u2026"), this))
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    setUpFields();
    setUpModel();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    row->addWidget(heading(tr("B reads"), this));
    row->addWidget(m_sentence, 1);
    row->addWidget(m_targetTitle);
    row->addWidget(m_target, 1);
    row->addSpacing(12);
    row->addWidget(heading(tr("with"), this));
    row->addWidget(m_model);
    row->addWidget(m_file);
    setModelNames({});
    connectFields();
    connectModel();
}

void CompareInputs::setUpFields()
{
    m_sentence->setAccessibleName(tr("Sentence of B"));
    m_sentence->setPlaceholderText(tr("the same sentence"));
    m_sentence->setClearButtonEnabled(true);
    m_target->setAccessibleName(tr("Target of B"));
    m_target->setPlaceholderText(tr("the same target"));
    m_target->setClearButtonEnabled(true);
}

void CompareInputs::setUpModel()
{
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
}

void CompareInputs::connectFields()
{
    for (QLineEdit* field : {m_sentence, m_target}) {
        connect(field, &QLineEdit::textEdited, this, [this] { m_pause.start(); });
        connect(field, &QLineEdit::editingFinished, this, &CompareInputs::chooseTexts);
    }
    connect(&m_pause, &QTimer::timeout, this, &CompareInputs::chooseTexts);
}

void CompareInputs::connectModel()
{
    connect(m_model, &QComboBox::activated, this,
            [this](int index) { chooseModel(m_model->itemData(index).toString()); });
    connect(m_model->lineEdit(), &QLineEdit::returnPressed, this, [this] {
        const QString name = m_model->currentText().trimmed();
        const int known = m_model->findText(name);
        chooseModel(known >= 0 ? m_model->itemData(known).toString() : name);
    });
    connect(m_file, &QPushButton::clicked, this, &CompareInputs::chooseFile);
}

void CompareInputs::disconnectFields()
{
    for (QLineEdit* field : {m_sentence, m_target})
        field->disconnect(this);
}

void CompareInputs::setModelNames(const QStringList& names)
{
    m_names = names;
    m_snapshots.clear();
    m_model->clear();
    refreshModels();
}

/// Of the training runs that A's and B's models lie in.
QStringList CompareInputs::snapshots() const
{
    QStringList paths = snapshotsBeside(QString::fromStdString(m_session.model().name));
    for (const QString& path : snapshotsBeside(m_session.changes().model))
        if (!paths.contains(path))
            paths << path;
    return paths;
}

/// "step 400 of dates-run".
QString CompareInputs::snapshotName(const QString& path)
{
    const QFileInfo file(path);
    QDir folder = file.absoluteDir();
    if (folder.dirName() == QLatin1String("checkpoints"))
        folder.cdUp();
    return tr("step %1 of %2").arg(stepOf(file.fileName())).arg(folder.dirName());
}

/// Built-in models, then snapshots.
void CompareInputs::refreshModels()
{
    const QStringList found = snapshots();
    if (m_model->count() > 0 && found == m_snapshots)
        return;
    m_snapshots = found;
    m_model->clear();
    m_model->addItem(tr("the same model"), QString());
    for (const QString& name : m_names)
        m_model->addItem(name, name);
    for (const QString& path : m_snapshots) {
        m_model->addItem(snapshotName(path), path);
        m_model->setItemData(m_model->count() - 1, path, Qt::ToolTipRole);
    }
}

void CompareInputs::chooseFile()
{
    auto* dialog = new QFileDialog(this, tr("Open B\u2019s model"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    const QString from = m_session.changes().model.isEmpty()
                             ? QString::fromStdString(m_session.model().name)
                             : m_session.changes().model;
    if (QFileInfo(from).exists())
        dialog->setDirectory(QFileInfo(from).absolutePath());
    dialog->setNameFilters({tr("Models (*.gguf *.safetensors)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &CompareInputs::chooseModel);
    dialog->open();
}

/// Both fields are one step.
void CompareInputs::chooseTexts()
{
    m_pause.stop();
    const auto choice = [](const QLineEdit& field, const QString& ofA) {
        const QString text = field.text();
        return text.isEmpty() || text == ofA ? std::nullopt : std::optional(text);
    };
    Changes changes = m_session.changes();
    changes.text = choice(*m_sentence, m_session.text());
    changes.target = m_session.readsTarget() ? choice(*m_target, m_session.target()) : std::nullopt;
    m_session.setChanges(changes, changes.text == m_session.changes().text ? tr("target of B")
                                                                           : tr("sentence of B"));
}

void CompareInputs::chooseModel(const QString& name)
{
    Changes changes = m_session.changes();
    changes.model = name;
    m_session.setChanges(changes, tr("model of B"));
}

void CompareInputs::refresh()
{
    refreshFields();
    refreshModels();
    if (!m_model->lineEdit()->hasFocus()) {
        const QString& model = m_session.changes().model;
        const int known = m_model->findData(model);
        m_model->setEditText(known >= 0 ? m_model->itemText(known) : model);
    }
}

void CompareInputs::refreshFields()
{
    const Changes& changes = m_session.changes();
    const std::pair<QLineEdit*, QString> fields[] = {
        {m_sentence, changes.text.value_or(QString())},
        {m_target, changes.target.value_or(QString())}};
    for (const auto& [field, text] : fields) {
        const bool typing = field->hasFocus() && m_pause.isActive();
        if (!typing && field->text() != text)
            field->setText(text);
    }
    m_target->setVisible(m_session.readsTarget());
    m_targetTitle->setVisible(m_session.readsTarget());
}

} // namespace headscope::ui
