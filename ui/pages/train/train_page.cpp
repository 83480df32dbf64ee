#include "ui/pages/train/train_page.h"

#include "ui/pages/shared/page_frame.h"
#include "ui/pages/train/train_bar.h"
#include "ui/pages/train/train_charts.h"
#include "ui/pages/train/train_controls.h"
#include "ui/pages/train/train_experts.h"
#include "ui/pages/train/train_facts.h"
#include "ui/pages/train/train_figure.h"
#include "ui/pages/train/train_heads.h"
#include "ui/pages/train/train_menu.h"
#include "ui/pages/train/train_messages.h"
#include "ui/pages/train/train_plan.h"
#include "ui/pages/train/train_settings.h"
#include "ui/pages/train/train_texts.h"
#include "ui/session/runs/training.h"
#include "ui/widgets/charts/lines/timeline_widget.h"
#include "ui/widgets/controls/message_bar.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"

#include <QApplication>
#include <QFileDialog>

#include <utility>

namespace headscope::ui {

namespace {

/// The first task offered: its induction head forms within half a minute.
const QString kFirstTask = QStringLiteral("repeat");

} // namespace

TrainPage::TrainPage(Session& session)
    : Page(session)
    , m_training(session.training())
    , m_film(this)
    , m_message(new MessageBar(this))
    , m_bar(new TrainBar(this))
    , m_plan(new TrainPlan(this))
    , m_controls(new TrainControls(m_options, this))
    , m_charts(new TrainCharts(m_training, this))
    , m_side(new SegmentBar(this))
    , m_heads(new TrainHeads(session, this))
    , m_experts(new TrainExperts(this))
    , m_facts(new TrainFacts(this))
    , m_menu(std::make_unique<TrainMenu>(*m_bar->menu(), m_training, m_film))
    , m_messages(std::make_unique<TrainMessages>(*m_message, m_training, m_film))
{
    m_folder = m_training.record().folder;
    m_hadInduction = inductionOf(m_training.record()).has_value(); // no news of an earlier window
    m_plan->chooseTask(kFirstTask);
    makeLayout();
    connectRun();
    connectPlan();
    connectFilm();
    connectParts();
    m_messages->refresh();
}

TrainPage::~TrainPage() = default;

void TrainPage::makeLayout()
{
    m_side->setSegments({{tr("Attention"), tr("What each head attends to")},
                         {tr("Experts"), tr("Which expert each token goes to")}});
    m_side->setAccessibleName(tr("Right side"));
    auto* side = columnOf(
        8, {m_side, {m_heads, 1}, {m_experts, 1}, new Hairline(Qt::Horizontal, this), m_facts});
    auto* columns = rowOf(24, {{m_charts, 58}, {side, 42}});
    auto* body = columnOf(8, {m_bar, m_plan, m_controls, {columns, 1}});
    body->setContentsMargins(24, 4, 24, 6);
    new PageFrame(*this, {m_message, {body, 1}}, 0, QMargins());
}

void TrainPage::connectRun()
{
    connect(&m_training, &Training::changed, this, &TrainPage::followRun);
    connect(m_bar, &TrainBar::startWanted, &m_training, &Training::startOrPause);
    connect(m_bar, &TrainBar::stepWanted, &m_training, &Training::step);
    connect(m_bar, &TrainBar::stopWanted, &m_training, &Training::stop);
    connect(m_controls, &TrainControls::playToggled, &m_training, &Training::setPlaying);
    connect(&m_facts->settings(), &TrainSettings::changeWanted, &m_training, &Training::change);
    connect(&m_facts->settings(), &TrainSettings::messageWanted, this, &Page::messageWanted);
}

void TrainPage::connectPlan()
{
    connect(m_plan, &TrainPlan::startWanted, this, &TrainPage::startPlanned);
    connect(m_plan, &TrainPlan::settingsWanted, this,
            [this] { emit settingsWanted(m_plan->name()); });
    connect(m_plan, &TrainPlan::changed, this, [this] { note(Change::Busy); });
    connect(m_plan, &TrainPlan::cancelled, this, [this] {
        m_isPlanning = false;
        note(Change::Busy);
    });
    connect(m_menu.get(), &TrainMenu::planWanted, this, [this] { planRun(); });
}

void TrainPage::connectFilm()
{
    connect(m_menu.get(), &TrainMenu::filmWanted, this, &TrainPage::chooseFilmFolder);
    connect(&m_film, &TrainFilm::finished, this, [this](const QString& folder, int frames) {
        emit messageWanted(tr("%1 frames saved to %2.").arg(frames).arg(folder));
        note(Change::Busy);
    });
}

void TrainPage::connectParts()
{
    connect(m_messages.get(), &TrainMessages::changed, this, [this] { note(Change::Busy); });
    connect(m_menu.get(), &TrainMenu::compareShown, this, [this] { emit pageWanted("compare"); });
    connect(m_controls, &TrainControls::optionsChanged, this, [this] { note(Change::Display); });
    connect(m_side, &SegmentBar::currentChanged, this, [this](int index) {
        m_options.showsExperts = index == 1;
        note(Change::Display);
    });
    connect(m_heads, &TrainHeads::headOpened, this, [this] { emit pageWanted("head"); });
}

/// A run that starts, or another run, takes over the page.
void TrainPage::followRun()
{
    const std::filesystem::path& folder = m_training.record().folder;
    if (m_training.state() == TrainingPhase::Preparing || folder != m_folder)
        m_isPlanning = false;
    if (folder != m_folder)
        m_hadInduction = false;
    m_folder = folder;
    noticeInduction();
    note(Change::Busy);
}

/// Names the step in the status line and shows the new induction head, once a run.
void TrainPage::noticeInduction()
{
    const auto reached = m_hadInduction ? std::nullopt : inductionOf(m_training.record());
    if (!reached)
        return;
    m_hadInduction = true;
    emit hintChanged();
    if (m_training.isFollowed() && m_training.state() == TrainingPhase::Running)
        session().view().activateHead(reached->place.layer, reached->place.head);
}

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
    m_messages->forgetError();
    m_training.start(m_plan->config(), m_plan->name(), m_plan->probe());
}

void TrainPage::refresh(ChangeSet changes)
{
    const TrainContent now = trainContent();
    if (changes.testFlag(Change::Busy) || changes.testFlag(Change::Display)) {
        refreshBar(now);
        m_controls->refresh(now, isPlanning());
        m_controls->setPlaying(m_training.isPlaying());
        m_charts->refresh(now);
        m_messages->refresh();
    }
    refreshSide(now);
    m_facts->refresh(now);
}

void TrainPage::refreshBar(const TrainContent& now)
{
    const bool plans = isPlanning();
    const bool hadFocus = m_plan->isAncestorOf(QApplication::focusWidget());
    m_plan->setVisible(plans);
    m_plan->setCancellable(m_training.hasRun());
    m_bar->setVisible(!plans);
    if (hadFocus && !plans) // on the button that started the run
        focusMain();
    m_bar->setState({m_training.state(), now.shown.value_or(now.record.step), now.record.steps,
                     readingsOf(now), m_training.whyReadOnly()});
    m_facts->settings().setSettings(now.record.settings,
                                    !plans && m_training.isOpen() &&
                                        m_training.state() != TrainingPhase::Preparing);
    m_menu->refresh();
    if (std::exchange(m_wasPlanning, plans) != plans)
        emit planningChanged();
}

void TrainPage::refreshSide(const TrainContent& now)
{
    const bool canShow = TrainExperts::canShow(now);
    const bool shown = canShow && now.options.showsExperts;
    m_side->setVisible(canShow);
    m_side->setCurrent(shown ? 1 : 0);
    m_heads->setVisible(!shown);
    m_experts->setVisible(shown);
    if (shown)
        m_experts->refresh(now);
    else
        m_heads->refresh(now, isPlanning());
}

void TrainPage::chooseFilmFolder()
{
    auto* dialog = new QFileDialog(this, tr("Folder for the frames"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, &TrainPage::exportFilmTo);
    dialog->open();
}

void TrainPage::exportFilmTo(const QString& folder)
{
    constexpr double kScale = 1.0;
    m_film.start(trainContent(), {Theme::of(*this).dark, kScale}, folder.toStdString());
}

TrainContent TrainPage::trainContent() const
{
    TrainContent trainContent;
    trainContent.options = m_options;
    if (isPlanning()) {
        trainContent.record.config = m_plan->config();
        trainContent.record.model = trainContent.record.config.model;
        trainContent.record.steps = trainContent.record.config.steps;
        trainContent.record.settings = liveSettingsOf(trainContent.record.config);
        trainContent.options.lower = TrainOptions::Lower::LearningRate;
    } else {
        trainContent.record = m_training.record();
        trainContent.shown = m_training.shownStep();
        trainContent.running = m_training.state() == TrainingPhase::Running;
        if (m_training.isFollowed())
            trainContent.view = session().viewSnapshot();
    }
    if (!isPlanning() && m_training.isSeries()) {
        trainContent.title = QString::fromStdString(trainContent.record.folder.filename().string());
        if (trainContent.options.lower != TrainOptions::Lower::Experts)
            trainContent.options.lower = TrainOptions::Lower::Scores;
        return trainContent;
    }
    const CatalogueTask* task = isPlanning() ? &m_plan->task() : taskOf(trainContent.record.config);
    if (task) {
        trainContent.title = QString::fromStdString(task->title);
        trainContent.lookFor = QString::fromStdString(task->lookFor);
        trainContent.scoreOfTask = QString::fromStdString(task->curve);
    }
    return trainContent;
}

Figure TrainPage::figure() const
{
    return trainFigure(trainContent());
}

void TrainPage::focusMain()
{
    if (isPlanning())
        m_plan->startButton()->setFocus(Qt::OtherFocusReason);
    else
        m_charts->timeline().setFocus(Qt::OtherFocusReason);
}

QJsonObject TrainPage::options() const
{
    return m_options.toJson();
}

void TrainPage::setOptions(const QJsonObject& options)
{
    if (!options.contains("upper"))
        return; // Choices of other pages.
    m_options = TrainOptions::fromJson(options);
    note(Change::Display);
}

QString TrainPage::hint() const
{
    const QString keys =
        !isPlanning() && m_training.isSeries()
            ? tr("\u2190 \u2192 through checkpoints \u00B7 Home and End to the first and the "
                 "newest \u00B7 Space plays")
            : tr("F5 starts and pauses \u00B7 F10 one step \u00B7 \u2190 \u2192 through snapshots "
                 "\u00B7 Space plays \u00B7 P pins");
    const QString event = isPlanning() ? QString() : inductionText(m_training.record());
    return event.isEmpty() ? keys : event + QStringLiteral(" \u00B7 ") + keys;
}

bool TrainPage::isSettled() const
{
    return !m_training.isOpening() && !m_training.meter().isMeasuring();
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

PageDescriptor TrainPage::descriptor()
{
    return {.name = "train",
            .title = tr("Training"),
            .question = tr("What is the model learning right now?"),
            .group = PageGroup::Runs,
            .icon = "<path d='M3 3v14h14'/><path d='M5.5 5.5c1 5 2.5 6.5 5 7s4 .8 6.5 "
                    ".8'/><circle cx='16.5' cy='13.3' r='1.5' fill='@'/>",
            .help = tr("Train a model and watch its curves, head scores and attention. Start, "
                       "pause or step; the timeline returns every page to any snapshot of the "
                       "weights."),
            .terms = {"loss", "training", "cross-entropy"},
            .make = makePage<TrainPage>};
}

} // namespace headscope::ui
