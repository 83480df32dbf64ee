// A run that is about to be started: what happens. How it is laid out stands in
// run_form_view_layout.cpp.
#include "ui/pages/runs/run_form_page.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "ui/pages/shared/runs/run_form_content.h"
#include "ui/widgets/charts/line_chart_paint.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/charts/line_chart_widget.h"
#include "ui/widgets/controls/setting_row.h"
#include "ui/workers/error_sentence.h"

#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr QSizeF kFigureSize{720.0, 320.0};

/// A folder's name that works everywhere.
bool isFolderName(const QString& name)
{
    return !name.isEmpty() && !name.startsWith(QLatin1Char('.')) &&
           !name.contains(QLatin1Char('/')) && !name.contains(QLatin1Char('\\')) &&
           name.toUtf8().size() < 200;
}

} // namespace

const CatalogueTask* RunFormPage::task() const
{
    return taskOf(m_draft.config());
}

void RunFormPage::attempt(const std::function<void()>& action)
{
    try {
        m_fileProblem.clear();
        action();
    } catch (const std::exception& error) {
        m_fileProblem = errorSentence(error);
    }
    refreshStart();
}

void RunFormPage::chooseTask(const QString& name)
{
    for (const CatalogueTask& task : taskCatalogue()) {
        if (QString::fromStdString(task.name) != name)
            continue;
        m_fileProblem.clear();
        if (task.needsText && m_draft.config().data.text.empty())
            return chooseTextFile();
        m_draft.adopt(task.config, name);
    }
}

void RunFormPage::useText(const QString& path)
{
    for (const CatalogueTask& task : taskCatalogue()) {
        if (!task.needsText)
            continue;
        TrainingConfig config = task.config;
        config.data.text = path.toStdString();
        attempt([&] { m_draft.adopt(config, QFileInfo(path).completeBaseName()); });
    }
}

void RunFormPage::useConfig(const QString& path)
{
    attempt([&] { m_draft.load(path); });
}

void RunFormPage::chooseTextFile()
{
    auto* dialog = new QFileDialog(this, tr("A text to learn from"));
    dialog->setObjectName("chooseText");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &RunFormPage::useText);
    connect(dialog, &QFileDialog::rejected, this, &RunFormPage::refreshTask);
    dialog->open();
}

void RunFormPage::openConfigFile()
{
    auto* dialog = new QFileDialog(this, tr("Open a training configuration"));
    dialog->setObjectName("openConfig");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(tr("Training configurations (*.json)"));
    connect(dialog, &QFileDialog::fileSelected, this, &RunFormPage::useConfig);
    dialog->open();
}

void RunFormPage::saveConfigFile()
{
    auto* dialog = new QFileDialog(this, tr("Save the training configuration"));
    dialog->setObjectName("saveConfig");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Training configurations (*.json)"));
    dialog->setDefaultSuffix("json");
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        attempt([&] {
            m_draft.save(path);
            emit messageWanted(
                tr("The configuration is in %1. \u201Cheadscope train\u201D "
                   "takes it.")
                    .arg(path));
        });
    });
    dialog->open();
}

void RunFormPage::dragEnterEvent(QDragEnterEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void RunFormPage::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    const QString path = event->mimeData()->urls().value(0).toLocalFile();
    if (path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive))
        useConfig(path);
    else
        useText(path);
}

// ------------------------------------------------------------------------------------- the draft

void RunFormPage::takeDraft()
{
    m_estimate = {};
    if (m_draft.isValid())
        m_pause.start();
    else
        m_pause.stop();
    m_isMeasuring = false;
    m_meter.cancelBaseline();
    note(Change::Display);
}

void RunFormPage::refresh(ChangeSet)
{
    refreshRows();
    refreshTask();
    refreshEstimate();
    refreshStart();
}

void RunFormPage::refreshRows()
{
    for (const GroupRows& group : m_groups)
        for (const auto& [field, row] : group.rows)
            row->show(m_draft.text(field->key), m_draft.isGiven(field->key),
                      m_draft.errorKey() == field->key ? m_draft.error() : QString());
    refreshShown();
    m_schedule->setContent(scheduleChart(m_draft.config()));
}

/// A setting with an error is always shown.
void RunFormPage::refreshShown()
{
    const QString words = m_search->text().trimmed();
    const auto found = fieldsMatching(words);
    const bool all = m_showsAll || !words.isEmpty();
    qsizetype shown = 0;
    for (const GroupRows& group : m_groups) {
        bool any = false;
        for (const auto& [field, row] : group.rows) {
            const bool matches = std::find(found.begin(), found.end(), field) != found.end();
            const bool visible =
                (matches && (all || field->isSimple)) || m_draft.errorKey() == field->key;
            row->setVisible(visible);
            any = any || visible;
            shown += visible ? 1 : 0;
        }
        group.title->setVisible(any);
    }
    const auto every = static_cast<qsizetype>(runFields().size());
    m_all->setText(m_showsAll ? tr("Fewer settings") : tr("All %1 settings").arg(every));
    if (words.isEmpty()) {
        m_found->setText({});
        return;
    }
    std::vector<std::string> keys;
    for (const RunField& field : runFields())
        keys.push_back(field.key.section(QLatin1Char('.'), -1).toStdString());
    const QString near = QString::fromStdString(nearestName(words.toStdString(), keys));
    m_found->setText(shown > 0        ? tr("%1 of %2").arg(shown).arg(every)
                     : near.isEmpty() ? tr("No setting is called like this.")
                                      : tr("No setting is called like this. Did you mean "
                                           "\u201C%1\u201D?")
                                            .arg(near));
}

void RunFormPage::refreshTask()
{
    const CatalogueTask* known = task();
    const bool isConfigured =
        m_draft.config().data.task != TrainingTask::None || !m_draft.config().data.text.empty();
    m_tasks->setCurrentIndex(
        known && isConfigured ? m_tasks->findData(QString::fromStdString(known->name)) : -1);
    if (m_name->placeholderText() != m_draft.name())
        m_name->setPlaceholderText(m_draft.name());
    const QString text = QString::fromStdString(m_draft.config().data.text);
    m_title->setText(!text.isEmpty() ? QFileInfo(text).fileName()
                     : known         ? QString::fromStdString(known->title)
                                     : tr("A configuration of your own"));
    m_description->setText(known ? QString::fromStdString(known->description) : QString());
    m_lookFor->setText(known ? QString::fromStdString(known->lookFor) : QString());
    for (TextLabel* label : {m_description, m_lookFor})
        label->setVisible(!label->text().isEmpty());
}

QString RunFormPage::problem() const
{
    if (!m_draft.isValid())
        return m_draft.error();
    if (m_estimate.isHopeless)
        return m_estimate.problem;
    if (!isFolderName(runName()))
        return tr("The name is for a folder: leave out slashes and a dot in front.");
    return {};
}

QString RunFormPage::runName() const
{
    return m_name->text().trimmed().isEmpty() ? m_draft.name() : m_name->text().trimmed();
}

void RunFormPage::refreshEstimate()
{
    const bool isKnown = m_estimate.parameters > 0 && m_draft.isValid();
    m_parameters->setText(isKnown ? count(m_estimate.parameters) : QStringLiteral("\u2013"));
    m_memory->setText(isKnown
                          ? tr("%1 of memory, and activations").arg(memoryWords(m_estimate.bytes))
                          : QString());
    const double seconds = m_estimate.secondsPerStep * static_cast<double>(m_draft.config().steps);
    m_time->setText(isKnown && m_estimate.secondsPerStep > 0.0 ? timeWords(seconds)
                                                               : QStringLiteral("\u2013"));
    m_timeWords->setText(m_draft.isValid() ? estimateWords(m_draft.config(), m_estimate)
                                           : tr("Mend the setting first."));
    if (m_estimate.baseline)
        m_baseline->setText(baselineWords(*m_estimate.baseline));
    else if (!m_isMeasuring)
        m_baseline->setText(isQuicklyPrepared(m_draft.config())
                                ? QString()
                                : tr("Statistics of three tokens: not measured yet."));
    m_measure->setVisible(!isQuicklyPrepared(m_draft.config()) && m_draft.isValid());
    m_measure->setText(m_isMeasuring ? tr("Cancel") : tr("Measure it"));
}

void RunFormPage::refreshStart()
{
    const QString shown = m_fileProblem.isEmpty() ? problem() : m_fileProblem;
    const bool isBesideField = m_fileProblem.isEmpty() && row(m_draft.errorKey());
    m_problem->setText(shown);
    m_problem->setVisible(!shown.isEmpty() && !isBesideField);
    m_start->setEnabled(canStart());
    m_start->setToolTip(canStart() ? tr("Train it, in a folder of its own (Ctrl+Enter)") : shown);
    m_save->setEnabled(m_draft.isValid());
}

bool RunFormPage::canStart() const
{
    return problem().isEmpty() && !m_draft.name().isEmpty();
}

void RunFormPage::start()
{
    if (!canStart())
        return;
    RunText probe;
    if (const CatalogueTask* known = task()) {
        probe.text = known->probe;
        probe.target = known->probeTarget;
    }
    emit startWanted(m_draft.config(), runName(), probe);
}

// --------------------------------------------------------------------------------------- as a page

bool RunFormPage::escape()
{
    if (m_search->text().isEmpty())
        return false;
    m_search->clear();
    return true;
}

void RunFormPage::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && event->modifiers() == Qt::ControlModifier)
        return start();
    if (event->key() != Qt::Key_Escape || !escape())
        Page::keyPressEvent(event);
}

Figure RunFormPage::figure() const
{
    const LineChartContent content = scheduleChart(m_draft.config());
    Figure figure;
    figure.title = tr("Schedule of the learning rate");
    figure.subtitle = m_draft.name();
    figure.caption = tr("The learning rate of every step of the run, %1.").arg(content.note);
    figure.size = [](const Theme& theme) { return kFigureSize * theme.scale(); };
    figure.paint = [content](QPainter& painter, const QRectF& area, const Theme& theme,
                             const FigureTarget&) {
        paintLineChart(painter, LineChartLayout(area, content, theme), content, theme);
    };
    NumberTable table;
    table.name = QStringLiteral("schedule");
    table.columns = QStringList{QStringLiteral("lr")};
    std::vector<float> values;
    for (const QPointF& point : content.curves.front().points) {
        table.rows << QString::number(static_cast<long long>(point.x()));
        values.push_back(static_cast<float>(point.y()));
    }
    table.values = HeatmapMatrix::copyOf(std::move(values), static_cast<int>(table.rows.size()), 1);
    figure.numbers.push_back(std::move(table));
    return figure;
}

void RunFormPage::focusMain()
{
    m_tasks->setFocus(Qt::OtherFocusReason);
}

QJsonObject RunFormPage::options() const
{
    return {{"all", m_showsAll}};
}

void RunFormPage::setOptions(const QJsonObject& options)
{
    m_showsAll = options["all"].toBool();
    note(Change::Display);
}

QString RunFormPage::hint() const
{
    return tr("Tab to the next setting \u00B7 an empty field takes the default \u00B7 Ctrl+Z "
              "undoes \u00B7 Ctrl+Enter starts");
}

QString RunFormPage::noNumberWords() const
{
    return tr("Nothing has been computed here yet: start the run first.");
}

} // namespace headscope::ui
