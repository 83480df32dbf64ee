#include "ui/pages/experiments/experiments_page.h"

#include "ui/pages/experiments/experiment_card.h"
#include "ui/pages/experiments/experiment_charts.h"
#include "ui/pages/experiments/experiments_content.h"
#include "ui/pages/shared/fitted_scroll.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/pages/shared/reading_width.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text/message_text.h"

#include <QtMath>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kListWidth = 448; // Maximum width: no title is elided.
constexpr int kNarrowList = 240;
constexpr int kLeastFindings = 112; // Height, in logical pixels.
constexpr double kChartShare = 0.4; // Least part of the page's height.

} // namespace

ExperimentsPage::ExperimentsPage(Session& session)
    : Page(session)
    , m_shelf(session, this)
    , m_list(new FactTable(tr("Experiments"), this))
    , m_card(new ExperimentCard(m_shelf, this))
    , m_charts(new ExperimentCharts(m_shelf, this))
    , m_conclusion(paragraph({}, TextRole::Lesson, Tone::Text, this))
    , m_numbers(new FactTable(tr("Measurements of the variants"), this))
    , m_findings(makeFindings())
{
    makeList();
    makeNumbers();
    auto* right = columnOf(12, {m_card, {m_charts, 1}, m_findings});
    new PageFrame(*this, {{rowOf(32, {{m_list, 2}, {right, 3}}), 1}});
    connectShelf();
    setMainWidget(*m_list);
}

ExperimentsPage::~ExperimentsPage() = default;

void ExperimentsPage::makeList()
{
    m_list->setObjectName("list");
    m_list->setColumns(experimentColumns(), 2);
    m_list->setMinimumWidth(kNarrowList);
    m_list->setMaximumWidth(kListWidth);
    connect(m_list, &FactTable::choiceChanged, this,
            [this] { m_shelf.choose(m_list->currentId()); });
    connect(m_list, &FactTable::rowOpened, this, [this] {
        if (!m_shelf.record().result && !m_shelf.isThisRunning())
            m_shelf.startOrCancel(); // Enter starts; it never cancels.
    });
}

QWidget* ExperimentsPage::makeFindings()
{
    m_conclusion->setObjectName("conclusion");
    auto* content = new QWidget;
    columnOf(12, {readableRow(m_conclusion), m_numbers}, content);
    return new FittedScroll(content, kLeastFindings, this);
}

void ExperimentsPage::makeNumbers()
{
    m_numbers->setObjectName("numbers");
    // Some experiments have a dozen measurements.
    m_numbers->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    connect(m_numbers, &FactTable::rowOpened, this, [this](const QString& variant) {
        const QString folder = m_shelf.variantFolder(variant);
        if (!folder.isEmpty())
            emit runWanted(folder);
    });
}

void ExperimentsPage::connectShelf()
{
    connect(&m_shelf, &ExperimentShelf::chosen, m_charts, &ExperimentCharts::showFirstPlot);
    connect(&m_shelf, &ExperimentShelf::changed, this, [this] { note(Change::Display); });
    connect(&m_shelf, &ExperimentShelf::progressed, m_card, &ExperimentCard::refreshProgress);
}

void ExperimentsPage::refresh(ChangeSet)
{
    refreshList();
    m_card->refresh();
    refreshConclusion();
    refreshNumbers();
    m_charts->refresh();
}

void ExperimentsPage::refreshList()
{
    m_list->setRows(experimentRows(m_shelf.finished(), m_shelf.running()));
    const QString name = QString::fromStdString(m_shelf.experiment().name);
    if (m_list->chosen() != QStringList{name})
        m_list->setChosen({name});
}

void ExperimentsPage::refreshConclusion()
{
    const QString problem = m_shelf.problem();
    const auto& result = m_shelf.record().result;
    m_conclusion->setTone(problem.isEmpty() ? Tone::Text : Tone::Error);
    m_conclusion->setText(!problem.isEmpty() ? problem
                          : result           ? messageText(result->conclusion)
                                             : QString());
    m_conclusion->setVisible(!m_conclusion->text().isEmpty());
    m_findings->setVisible(!m_conclusion->text().isEmpty() || result);
}

void ExperimentsPage::refreshNumbers()
{
    const auto& result = m_shelf.record().result;
    m_numbers->setVisible(result.has_value());
    if (!result)
        return;
    const QString title = QString::fromStdString(m_shelf.experiment().title);
    const auto columns = numberColumns(*result);
    if (m_numbers->columns().size() != columns.size() ||
        m_numbers->property("of").toString() != title)
        m_numbers->setColumns(columns);
    m_numbers->setProperty("of", title);
    m_numbers->setRows(numberRows(m_shelf.experiment(), *result));
    m_numbers->setFixedHeight(m_numbers->wholeHeight());
}

/// The charts keep their part of a low page; the findings scroll instead.
void ExperimentsPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    m_charts->setMinimumHeight(qCeil(kChartShare * height()));
}

void ExperimentsPage::showEvent(QShowEvent* event)
{
    m_shelf.beginReading();
    Page::showEvent(event);
}

void ExperimentsPage::hideEvent(QHideEvent* event)
{
    m_shelf.endReading();
    Page::hideEvent(event);
}

Figure ExperimentsPage::figure() const
{
    return experimentFigure(m_shelf.experiment(), m_shelf.record(), m_charts->showsTraining());
}

QJsonObject ExperimentsPage::options() const
{
    return {{"experiment", QString::fromStdString(m_shelf.experiment().name)},
            {"training", m_charts->showsTraining()}};
}

void ExperimentsPage::setOptions(const QJsonObject& options)
{
    m_charts->setShowsTraining(options["training"].toBool());
    m_shelf.choose(options["experiment"].toString());
    note(Change::Display);
}

QString ExperimentsPage::hint() const
{
    return tr("\u2191 \u2193 select \u00B7 Enter trains all variants \u00B7 Enter on a variant "
              "opens its training run");
}

QString ExperimentsPage::whyNoNumber() const
{
    return tr("The numbers here are measurements of training. They have no single origin.");
}

PageDescriptor ExperimentsPage::descriptor()
{
    return {.name = "experiments",
            .title = tr("Experiments"),
            .question = tr("What goes wrong when one part is missing?"),
            .group = PageGroup::Runs,
            .icon = "<path d='M7.5 3h5M8.5 3v5L3.8 15.6A1 1 0 0 0 4.6 17h10.8a1 1 0 0 0 "
                    ".8-1.4L11.5 8V3'/><circle cx='10' cy='13.2' r='1.6' fill='@'/>",
            .help = tr("Train two variants that differ in one setting, from the same seed, and "
                       "compare them. The sentence at the end reports what was measured."),
            .terms = {"pitfall", "experiment", "warm-up"},
            .make = makePage<ExperimentsPage>};
}

} // namespace headscope::ui
