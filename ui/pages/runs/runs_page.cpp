#include "ui/pages/runs/runs_page.h"

#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/figures/figure_file.h"
#include "ui/pages/runs/run_card.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/charts/line_chart_widget.h"
#include "ui/widgets/controls/segments.h"
#include "ui/workers/error_sentence.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace headscope::ui {

void RunsPage::connectTable()
{
    connect(&m_shelf, &RunShelf::changed, this, [this] { note(Change::Display); });
    connect(&m_shelf, &RunShelf::curvesChanged, this, [this] { note(Change::Display); });
    connect(&m_shelf, &RunShelf::progressed, this, [this](int done, int of) {
        if (!m_shelf.isKnown())
            m_count->setText(tr("reading %1 of %2").arg(done).arg(of));
    });
    connect(&m_shelf, &RunShelf::messageWanted, this,
            [this](const QString& sentence) { emit messageWanted(sentence); });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_options.filter = text;
        refreshTable();
    });
    connect(m_table, &FactTable::columnChosen, this, [this](int column) {
        m_options.rising = column == m_options.column
                               ? !m_options.rising
                               : column != RunsOptions::Started && column != RunsOptions::Step;
        m_options.column = column;
        refreshTable();
    });
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
        session().openModel(
            QStringLiteral("%1/checkpoints/step-%2.safetensors").arg(chosenPath()).arg(step));
        emit pageWanted(QStringLiteral("overview"));
    });
}

void RunsPage::connectCurves()
{
    connect(m_curve, &QComboBox::activated, this, [this] {
        m_options.curve = m_curve->currentData().toString();
        refreshCurves();
    });
    connect(m_axis, &SegmentBar::currentChanged, this, [this](int index) {
        m_options.byTokens = index == 1;
        refreshCurves();
    });
    connect(m_logX, &QPushButton::toggled, this, [this](bool on) {
        m_options.logarithmicX = on;
        refreshCurves();
    });
    connect(m_logY, &QPushButton::toggled, this, [this](bool on) {
        m_options.logarithmicY = on;
        refreshCurves();
    });
    connect(m_export, &QPushButton::clicked, this, &RunsPage::chooseExport);
}

// ------------------------------------------------------------------------------- folders and files

void RunsPage::chooseFolder()
{
    auto* dialog = new QFileDialog(this, tr("Open a folder of runs"));
    dialog->setObjectName("openRunsFolder");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        addFolder(folder);
        emit foldersChanged(m_shelf.folders());
    });
    dialog->open();
}

void RunsPage::chooseExport()
{
    auto* dialog = new QFileDialog(this, tr("Export the curves of the chosen runs"));
    dialog->setObjectName("exportCurves");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Comma-separated values (*.csv)"), tr("JSON (*.json)")});
    dialog->setDefaultSuffix("csv");
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section("*.", 1).chopped(1));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        try {
            const auto files = saveNumbers(figure(), path.toStdString());
            emit messageWanted(
                tr("The curves are in %1.").arg(QString::fromStdString(files.front().string())));
        } catch (const std::exception& error) {
            emit messageWanted(errorSentence(error));
        }
    });
    dialog->open();
}

void RunsPage::addFolder(const QString& folder)
{
    m_shelf.addFolder(folder);
    refreshFolders();
}

void RunsPage::showRun(const QString& path)
{
    addFolder(QFileInfo(path).path());
    m_wanted = path;
    m_filter->clear();
    m_shelf.refresh();
}

QString RunsPage::chosenPath() const
{
    return m_shelf.chosen().size() == 1 ? m_shelf.chosen().front() : QString();
}

/// Runs that were chosen before keep their place, and with it their hue.
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

// ----------------------------------------------------------------------------------------- refresh

void RunsPage::refresh(ChangeSet)
{
    refreshTable();
    refreshCard();
    refreshCurves();
}

void RunsPage::refreshFolders()
{
    const QSignalBlocker blocker(m_folder);
    m_folder->clear();
    m_folder->addItem(m_shelf.folders().size() == 1 ? tr("Own folder") : tr("All folders"));
    for (const QString& folder : m_shelf.folders().mid(1)) {
        m_folder->addItem(QFileInfo(folder).fileName(), folder);
        m_folder->setItemData(m_folder->count() - 1, folder, Qt::ToolTipRole);
    }
    m_folder->setToolTip(m_shelf.folders().join(QLatin1Char('\n')));
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
    const auto all = static_cast<qsizetype>(m_shelf.runs().size());
    if (m_shelf.isKnown())
        m_count->setText(shown.size() == m_shelf.runs().size()
                             ? (all == 1 ? tr("1 run") : tr("%1 runs").arg(all))
                             : tr("%1 of %2 runs").arg(shown.size()).arg(all));
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
                          tr("Train something: every run is kept in %1, also those of "
                             "\u201Cheadscope train\u201D there.")
                              .arg(m_shelf.folders().value(0)),
                          {});
    else
        m_empty->setTexts(tr("No run matches"), tr("Esc clears the filter."), {});
}

void RunsPage::refreshCard()
{
    const QStringList& chosen = m_shelf.chosen();
    const RunEntry* first = chosen.isEmpty() ? nullptr : m_shelf.run(chosen[0]);
    const RunEntry* second = chosen.size() == 2 ? m_shelf.run(chosen[1]) : nullptr;
    if (chosen.size() == 1 && first) {
        m_card->showRun(*first);
        if (m_shelf.series().size() == 1 && m_shelf.series().front().path == first->summary.path)
            m_card->setMoments(m_shelf.series().front().moments);
    } else if (first && second) {
        m_card->showDifferences(*first, *second);
    } else {
        m_card->showNone(static_cast<int>(chosen.size()));
    }
}

void RunsPage::refreshCurves()
{
    const QStringList names = curveNames(m_shelf.series());
    if (m_curve->count() != names.size()) {
        const QSignalBlocker blocker(m_curve);
        m_curve->clear();
        for (const QString& name : names)
            m_curve->addItem(curveTitle(name), name);
    }
    m_curve->setCurrentIndex(std::max(0, m_curve->findData(m_options.curve)));
    m_axis->setCurrent(m_options.byTokens ? 1 : 0);
    LineChartContent content = runsChart(m_shelf.series(), m_options);
    if (content.isEmpty())
        content.note = m_shelf.chosen().isEmpty() ? tr("choose runs in the table")
                                                  : tr("the chosen runs have not measured it");
    m_chart->setContent(std::move(content));
    m_export->setEnabled(!m_shelf.series().empty());
}

// --------------------------------------------------------------------------------------- as a page

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
    if (m_filter->text().isEmpty())
        return false;
    m_filter->clear();
    return true;
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

void RunsPage::focusMain()
{
    m_table->setFocus(Qt::OtherFocusReason);
}

QJsonObject RunsPage::options() const
{
    return m_options.toJson();
}

void RunsPage::setOptions(const QJsonObject& options)
{
    m_options = RunsOptions::fromJson(options);
    m_filter->setText(m_options.filter);
    m_logX->setChecked(m_options.logarithmicX);
    m_logY->setChecked(m_options.logarithmicY);
    note(Change::Display);
}

QString RunsPage::hint() const
{
    return tr("Space and Shift choose more runs \u00B7 \u2190 \u2192 sort \u00B7 Enter opens "
              "\u00B7 Del deletes");
}

QString RunsPage::noNumberWords() const
{
    return tr("The numbers here are measurements of training: they have no single origin.");
}

} // namespace headscope::ui
