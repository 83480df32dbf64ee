// How the form of a new run is laid out.
#include "ui/pages/shared/runs/run_form_content.h"
#include "ui/pages/runs/run_form_page.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/charts/line_chart_widget.h"
#include "ui/widgets/controls/setting_row.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QShowEvent>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kSideWidth = 352;
constexpr int kPauseMs = 400;
constexpr int kStartHeight = 40;

TextLabel* words(Tone tone, QWidget* parent, TextRole role = TextRole::Body)
{
    auto* label = new TextLabel({}, role, tone, parent);
    label->setWordWrap(true);
    return label;
}

/// The first task that can be trained at once.
const CatalogueTask& firstTask()
{
    return taskCatalogue().front();
}

} // namespace

RunFormPage::RunFormPage(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_draft(session.undoStack())
    , m_meter(session.registry())
    , m_start(new QPushButton(tr("&Start"), this))
    , m_name(new QLineEdit(this))
    , m_tasks(new ChoiceBox(this))
    , m_textFile(new QPushButton(tr("Your own &text\u2026"), this))
    , m_open(new QPushButton(tr("&Open a configuration\u2026"), this))
    , m_save(new QPushButton(tr("Save &as\u2026"), this))
    , m_problem(words(Tone::Error, this))
    , m_search(new QLineEdit(this))
    , m_found(new TextLabel({}, TextRole::Body, Tone::Text3, this))
    , m_all(new QPushButton(this))
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    setAcceptDrops(true);
    auto* left = new QVBoxLayout;
    left->setSpacing(12);
    left->addLayout(makeTask());
    left->addWidget(m_problem);
    left->addWidget(makeSettings(), 1);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(32);
    columns->addLayout(left, 1);
    columns->addWidget(makeSide());
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(24, 16, 24, 16);
    page->setSpacing(12);
    page->addLayout(makeTop());
    page->addLayout(columns, 1);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connectMeter();
    connect(&m_draft, &RunDraft::changed, this, &RunFormPage::takeDraft);
    m_draft.begin(firstTask().config, QString::fromStdString(firstTask().name));
}

RunFormPage::~RunFormPage() = default;

QLayout* RunFormPage::makeTop()
{
    m_start->setProperty("role", "primary");
    m_start->setFixedHeight(kStartHeight);
    m_start->setMinimumWidth(104);
    m_name->setAccessibleName(tr("Name of the run"));
    m_name->setToolTip(tr("Of its folder; a number is added where there is one already"));
    m_name->setFixedWidth(200);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_start);
    row->addSpacing(12);
    row->addWidget(new TextLabel(tr("New run"), TextRole::Title, Tone::Text, this));
    row->addSpacing(12);
    row->addWidget(caption(tr("Name"), this));
    row->addWidget(m_name);
    row->addStretch(1);
    row->addWidget(m_open);
    row->addWidget(m_save);
    connect(m_start, &QPushButton::clicked, this, &RunFormPage::start);
    connect(m_name, &QLineEdit::textChanged, this, &RunFormPage::refreshStart);
    connect(m_open, &QPushButton::clicked, this, &RunFormPage::openConfigFile);
    connect(m_save, &QPushButton::clicked, this, &RunFormPage::saveConfigFile);
    return row;
}

QLayout* RunFormPage::makeTask()
{
    m_tasks->setPurpose(tr("Task"));
    for (const CatalogueTask& task : taskCatalogue())
        m_tasks->addItem(QString::fromStdString(task.title), QString::fromStdString(task.name));
    m_search->setPlaceholderText(tr("Search the settings"));
    m_search->setAccessibleName(tr("Search the settings"));
    m_search->setClearButtonEnabled(true);
    m_all->setCheckable(true);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_tasks);
    row->addWidget(m_textFile);
    row->addSpacing(12);
    row->addWidget(m_search, 1);
    row->addWidget(m_found);
    row->addWidget(m_all);
    connect(m_tasks, &QComboBox::activated, this,
            [this](int index) { chooseTask(m_tasks->itemData(index).toString()); });
    connect(m_textFile, &QPushButton::clicked, this, &RunFormPage::chooseTextFile);
    connect(m_search, &QLineEdit::textChanged, this, &RunFormPage::refreshShown);
    connect(m_all, &QPushButton::clicked, this, [this] {
        m_showsAll = !m_showsAll;
        refreshShown();
    });
    return row;
}

QWidget* RunFormPage::makeSettings()
{
    auto* content = new QWidget;
    content->setProperty("role", "page");
    m_rows = new QVBoxLayout(content);
    m_rows->setContentsMargins(0, 0, 12, 0);
    m_rows->setSpacing(0);
    auto* area = new QScrollArea(this);
    area->setProperty("role", "page");
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(content);
    return area;
}

QWidget* RunFormPage::makeSide()
{
    auto* side = new QWidget(this);
    side->setFixedWidth(kSideWidth);
    m_title = heading({}, side);
    m_description = words(Tone::Text, side);
    m_lookFor = words(Tone::Text2, side);
    m_baseline = words(Tone::Text2, side);
    m_measure = new QPushButton(side);
    m_measure->setProperty("role", "link");
    m_parameters = new TextLabel({}, TextRole::Figure, Tone::Accent, side);
    m_memory = words(Tone::Text2, side);
    m_time = new TextLabel({}, TextRole::Title, Tone::Text, side);
    m_timeWords = words(Tone::Text3, side);
    m_schedule = new LineChart(tr("Learning rate by step"), side);
    m_schedule->setMinimumHeight(160);
    auto* baseline = new QHBoxLayout;
    baseline->setSpacing(8);
    baseline->addWidget(m_baseline, 1);
    baseline->addWidget(m_measure);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_description);
    column->addWidget(m_lookFor);
    column->addLayout(baseline);
    column->addWidget(new Hairline(Qt::Horizontal, side));
    column->addWidget(caption(tr("Parameters"), side));
    column->addWidget(m_parameters);
    column->addWidget(m_memory);
    column->addWidget(caption(tr("Time for all steps"), side));
    column->addWidget(m_time);
    column->addWidget(m_timeWords);
    column->addWidget(new Hairline(Qt::Horizontal, side));
    column->addWidget(m_schedule, 1);
    return side;
}

void RunFormPage::connectMeter()
{
    connect(&m_pause, &QTimer::timeout, this, [this] {
        if (isVisible())
            m_meter.measure(m_draft.config(), session().device().toStdString());
    });
    connect(&m_meter, &RunMeter::measured, this, [this](const RunEstimate& estimate) {
        const auto baseline = m_estimate.baseline;
        m_estimate = estimate;
        if (!m_estimate.baseline)
            m_estimate.baseline = baseline;
        refreshEstimate();
        refreshStart();
    });
    connect(m_measure, &QPushButton::clicked, this, [this] {
        m_isMeasuring = !m_isMeasuring;
        if (m_isMeasuring)
            m_meter.measureBaseline(m_draft.config());
        else
            m_meter.cancelBaseline();
        refreshEstimate();
    });
    connect(&m_meter, &RunMeter::said, this, [this](const QString& sentence) {
        if (m_isMeasuring)
            m_baseline->setText(sentence);
    });
    connect(&m_meter, &RunMeter::baselineMeasured, this, [this](const TaskBaseline& baseline) {
        if (m_isMeasuring)
            m_estimate.baseline = baseline;
        m_isMeasuring = false;
        refreshEstimate();
    });
    connect(&m_meter, &RunMeter::baselineFailed, this, [this](const QString& sentence) {
        m_isMeasuring = false;
        refreshEstimate();
        if (!sentence.isEmpty())
            m_baseline->setText(sentence);
    });
}

/// Rows are made when the page is first looked at: the window is there sooner.
void RunFormPage::showEvent(QShowEvent* event)
{
    if (m_groups.empty())
        makeRows();
    if (!m_estimate.isComplete && m_draft.isValid())
        m_pause.start();
    Page::showEvent(event);
}

void RunFormPage::makeRows()
{
    for (int group = 0; group <= static_cast<int>(RunField::Group::Reports); ++group)
        addGroup(static_cast<RunField::Group>(group));
    m_rows->addStretch(1);
    refreshRows();
}

void RunFormPage::addGroup(RunField::Group group)
{
    GroupRows rows;
    rows.title = heading(groupTitle(group), m_rows->parentWidget());
    rows.title->setContentsMargins(0, 12, 0, 4);
    m_rows->addWidget(rows.title);
    for (const RunField& field : runFields()) {
        if (field.group != group)
            continue;
        const QStringList choices =
            field.kind == RunField::Kind::Switch ? QStringList{"true", "false"} : field.choices;
        auto* row = new SettingRow(field.label, field.help, choices, m_rows->parentWidget());
        row->setToolTip(field.key);
        connect(row, &SettingRow::edited, this,
                [this, &field](const QString& text) { m_draft.set(field.key, text); });
        m_rows->addWidget(row);
        rows.rows.emplace_back(&field, row);
    }
    m_groups.push_back(std::move(rows));
}

SettingRow* RunFormPage::row(const QString& key) const
{
    for (const GroupRows& group : m_groups)
        for (const auto& [field, row] : group.rows)
            if (field->key == key)
                return row;
    return nullptr;
}

} // namespace headscope::ui
