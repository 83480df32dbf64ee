// How the page of runs is laid out.
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/runs/run_card.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/charts/line_chart_widget.h"
#include "ui/widgets/controls/segments.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kCardWidth = 328;

QString ownFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
           QStringLiteral("/runs");
}

QPushButton* toggle(const QString& text, const QString& toolTip, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setCheckable(true);
    button->setToolTip(toolTip);
    return button;
}

} // namespace

RunsPage::RunsPage(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_shelf(session.undoStack())
    , m_new(new QPushButton(tr("&New run\u2026"), this))
    , m_filter(new QLineEdit(this))
    , m_count(new TextLabel({}, TextRole::Body, Tone::Text3, this))
    , m_folder(new ChoiceBox(this))
    , m_openFolder(new QPushButton(tr("Open a &folder\u2026"), this))
    , m_table(new FactTable(tr("Runs"), this))
    , m_curve(new ChoiceBox(this))
    , m_axis(new SegmentBar(this))
    , m_logX(toggle(tr("Log across"), tr("The horizontal axis by its logarithm"), this))
    , m_logY(toggle(tr("Log up"), tr("The vertical axis by its logarithm"), this))
    , m_export(new QPushButton(tr("&Export curves\u2026"), this))
    , m_chart(new LineChart(tr("Curves of the chosen runs"), this))
    , m_card(new RunCard(this))
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    m_table->setColumns(runColumns(), RunsOptions::State);
    m_table->setSeveral(true);
    m_card->setFixedWidth(kCardWidth);
    auto* lower = new QHBoxLayout;
    lower->setSpacing(24);
    lower->addLayout(makeCurves(), 1);
    lower->addWidget(m_card);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 16, 24, 16);
    column->setSpacing(12);
    column->addLayout(makeTop());
    column->addWidget(m_table, 4);
    column->addWidget(new Hairline(Qt::Horizontal, this));
    column->addLayout(lower, 5);
    m_empty = new EmptyState(m_table);
    m_empty->hide();
    connectTable();
    connectCard();
    connectCurves();
    m_shelf.setFolders({ownFolder()});
    refreshFolders();
}

RunsPage::~RunsPage() = default;

QLayout* RunsPage::makeTop()
{
    m_new->setProperty("role", "primary");
    m_filter->setPlaceholderText(tr("Filter: name, task, state, notes"));
    m_filter->setAccessibleName(tr("Filter the runs"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMinimumWidth(160);
    m_folder->setPurpose(tr("Folders that are listed"));
    m_folder->setMinimumContentsLength(14);
    m_folder->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_new);
    row->addWidget(m_filter, 1);
    row->addWidget(m_count);
    row->addStretch(1);
    row->addWidget(m_folder);
    row->addWidget(m_openFolder);
    connect(m_new, &QPushButton::clicked, this,
            [this] { emit pageWanted(QStringLiteral("new-run")); });
    connect(m_openFolder, &QPushButton::clicked, this, &RunsPage::chooseFolder);
    connect(m_folder, &QComboBox::activated, this, [this](int index) {
        const QString folder = m_folder->itemData(index).toString();
        m_options.filter = folder.isEmpty() ? QString() : folder + QLatin1Char('/');
        m_filter->setText(m_options.filter);
    });
    return row;
}

QLayout* RunsPage::makeCurves()
{
    m_curve->setPurpose(tr("Curve"));
    m_curve->setMinimumWidth(224);
    m_axis->setSegments({{tr("By step"), tr("Updates across")},
                         {tr("By tokens"), tr("Tokens seen across: rows of a batch times the "
                                              "longest row")}});
    m_axis->setAccessibleName(tr("What goes across"));
    auto* controls = new QHBoxLayout;
    controls->setSpacing(8);
    controls->addWidget(m_curve);
    controls->addWidget(m_axis);
    controls->addWidget(m_logX);
    controls->addWidget(m_logY);
    controls->addStretch(1);
    controls->addWidget(m_export);
    auto* column = new QVBoxLayout;
    column->setSpacing(8);
    column->addLayout(controls);
    column->addWidget(m_chart, 1);
    return column;
}

} // namespace headscope::ui
