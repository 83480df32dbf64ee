#include "ui/pages/train/train_page.h"

#include "ui/session/runs/training.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/pages/train/train_bar.h"
#include "ui/pages/train/train_figure.h"
#include "ui/pages/train/train_plan.h"
#include "ui/pages/train/train_settings.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/style/colour_bar.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/charts/line_chart_widget.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/charts/timeline_widget.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace headscope::ui {

TrainPage::TrainPage(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_training(session.training())
    , m_message(new MessageBar(this))
    , m_bar(new TrainBar(this))
    , m_plan(new TrainPlan(this))
    , m_upperKind(new SegmentBar(this))
    , m_lowerKind(new SegmentBar(this))
    , m_score(new ChoiceBox(this))
    , m_logSteps(new QPushButton(tr("Log steps"), this))
    , m_logValues(new QPushButton(tr("Log values"), this))
    , m_play(new QPushButton(tr("Play"), this))
    , m_upper(new LineChart(tr("Loss and accuracy"), this))
    , m_lower(new LineChart(tr("Scores, gradients and learning rate"), this))
    , m_timeline(new TimelineWidget(this))
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(24);
    columns->addLayout(makeCharts(), 58);
    columns->addWidget(makeSide(), 42);
    auto* body = new QVBoxLayout;
    body->setContentsMargins(24, 16, 24, 12);
    body->setSpacing(12);
    body->addWidget(m_bar);
    body->addWidget(m_plan);
    body->addLayout(makeControls());
    body->addLayout(columns, 1);
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(0);
    page->addWidget(m_message);
    page->addLayout(body, 1);
    fillMenu(*m_bar->menu());
    connectRun();
    connectTime();
    refreshMessage();
}

TrainPage::~TrainPage() = default;

QLayout* TrainPage::makeControls()
{
    m_upperKind->setSegments({{tr("Loss"), tr("Training and validation loss")},
                              {tr("Accuracy"), tr("Share of held-out targets that are right")}});
    m_upperKind->setAccessibleName(tr("Upper chart"));
    m_lowerKind->setSegments({{tr("Head scores"), tr("What each head looks at")},
                              {tr("Gradient norm"), tr("Before clipping, whole and by layer")},
                              {tr("Learning rate"), tr("Used and planned")}});
    m_lowerKind->setAccessibleName(tr("Lower chart"));
    m_score->setPurpose(tr("Score"));
    for (QPushButton* toggle : {m_logSteps, m_logValues})
        toggle->setCheckable(true);
    m_score->setMinimumContentsLength(14);
    m_logSteps->setToolTip(tr("Steps on a logarithmic axis"));
    m_logValues->setToolTip(tr("Values on a logarithmic axis"));
    m_play->setToolTip(tr("Show the snapshots one after the other (Space on the timeline)"));
    m_play->setCheckable(true);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_upperKind);
    row->addWidget(m_lowerKind);
    row->addWidget(m_score);
    row->addWidget(m_logSteps);
    row->addWidget(m_logValues);
    row->addWidget(m_play);
    row->addStretch(1);
    return row;
}

QLayout* TrainPage::makeCharts()
{
    auto* charts = new QVBoxLayout;
    charts->setSpacing(4);
    charts->addWidget(m_upper, 1);
    charts->addWidget(m_lower, 1);
    charts->addWidget(m_timeline);
    return charts;
}

QWidget* TrainPage::makeSide()
{
    auto* side = new QWidget(this);
    m_attention = heading({}, side);
    m_attentionNote = caption({}, side);
    m_part = new SegmentBar(side);
    m_part->setAccessibleName(tr("Part of the model"));
    m_tiles = new HeadTiles(side);
    m_nothing = new TextLabel({}, TextRole::Lesson, TextLabel::Tone::Text2, side);
    m_nothing->setWordWrap(true);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_legend = new ColourBar(side);
    m_task = heading({}, side);
    m_taskText = new TextLabel({}, TextRole::Lesson, TextLabel::Tone::Text2, side);
    m_taskText->setWordWrap(true);
    m_facts = new TextLabel({}, TextRole::Body, TextLabel::Tone::Text3, side);
    m_facts->setWordWrap(true);
    m_settings = new TrainSettings(side);
    auto* title = new QHBoxLayout;
    title->setSpacing(12);
    title->addWidget(m_attention);
    title->addWidget(m_attentionNote, 1);
    title->addWidget(m_part);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addLayout(title);
    column->addWidget(m_tiles, 1);
    column->addWidget(m_nothing, 1);
    column->addWidget(m_legend);
    column->addWidget(new Hairline(Qt::Horizontal, side));
    column->addWidget(m_task);
    column->addWidget(m_taskText);
    column->addWidget(m_facts);
    column->addWidget(m_settings);
    return side;
}

void TrainPage::connectRun()
{
    connect(&m_training, &Training::changed, this, &TrainPage::followRun);
    connect(&m_training, &Training::messageWanted, this, [this](const QString& sentence, bool) {
        m_error = sentence;
        note(Change::Busy);
    });
    connect(m_bar, &TrainBar::startWanted, &m_training, &Training::startOrPause);
    connect(m_bar, &TrainBar::stepWanted, &m_training, &Training::step);
    connect(m_bar, &TrainBar::stopWanted, &m_training, &Training::stop);
    connect(m_plan, &TrainPlan::startWanted, this, &TrainPage::startPlanned);
    connect(m_plan, &TrainPlan::settingsWanted, this,
            [this] { emit settingsWanted(m_plan->name()); });
    connect(m_plan, &TrainPlan::changed, this, [this] { note(Change::Busy); });
    connect(m_plan, &TrainPlan::cancelled, this, [this] {
        m_isPlanning = false;
        note(Change::Busy);
    });
    connect(m_settings, &TrainSettings::changeWanted, &m_training, &Training::change);
    connect(m_settings, &TrainSettings::messageWanted, this, &Page::messageWanted);
    connect(m_message, &MessageBar::buttonPressed, this, &TrainPage::pressMessageButton);
    connect(m_message, &MessageBar::dismissed, this, [this] {
        m_dismissed = m_message->sentence();
        m_error.clear();
    });
    connect(&m_film, &TrainFilm::progressed, this, [this](int done, int) {
        m_filmDone = done;
        note(Change::Busy);
    });
    connect(&m_film, &TrainFilm::failed, this, [this](const QString& sentence) {
        m_error = sentence;
        note(Change::Busy);
    });
    connect(&m_film, &TrainFilm::finished, this, [this](const QString& folder, int frames) {
        emit messageWanted(tr("%1 frames are in %2.").arg(frames).arg(folder));
        note(Change::Busy);
    });
}

/// A run that begins, or another one, takes the page.
void TrainPage::followRun()
{
    const std::filesystem::path& folder = m_training.record().folder;
    if (m_training.state() == TrainingPhase::Preparing || folder != m_folder)
        m_isPlanning = false;
    m_folder = folder;
    note(Change::Busy);
}

void TrainPage::connectTime()
{
    const auto redraw = [this] { note(Change::Display); };
    connect(m_upperKind, &SegmentBar::currentChanged, this, [this, redraw](int index) {
        m_options.upper = static_cast<TrainOptions::Upper>(index);
        redraw();
    });
    connect(m_lowerKind, &SegmentBar::currentChanged, this, [this, redraw](int index) {
        m_options.lower = static_cast<TrainOptions::Lower>(index);
        redraw();
    });
    connect(m_score, &QComboBox::activated, this, [this, redraw](int index) {
        m_options.score = m_score->itemData(index).toString();
        redraw();
    });
    connect(m_logSteps, &QPushButton::toggled, this, [this, redraw](bool on) {
        m_options.logarithmicSteps = on;
        redraw();
    });
    connect(m_logValues, &QPushButton::toggled, this, [this, redraw](bool on) {
        m_options.logarithmicValues = on;
        redraw();
    });
    connect(m_play, &QPushButton::clicked, &m_training, &Training::setPlaying);
    connect(m_upper, &LineChart::cursorMoved, m_lower, &LineChart::setCursorAt);
    connect(m_lower, &LineChart::cursorMoved, m_upper, &LineChart::setCursorAt);
    connect(m_upper, &LineChart::stepChosen, this, &TrainPage::chooseMoment);
    connect(m_lower, &LineChart::stepChosen, this, &TrainPage::chooseMoment);
    connect(m_timeline, &TimelineWidget::momentChosen, this, [this](int index) {
        m_training.setPlaying(false);
        m_training.showMoment(m_training.record().moments[static_cast<std::size_t>(index)].step);
    });
    connect(m_timeline, &TimelineWidget::liveWanted, &m_training, &Training::followLive);
    connect(m_timeline, &TimelineWidget::playToggled, this,
            [this] { m_training.setPlaying(!m_training.isPlaying()); });
    connect(m_timeline, &TimelineWidget::pinToggled, this, [this](int index) {
        const Moment& moment = m_training.record().moments[static_cast<std::size_t>(index)];
        m_training.pin(moment.step, !moment.isPinned);
    });
    connect(m_tiles, &HeadTiles::headActivated, this,
            [this](HeadIndex head) { session().activateHead(head.layer, head.head); });
    connect(m_tiles, &HeadTiles::headOpened, this, [this](HeadIndex head) {
        session().activateHead(head.layer, head.head);
        emit pageWanted("head");
    });
    connect(m_part, &SegmentBar::currentChanged, this, [this](int index) {
        const auto parts = partsOf(session().model().model->config());
        session().activatePart(parts[static_cast<std::size_t>(index)]);
    });
}

void TrainPage::chooseMoment(double step)
{
    const int nearest = nearestMoment(m_timeline->content(), step);
    if (nearest >= 0)
        m_training.showMoment(m_training.record().moments[static_cast<std::size_t>(nearest)].step);
}

// ------------------------------------------------------------------------------- beginning a run

void TrainPage::planRun(const QString& task)
{
    m_isPlanning = true;
    m_plan->chooseTask(task);
    note(Change::Busy);
}

bool TrainPage::isPlanning() const
{
    return m_isPlanning || !(m_training.hasRun() || m_training.isOpen());
}

void TrainPage::startPlanned()
{
    if (!m_plan->startButton()->isEnabled())
        return;
    m_isPlanning = false;
    m_error.clear();
    m_training.start(m_plan->config(), m_plan->name(), m_plan->probe());
}

// ------------------------------------------------------------------------------------- as a page

TrainPicture TrainPage::picture() const
{
    TrainPicture picture;
    picture.options = m_options;
    if (isPlanning()) {
        picture.record.config = m_plan->config();
        picture.record.model = picture.record.config.model;
        picture.record.steps = picture.record.config.steps;
        picture.record.settings = liveSettingsOf(picture.record.config);
        picture.options.lower = TrainOptions::Lower::LearningRate;
    } else {
        picture.record = m_training.record();
        picture.shown = m_training.shownStep();
        picture.running = m_training.state() == TrainingPhase::Running;
        if (m_training.isFollowed())
            picture.looking = session().looking();
    }
    const CatalogueTask* task = isPlanning() ? &m_plan->task() : taskOf(picture.record.config);
    if (task) {
        picture.title = QString::fromStdString(task->title);
        picture.lookFor = QString::fromStdString(task->lookFor);
        picture.scoreOfTask = QString::fromStdString(task->curve);
    }
    return picture;
}

Figure TrainPage::figure() const
{
    return trainFigure(picture());
}

void TrainPage::focusMain()
{
    if (isPlanning())
        m_plan->startButton()->setFocus(Qt::OtherFocusReason);
    else
        m_timeline->setFocus(Qt::OtherFocusReason);
}

QJsonObject TrainPage::options() const
{
    return m_options.toJson();
}

void TrainPage::setOptions(const QJsonObject& options)
{
    if (!options.contains("upper"))
        return; // choices of other pages
    m_options = TrainOptions::fromJson(options);
    note(Change::Display);
}

QString TrainPage::hint() const
{
    return tr("F5 starts and pauses \u00B7 F10 one step \u00B7 \u2190 \u2192 through snapshots "
              "\u00B7 Space plays \u00B7 P pins");
}

/// Thumbnails have no single number.
MaybeNumber TrainPage::numberAt(std::optional<QPoint>) const
{
    return std::nullopt;
}

bool TrainPage::escape()
{
    if (!m_training.shownStep())
        return false;
    m_training.followLive();
    return true;
}

} // namespace headscope::ui
