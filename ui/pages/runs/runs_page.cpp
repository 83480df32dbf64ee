#include "ui/pages/runs/runs_page.h"

#include "ui/pages/runs/run_card.h"
#include "ui/pages/runs/run_curves_panel.h"
#include "ui/pages/runs/runs_filter.h"
#include "ui/pages/runs/runs_table.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/widgets/labels.h"

#include <QFileInfo>
#include <QKeyEvent>
#include <QStandardPaths>

namespace headscope::ui {

namespace {

constexpr int kCardWidth = 328;

QString ownFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
           QStringLiteral("/runs");
}

} // namespace

RunsPage::RunsPage(Session& session)
    : Page(session)
    , m_shelf(session.document().undoStack(), this)
    , m_filter(new RunsFilter(this))
    , m_table(new FactTable(tr("Runs"), this))
    , m_curves(new RunCurvesPanel(m_shelf, m_options, this))
    , m_card(new RunCard(this))
    , m_empty(new EmptyState(m_table))
{
    m_table->setObjectName("runTable");
    m_table->setColumns(runColumns(), RunsOptions::State);
    m_table->setSeveral(true);
    m_card->setFixedWidth(kCardWidth);
    m_empty->hide();
    makeLayout();
    connectShelf();
    connectFilter();
    connectTable();
    connectCard();
    connect(m_curves, &RunCurvesPanel::messageWanted, this, &RunsPage::messageWanted);
    m_shelf.setFolders({ownFolder()});
    m_filter->setFolders(m_shelf.folders());
    setMainWidget(*m_table);
}

RunsPage::~RunsPage() = default;

void RunsPage::makeLayout()
{
    auto* lower = rowOf(24, {{m_curves, 1}, m_card});
    new PageFrame(*this, {m_filter, {m_table, 4}, new Hairline(Qt::Horizontal, this), {lower, 5}},
                  12);
}

void RunsPage::connectShelf()
{
    connect(&m_shelf, &RunShelf::changed, this, [this] { note(Change::Display); });
    connect(&m_shelf, &RunShelf::curvesChanged, this, [this] { note(Change::Display); });
    connect(&m_shelf, &RunShelf::progressed, this, [this](int done, int of) {
        if (!m_shelf.isKnown())
            m_filter->setProgress(done, of);
    });
    connect(&m_shelf, &RunShelf::messageWanted, this,
            [this](const QString& sentence) { emit messageWanted(sentence); });
}

void RunsPage::connectFilter()
{
    connect(m_filter, &RunsFilter::changed, this, [this](const QString& text) {
        m_options.filter = text;
        refreshTable();
    });
    connect(m_filter, &RunsFilter::newRunWanted, this,
            [this] { emit pageWanted(QStringLiteral("new-run")); });
    connect(m_filter, &RunsFilter::folderOpened, this, [this](const QString& folder) {
        addFolder(folder);
        emit foldersChanged(m_shelf.folders());
    });
}

void RunsPage::connectTable()
{
    connect(m_table, &FactTable::columnChosen, this, &RunsPage::sortBy);
    connect(m_table, &FactTable::choiceChanged, this, &RunsPage::takeChoice);
    connect(m_table, &FactTable::rowOpened, this, &RunsPage::openWanted);
    connect(m_table, &FactTable::removeWanted, &m_shelf, &RunShelf::remove);
}

void RunsPage::connectCard()
{
    connect(m_card, &RunCard::openWanted, this, [this] { emit openWanted(chosenPath()); });
    connect(m_card, &RunCard::resumeWanted, this, [this] { emit resumeWanted(chosenPath()); });
    connect(m_card, &RunCard::removeWanted, this, [this] { m_shelf.remove(chosenPath()); });
    connect(m_card, &RunCard::notesChanged, &m_shelf, &RunShelf::setNotes);
    connect(m_card, &RunCard::forkWanted, this,
            [this](qint64 step) { emit forkWanted(chosenPath(), step); });
    connect(m_card, &RunCard::modelWanted, this, [this](qint64 step) {
        const std::filesystem::path path = snapshotPath(step);
        if (path.empty())
            return;
        session().models().open(QString::fromStdString(path.string()));
        emit pageWanted(QStringLiteral("overview"));
    });
}

void RunsPage::addFolder(const QString& folder)
{
    m_shelf.addFolder(folder);
    m_filter->setFolders(m_shelf.folders());
}

void RunsPage::showRun(const QString& path)
{
    addFolder(QFileInfo(path).path());
    m_wanted = path;
    m_filter->clear();
    m_shelf.refresh();
}

/// Choosing the same column again reverses the order; dates and steps start in descending order.
void RunsPage::sortBy(int column)
{
    m_options.rising = column == m_options.column
                           ? !m_options.rising
                           : column != RunsOptions::Started && column != RunsOptions::Step;
    m_options.column = column;
    refreshTable();
}

QString RunsPage::chosenPath() const
{
    return m_shelf.chosen().size() == 1 ? m_shelf.chosen().front() : QString();
}

/// Path of a snapshot of the selected run; empty while unknown.
std::filesystem::path RunsPage::snapshotPath(qint64 step) const
{
    if (m_shelf.series().size() != 1)
        return {};
    const RunSeries& run = m_shelf.series().front();
    for (std::size_t index = 0; index < run.snapshots.size(); ++index)
        if (run.snapshots[index].step == step)
            return run.snapshotPaths[index];
    return {};
}

/// Runs that were already selected keep their index, and with it their hue.
void RunsPage::takeChoice()
{
    const QStringList now = m_table->chosen();
    QStringList chosen;
    for (const QString& path : m_shelf.chosen())
        if (now.contains(path))
            chosen << path;
    for (const QString& path : now)
        if (!chosen.contains(path))
            chosen << path;
    m_shelf.choose(chosen);
    refreshTable();
    refreshCard();
}

void RunsPage::refresh(ChangeSet)
{
    refreshTable();
    refreshCard();
    m_curves->refresh();
}

void RunsPage::refreshTable()
{
    const auto shown = shownRuns(m_shelf.runs(), m_options);
    m_table->setSorted(m_options.column, m_options.rising);
    m_table->setRows(runRows(shown, m_shelf.chosen()));
    if (!m_wanted.isEmpty() && m_shelf.run(m_wanted)) {
        m_table->setChosen({m_wanted});
        m_wanted.clear();
        takeChoice();
        return;
    }
    if (m_shelf.isKnown())
        m_filter->setCounts(static_cast<qsizetype>(shown.size()),
                            static_cast<qsizetype>(m_shelf.runs().size()));
    refreshEmpty();
}

void RunsPage::refreshEmpty()
{
    const bool isEmpty = m_shelf.isKnown() && m_table->rows().empty();
    m_empty->setVisible(isEmpty);
    if (!isEmpty)
        return;
    if (m_shelf.runs().empty())
        m_empty->setTexts(tr("No runs yet"),
                          tr("Every run is saved in %1, including those started there with "
                             "\u201Cheadscope train\u201D. Train a model to add one.")
                              .arg(m_shelf.folders().value(0)),
                          {});
    else
        m_empty->setTexts(tr("No matching runs"), tr("Esc clears the filter."), {});
}

void RunsPage::refreshCard()
{
    const QStringList& chosen = m_shelf.chosen();
    const RunEntry* first = chosen.isEmpty() ? nullptr : m_shelf.run(chosen[0]);
    const RunEntry* second = chosen.size() == 2 ? m_shelf.run(chosen[1]) : nullptr;
    if (chosen.size() == 1 && first) {
        m_card->showRun(*first);
        if (m_shelf.series().size() == 1 && m_shelf.series().front().path == first->summary.path)
            m_card->setSnapshots(m_shelf.series().front().snapshots);
    } else if (first && second) {
        m_card->showDifferences(*first, *second);
    } else {
        m_card->showNone(static_cast<int>(chosen.size()));
    }
}

void RunsPage::showEvent(QShowEvent* event)
{
    m_shelf.setWatched(true);
    Page::showEvent(event);
}

void RunsPage::hideEvent(QHideEvent* event)
{
    m_card->keepNotes();
    m_shelf.setWatched(false);
    Page::hideEvent(event);
}

bool RunsPage::escape()
{
    return m_filter->clear();
}

void RunsPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !escape())
        Page::keyPressEvent(event);
}

Figure RunsPage::figure() const
{
    return runsFigure(m_shelf.series(), m_options);
}

QJsonObject RunsPage::options() const
{
    return m_options.toJson();
}

void RunsPage::setOptions(const QJsonObject& options)
{
    m_options = RunsOptions::fromJson(options);
    m_filter->setText(m_options.filter);
    m_curves->takeOptions();
    note(Change::Display);
}

QString RunsPage::hint() const
{
    return tr("Space and Shift select more runs \u00B7 \u2190 \u2192 sort \u00B7 Enter opens "
              "\u00B7 Del deletes");
}

QString RunsPage::whyNoNumber() const
{
    return tr("The numbers here are measurements of training. They have no single origin.");
}

PageDescriptor RunsPage::descriptor()
{
    return {.name = "runs",
            .title = tr("Runs"),
            .question = tr("What have you trained so far?"),
            .group = PageGroup::Runs,
            .icon = "<path d='M3 3v14h14'/><path d='M5.5 5c1.5 5 4 7 10.5 7.5'/><path d='M5.5 9c2 "
                    "3.5 4.5 5 10.5 5.5'/>",
            .help = tr("See every training run on disk, including one that "
                       "\xE2\x80\x9Cheadscope train\xE2\x80\x9D is writing now. Select several "
                       "runs to overlay their curves, or two to compare settings."),
            .terms = {"loss", "learning rate"},
            .make = makePage<RunsPage>};
}

} // namespace headscope::ui
