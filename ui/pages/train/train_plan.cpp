#include "ui/pages/train/train_plan.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/labels.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <limits>

namespace headscope::ui {

namespace {

constexpr int kHeight = 40;

QSpinBox* numberField(const QString& name, int low, QWidget* parent)
{
    auto* field = new QSpinBox(parent);
    field->setRange(low, std::numeric_limits<int>::max());
    field->setAccessibleName(name);
    field->setMinimumWidth(96);
    return field;
}

} // namespace

TrainPlan::TrainPlan(QWidget* parent)
    : QWidget(parent)
    , m_task(new ChoiceBox(this))
    , m_seed(numberField(tr("Seed"), 0, this))
    , m_steps(numberField(tr("Steps"), 1, this))
    , m_text(new QPushButton(tr("Choose a text\u2026"), this))
    , m_start(new QPushButton(tr("Start"), this))
    , m_cancel(new QPushButton(tr("Back to the run"), this))
{
    m_task->setPurpose(tr("Task"));
    for (const CatalogueTask& task : taskCatalogue())
        m_task->addItem(QString::fromStdString(task.title), QString::fromStdString(task.name));
    m_start->setProperty("role", "primary");
    m_start->setMinimumWidth(104);
    m_start->setFixedHeight(kHeight);
    auto* row = rowOf(8,
                      {m_start, Placed::gap(12),
                       new TextLabel(tr("New run"), TextRole::Title, TextLabel::Tone::Text, this),
                       Placed::gap(12), m_task, m_text, Placed::gap(12), caption(tr("Steps"), this),
                       m_steps, Placed::gap(4), caption(tr("Seed"), this), m_seed, Placed::gap(4)},
                      this);
    auto* settings = new QPushButton(tr("All settings\u2026"), this);
    row->addWidget(settings);
    row->addStretch(1);
    row->addWidget(m_cancel);
    connect(m_task, &QComboBox::currentIndexChanged, this, &TrainPlan::adoptTask);
    connect(m_steps, &QSpinBox::valueChanged, this, &TrainPlan::changed);
    connect(m_seed, &QSpinBox::valueChanged, this, &TrainPlan::changed);
    connect(m_text, &QPushButton::clicked, this, &TrainPlan::chooseText);
    connect(m_start, &QPushButton::clicked, this, &TrainPlan::startWanted);
    connect(settings, &QPushButton::clicked, this, &TrainPlan::settingsWanted);
    connect(m_cancel, &QPushButton::clicked, this, &TrainPlan::cancelled);
    adoptTask();
}

const CatalogueTask& TrainPlan::task() const
{
    const auto tasks = taskCatalogue();
    const auto last = static_cast<int>(tasks.size()) - 1;
    return tasks[static_cast<std::size_t>(std::clamp(m_task->currentIndex(), 0, last))];
}

void TrainPlan::chooseTask(const QString& name)
{
    const int index = m_task->findData(name);
    if (index >= 0)
        m_task->setCurrentIndex(index);
}

void TrainPlan::setCancellable(bool on)
{
    m_cancel->setVisible(on);
}

void TrainPlan::adoptTask()
{
    const CatalogueTask& chosen = task();
    {
        const QSignalBlocker steps(m_steps);
        const QSignalBlocker seed(m_seed);
        m_steps->setValue(static_cast<int>(chosen.config.steps));
        m_seed->setValue(static_cast<int>(chosen.config.seed));
    }
    m_task->setToolTip(QString::fromStdString(chosen.description));
    m_text->setVisible(chosen.needsText);
    m_start->setEnabled(!chosen.needsText || !m_textPath.empty());
    m_start->setToolTip(m_start->isEnabled() ? tr("Train (F5)") : tr("Choose a text first"));
    emit changed();
}

/// Non-modal dialog, so that the window never waits for it.
void TrainPlan::chooseText()
{
    auto* dialog = new QFileDialog(this, tr("Choose a training text"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        m_textPath = path.toStdString();
        m_text->setText(QFileInfo(path).fileName());
        adoptTask();
    });
    dialog->open();
}

TrainingConfig TrainPlan::config() const
{
    TrainingConfig config = task().config;
    // A schedule that ends with the run keeps ending with it.
    if (config.schedule.totalSteps == config.steps)
        config.schedule.totalSteps = m_steps->value();
    config.steps = m_steps->value();
    config.seed = static_cast<std::uint64_t>(m_seed->value());
    if (task().needsText)
        config.data.text = m_textPath;
    return config;
}

QString TrainPlan::name() const
{
    return QString::fromStdString(task().name);
}

RunText TrainPlan::probe() const
{
    RunText text;
    text.text = task().probe;
    text.target = task().probeTarget;
    return text;
}

} // namespace headscope::ui
