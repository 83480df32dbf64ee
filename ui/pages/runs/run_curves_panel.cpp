#include "ui/pages/runs/run_curves_panel.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/pages/shared/figures/replace_files.h"
#include "ui/session/runs/run_shelf.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"
#include "ui/workers/error_sentence.h"

#include <QFileDialog>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace headscope::ui {

RunCurvesPanel::RunCurvesPanel(const RunShelf& shelf, RunsOptions& options, QWidget* parent)
    : QWidget(parent)
    , m_shelf(shelf)
    , m_options(options)
    , m_curve(new ChoiceBox(this))
    , m_axis(new SegmentBar(this))
    , m_logX(makeToggle(tr("Log x"), tr("Logarithmic horizontal axis"), options.logarithmicX))
    , m_logY(makeToggle(tr("Log y"), tr("Logarithmic vertical axis"), options.logarithmicY))
    , m_export(new QPushButton(tr("&Export curves\u2026"), this))
    , m_chart(new LineChart(tr("Curves of the selected runs"), this))
{
    m_curve->setPurpose(tr("Curve"));
    m_curve->setMinimumWidth(224);
    m_axis->setSegments({{tr("By step"), tr("Updates on the horizontal axis")},
                         {tr("By tokens"), tr("Tokens processed on the horizontal axis: rows of "
                                              "a batch times the longest row")}});
    m_axis->setAccessibleName(tr("Horizontal axis"));
    auto* controls = rowOf(8, {m_curve, m_axis, m_logX, m_logY, Placed::space(), m_export});
    columnOf(8, {controls, {m_chart, 1}}, this);
    connectParts();
}

QPushButton* RunCurvesPanel::makeToggle(const QString& text, const QString& toolTip, bool& option)
{
    auto* button = new QPushButton(text, this);
    button->setCheckable(true);
    button->setToolTip(toolTip);
    connect(button, &QPushButton::toggled, this, [this, &option](bool on) {
        option = on;
        refresh();
    });
    return button;
}

void RunCurvesPanel::connectParts()
{
    connect(m_curve, &QComboBox::activated, this, [this] {
        m_options.curve = m_curve->currentData().toString();
        refresh();
    });
    connect(m_axis, &SegmentBar::currentChanged, this, [this](int index) {
        m_options.byTokens = index == 1;
        refresh();
    });
    connect(m_export, &QPushButton::clicked, this, &RunCurvesPanel::chooseExport);
}

void RunCurvesPanel::refresh()
{
    refreshNames();
    m_axis->setCurrent(m_options.byTokens ? 1 : 0);
    LineChartContent content = runsChart(m_shelf.series(), m_options);
    if (content.isEmpty())
        content.note = m_shelf.chosen().isEmpty() ? tr("select runs in the table")
                                                  : tr("not measured by the selected runs");
    m_chart->setContent(std::move(content));
    m_export->setEnabled(!m_shelf.series().empty());
}

void RunCurvesPanel::refreshNames()
{
    const QStringList names = curveNames(m_shelf.series());
    if (m_curve->count() != names.size()) {
        const QSignalBlocker blocker(m_curve);
        m_curve->clear();
        for (const QString& name : names)
            m_curve->addItem(curveTitle(name), name);
    }
    m_curve->setCurrentIndex(std::max(0, m_curve->findData(m_options.curve)));
}

void RunCurvesPanel::takeOptions()
{
    m_logX->setChecked(m_options.logarithmicX);
    m_logY->setChecked(m_options.logarithmicY);
}

void RunCurvesPanel::chooseExport()
{
    auto* dialog = new QFileDialog(this, tr("Export the curves of the selected runs"));
    dialog->setObjectName("exportCurves");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Comma-separated values (*.csv)"), tr("JSON (*.json)")});
    dialog->setDefaultSuffix("csv");
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // asked for each run's file
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section("*.", 1).chopped(1));
    });
    connect(dialog, &QFileDialog::fileSelected, this, &RunCurvesPanel::exportTo);
    dialog->open();
}

void RunCurvesPanel::exportTo(const QString& path)
{
    attempt([&] {
        const Figure figure = runsFigure(m_shelf.series(), m_options);
        replaceFiles(*this, numberFiles(figure, path.toStdString()),
                     [this, figure, path] { attempt([&] { write(figure, path); }); });
    });
}

void RunCurvesPanel::write(const Figure& figure, const QString& path)
{
    const auto files = saveNumbers(figure, path.toStdString());
    emit messageWanted(
        tr("Curves saved to %1.").arg(QString::fromStdString(files.front().string())));
}

void RunCurvesPanel::attempt(const std::function<void()>& action)
{
    try {
        action();
    } catch (const std::exception& error) {
        emit messageWanted(errorSentence(error));
    }
}

} // namespace headscope::ui
