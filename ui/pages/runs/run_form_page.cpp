#include "ui/pages/runs/run_form_page.h"

#include "core/experiments/task_catalogue.h"
#include "ui/pages/runs/draft_files.h"
#include "ui/pages/runs/run_preview.h"
#include "ui/pages/runs/setting_rows.h"
#include "ui/pages/runs/settings_search.h"
#include "ui/pages/shared/figures/number_rows.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/pages/shared/runs/run_form_content.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/charts/lines/line_chart_plot.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/labels.h"

#include <QDropEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QShowEvent>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr QSizeF kFigureSize{720.0, 320.0};
constexpr int kStartHeight = 40;

/// Folder name that is valid on all platforms.
bool isFolderName(const QString& name)
{
    return !name.isEmpty() && !name.startsWith(QLatin1Char('.')) &&
           !name.contains(QLatin1Char('/')) && !name.contains(QLatin1Char('\\')) &&
           name.toUtf8().size() < 200;
}

/// First task that needs no further input.
const CatalogueTask& firstTask()
{
    return taskCatalogue().front();
}

} // namespace

RunFormPage::RunFormPage(Session& session)
    : Page(session)
    , m_draft(session.document().undoStack(), this)
    , m_estimator(m_draft, session, *this)
    , m_files(new DraftFiles(m_draft, this))
    , m_start(new QPushButton(tr("&Start"), this))
    , m_name(new QLineEdit(this))
    , m_tasks(new ChoiceBox(this))
    , m_textFile(new QPushButton(tr("Your own &text\u2026"), this))
    , m_open(new QPushButton(tr("&Open configuration\u2026"), this))
    , m_save(new QPushButton(tr("Save &as\u2026"), this))
    , m_problem(paragraph({}, TextRole::Body, Tone::Error, this))
    , m_search(new SettingsSearch(this))
    , m_rows(new SettingRows(m_draft, this))
    , m_preview(new RunPreview(m_draft, m_estimator, this))
{
    setAcceptDrops(true);
    m_problem->setObjectName("problem");
    auto* left = columnOf(12, {makeTask(), m_problem, {m_rows, 1}});
    auto* columns = rowOf(32, {{left, 1}, m_preview});
    new PageFrame(*this, {makeTop(), {columns, 1}}, 12);
    connectParts();
    m_draft.begin(firstTask().config, QString::fromStdString(firstTask().name));
    setMainWidget(*m_tasks);
}

RunFormPage::~RunFormPage() = default;

QLayout* RunFormPage::makeTop()
{
    m_start->setObjectName("startRun");
    m_start->setProperty("role", "primary");
    m_start->setFixedHeight(kStartHeight);
    m_start->setMinimumWidth(104);
    m_name->setAccessibleName(tr("Name of the run"));
    m_name->setToolTip(tr("Name of the run's folder; a number is added if it exists"));
    m_name->setFixedWidth(200);
    return rowOf(12,
                 {m_start, Placed::gap(12),
                  new TextLabel(tr("New run"), TextRole::Title, Tone::Text, this), Placed::gap(12),
                  caption(tr("Name"), this), m_name, Placed::space(), m_open, m_save});
}

QLayout* RunFormPage::makeTask()
{
    m_tasks->setObjectName("tasks");
    m_tasks->setPurpose(tr("Task"));
    for (const CatalogueTask& task : taskCatalogue())
        m_tasks->addItem(QString::fromStdString(task.title), QString::fromStdString(task.name));
    return rowOf(12, {m_tasks, m_textFile, Placed::gap(12), {m_search, 1}});
}

void RunFormPage::connectParts()
{
    connect(m_start, &QPushButton::clicked, this, &RunFormPage::start);
    connect(m_name, &QLineEdit::textChanged, this, &RunFormPage::refreshStart);
    connect(m_tasks, &QComboBox::activated, this,
            [this](int index) { chooseTask(m_tasks->itemData(index).toString()); });
    connect(m_textFile, &QPushButton::clicked, m_files, &DraftFiles::chooseText);
    connect(m_open, &QPushButton::clicked, m_files, &DraftFiles::openConfig);
    connect(m_save, &QPushButton::clicked, m_files, &DraftFiles::saveConfig);
    connect(m_search, &SettingsSearch::changed, this, &RunFormPage::refreshShown);
    connect(m_files, &DraftFiles::tried, this, &RunFormPage::refreshStart);
    connect(m_files, &DraftFiles::noTextChosen, this, &RunFormPage::refreshTask);
    connect(m_files, &DraftFiles::saved, this, [this](const QString& path) {
        emit messageWanted(tr("Configuration saved to %1. It can be passed to \u201Cheadscope "
                              "train\u201D.")
                               .arg(path));
    });
    connect(&m_estimator, &RunEstimator::changed, this, &RunFormPage::refreshStart);
    connect(&m_draft, &RunDraft::changed, this, &RunFormPage::takeDraft);
}

SettingRow* RunFormPage::row(const QString& key) const
{
    return m_rows->row(key);
}

void RunFormPage::chooseTask(const QString& name)
{
    for (const CatalogueTask& task : taskCatalogue()) {
        if (QString::fromStdString(task.name) != name)
            continue;
        m_files->forgetProblem();
        if (task.needsText && m_draft.config().data.text.empty())
            return m_files->chooseText();
        m_draft.adopt(task.config, name);
    }
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
    m_files->use(event->mimeData()->urls().value(0).toLocalFile());
}

void RunFormPage::takeDraft()
{
    m_estimator.restart();
    note(Change::Display);
}

/// Rows are created when the page is first shown, so that the window opens sooner.
void RunFormPage::showEvent(QShowEvent* event)
{
    if (m_rows->isEmpty()) {
        m_rows->make();
        refreshRows();
    }
    m_estimator.resume();
    Page::showEvent(event);
}

void RunFormPage::refresh(ChangeSet)
{
    refreshRows();
    refreshTask();
    m_preview->refreshEstimate();
    refreshStart();
}

void RunFormPage::refreshRows()
{
    m_rows->refresh();
    refreshShown();
    m_preview->refreshSchedule();
}

void RunFormPage::refreshShown()
{
    m_search->setShown(m_rows->showMatching(m_search->text(), m_search->showsAll()));
}

void RunFormPage::refreshTask()
{
    const TrainingConfig& config = m_draft.config();
    const CatalogueTask* known = taskOf(config);
    const bool isConfigured = config.data.task != TrainingTask::None || !config.data.text.empty();
    m_tasks->setCurrentIndex(
        known && isConfigured ? m_tasks->findData(QString::fromStdString(known->name)) : -1);
    if (m_name->placeholderText() != m_draft.name())
        m_name->setPlaceholderText(m_draft.name());
    m_preview->refreshTask();
}

QString RunFormPage::problem() const
{
    if (!m_draft.isValid())
        return m_draft.error();
    if (estimate().isHopeless)
        return estimate().problem;
    if (!isFolderName(runName()))
        return tr("The name is used for a folder. Remove slashes and any leading dot.");
    return {};
}

QString RunFormPage::runName() const
{
    return m_name->text().trimmed().isEmpty() ? m_draft.name() : m_name->text().trimmed();
}

void RunFormPage::refreshStart()
{
    const QString ofFile = m_files->problem();
    const QString shown = ofFile.isEmpty() ? problem() : ofFile;
    const bool isBesideField = ofFile.isEmpty() && row(m_draft.errorKey());
    m_problem->setText(shown);
    m_problem->setVisible(!shown.isEmpty() && !isBesideField);
    m_start->setEnabled(canStart());
    m_start->setToolTip(canStart() ? tr("Train in a new folder (Ctrl+Enter)") : shown);
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
    if (const CatalogueTask* known = taskOf(m_draft.config())) {
        probe.text = known->probe;
        probe.target = known->probeTarget;
    }
    emit startWanted(m_draft.config(), runName(), probe);
}

bool RunFormPage::escape()
{
    return m_search->clear();
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
    figure.title = tr("Learning rate schedule");
    figure.subtitle = m_draft.name();
    figure.caption = tr("The learning rate at every step of the run, %1.").arg(content.note);
    figure.size = [](const Theme& theme) { return kFigureSize * theme.scale(); };
    figure.paint = [content](QPainter& painter, const QRectF& area, const Theme& theme,
                             const FigureTarget&) {
        paintLineChart(painter, area, content, theme);
    };
    NumberRows rows;
    for (const QPointF& point : content.curves.front().points)
        rows.add(QString::number(static_cast<long long>(point.x())), {point.y()});
    figure.numbers.push_back(rows.table("schedule", {"lr"}));
    return figure;
}

QJsonObject RunFormPage::options() const
{
    return {{"all", m_search->showsAll()}};
}

void RunFormPage::setOptions(const QJsonObject& options)
{
    m_search->setShowsAll(options["all"].toBool());
    note(Change::Display);
}

QString RunFormPage::hint() const
{
    return tr("Tab to the next setting \u00B7 leave a field empty for the default \u00B7 Ctrl+Z "
              "undoes \u00B7 Ctrl+Enter starts");
}

QString RunFormPage::whyNoNumber() const
{
    return tr("No numbers to trace yet. Start the run first.");
}

PageDescriptor RunFormPage::descriptor()
{
    return {.name = "new-run",
            .title = tr("New run"),
            .question = tr("Which model will you train, on what, and how?"),
            .group = PageGroup::Runs,
            .icon = "<path d='M3 3v14h14M11.5 4v8M7.5 8h8'/>",
            .help = tr("Choose a task or your own text, and set every option. The estimate on "
                       "the right comes from timing a few steps on this machine."),
            .terms = {"learning rate", "schedule", "adamw"},
            .make = makePage<RunFormPage>};
}

} // namespace headscope::ui
