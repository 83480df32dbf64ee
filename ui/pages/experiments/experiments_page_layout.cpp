// How the page of experiments is laid out.
#include "ui/pages/experiments/experiments_page.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/charts/line_chart_widget.h"
#include "ui/widgets/controls/segments.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kListWidth = 408; // at most
constexpr int kNarrowList = 240;
constexpr int kStartHeight = 40;
constexpr int kAgainMs = 700;
constexpr int kBarSteps = 1000;
constexpr int kNumbersHeight = 152;

QString ownFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
           QStringLiteral("/experiments");
}

TextLabel* words(Tone tone, TextRole role, QWidget* parent)
{
    auto* label = new TextLabel({}, role, tone, parent);
    label->setWordWrap(true);
    return label;
}

} // namespace

ExperimentsPage::ExperimentsPage(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_folder(ownFolder())
    , m_experiment(&experimentCatalogue().front())
    , m_list(new FactTable(tr("Experiments"), this))
    , m_title(new TextLabel({}, TextRole::Title, Tone::Text, this))
    , m_description(words(Tone::Text, TextRole::Body, this))
    , m_facts(words(Tone::Text3, TextRole::Body, this))
    , m_start(new QPushButton(this))
    , m_bar(new QProgressBar(this))
    , m_progress(new TextLabel({}, TextRole::Body, Tone::Text2, this))
    , m_which(new SegmentBar(this))
    , m_plots(new SegmentBar(this))
    , m_losses(new LineChart(tr("Loss of the variants"), this))
    , m_plot(new LineChart(tr("What was measured on the variants"), this))
    , m_conclusion(words(Tone::Text, TextRole::Lesson, this))
    , m_numbers(new FactTable(tr("Numbers of the variants"), this))
    , m_worker(session.registry())
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    auto* right = new QVBoxLayout;
    right->setSpacing(12);
    right->addLayout(makeTop());
    right->addLayout(makeCharts(), 1);
    right->addWidget(m_conclusion);
    m_numbers->setFixedHeight(kNumbersHeight);
    m_numbers->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded); // some measure a dozen
    right->addWidget(m_numbers);
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(24, 16, 24, 16);
    columns->setSpacing(32);
    columns->addWidget(makeList(), 1);
    columns->addLayout(right, 2);
    m_again.setInterval(kAgainMs);
    connectWorker();
}

ExperimentsPage::~ExperimentsPage() = default;

QWidget* ExperimentsPage::makeList()
{
    m_list->setColumns(experimentColumns(), 2);
    m_list->setMinimumWidth(kNarrowList);
    m_list->setMaximumWidth(kListWidth);
    connect(m_list, &FactTable::choiceChanged, this, [this] { choose(m_list->currentId()); });
    connect(m_list, &FactTable::rowOpened, this, [this] {
        if (!m_record.result && !isThisRunning()) // Enter starts, and takes nothing away
            startOrCancel();
    });
    return m_list;
}

QLayout* ExperimentsPage::makeTop()
{
    m_start->setProperty("role", "primary");
    m_start->setFixedHeight(kStartHeight);
    m_start->setMinimumWidth(168);
    m_bar->setRange(0, kBarSteps);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(8);
    m_bar->setAccessibleName(tr("How much of the experiment is done"));
    auto* head = new QHBoxLayout;
    head->setSpacing(24);
    head->addWidget(m_start);
    head->addWidget(m_title, 1);
    auto* column = new QVBoxLayout;
    column->setSpacing(8);
    column->addLayout(head);
    column->addWidget(m_description);
    column->addWidget(m_facts);
    column->addWidget(m_bar);
    column->addWidget(m_progress);
    connect(m_start, &QPushButton::clicked, this, &ExperimentsPage::startOrCancel);
    return column;
}

QLayout* ExperimentsPage::makeCharts()
{
    m_which->setSegments({{tr("Validation"), tr("Loss on held-out data")},
                          {tr("Training"), tr("Loss on what is learnt from, smoothed")}});
    m_which->setAccessibleName(tr("Which loss"));
    m_plots->setAccessibleName(tr("Which measurement"));
    const auto column = [](QWidget* control, QWidget* chart) {
        auto* box = new QVBoxLayout;
        box->setSpacing(8);
        box->addWidget(control, 0, Qt::AlignLeft);
        box->addWidget(chart, 1);
        return box;
    };
    auto* row = new QHBoxLayout;
    row->setSpacing(24);
    row->addLayout(column(m_which, m_losses), 1);
    m_plotBox = new QWidget(this); // leaves its room to the losses while there is no plot
    m_plotBox->setLayout(column(m_plots, m_plot));
    m_plotBox->layout()->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_plotBox, 1);
    connect(m_which, &SegmentBar::currentChanged, this, [this](int index) {
        m_training = index == 1;
        refreshCharts();
    });
    connect(m_plots, &SegmentBar::currentChanged, this, [this](int index) {
        m_shownPlot = index;
        refreshCharts();
    });
    connect(m_numbers, &FactTable::rowOpened, this, &ExperimentsPage::openVariant);
    return row;
}

} // namespace headscope::ui
