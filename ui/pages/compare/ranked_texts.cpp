#include "ui/pages/compare/ranked_texts.h"

#include "core/attention/cpu_attention.h"
#include "core/base/content_language.h"
#include "ui/pages/compare/ranked_table.h"
#include "ui/pages/shared/boxes.h"
#include "ui/session/session.h"
#include "ui/widgets/labels.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QProgressBar>
#include <QPushButton>

#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kDecimals = 4;

std::vector<ScoreColumn> textColumns()
{
    return {{RankedTexts::tr("mean KL"),
             RankedTexts::tr("Mean over the tokens of KL(A || B) of the next-token predictions, in "
                             "bits"),
             kDecimals},
            {RankedTexts::tr("largest"),
             RankedTexts::tr("Largest KL(A || B) of one token, in bits"), kDecimals},
            {RankedTexts::tr("tokens"), RankedTexts::tr("Number of compared tokens"), 0}};
}

std::vector<ScoreRow> textRows(const std::vector<TextDifference>& results)
{
    std::vector<ScoreRow> rows;
    for (const TextDifference& one : results) {
        QString text = QString::fromStdString(one.text);
        if (!one.problem.empty())
            text += QStringLiteral(" (%1)").arg(QString::fromStdString(message(one.problem)));
        const bool isCompared = one.problem.empty();
        rows.push_back({QString::number(rows.size() + 1),
                        {},
                        text,
                        {one.meanBits, isCompared ? one.largestBits : NAN,
                         isCompared ? static_cast<double>(one.tokens) : NAN}});
    }
    return rows;
}

} // namespace

RankedTexts::RankedTexts(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_builtin(new QPushButton(tr("Rank sample sentences"), this))
    , m_file(new QPushButton(tr("Rank the lines of a file\u2026"), this))
    , m_open(new QPushButton(tr("Open text"), this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_bar(new QProgressBar(this))
    , m_state(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_table(new RankedTable(tr("Texts"), tr("Text"), textColumns(), this))
{
    m_table->setObjectName("rankedTexts");
    m_table->table().setNamesWide(true);
    columnOf(8, {makeControls(), {m_table, 1}}, this);
    connectControls();
    refreshControls();
}

QLayout* RankedTexts::makeControls()
{
    m_builtin->setToolTip(tr("Compares the predictions of both models on short English sentences"));
    m_file->setToolTip(
        tr("Compares the predictions of both models on a file with one text a line"));
    m_open->setToolTip(tr("Makes the selected text the sentence"));
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(160);
    m_bar->setAccessibleName(tr("Ranking of texts"));
    m_bar->setRange(0, 1000);
    m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return rowOf(12, {m_builtin, m_file, m_bar, m_cancel, {m_state, 1}, m_open});
}

void RankedTexts::connectControls()
{
    connect(m_builtin, &QPushButton::clicked, this, &RankedTexts::rankBuiltin);
    connect(m_file, &QPushButton::clicked, this, &RankedTexts::chooseFile);
    connect(m_cancel, &QPushButton::clicked, this, &RankedTexts::cancel);
    connect(m_table, &RankedTable::rowActivated, this, &RankedTexts::refreshControls);
    connect(m_table, &RankedTable::rowOpened, this, &RankedTexts::openText);
    connect(m_open, &QPushButton::clicked, this, [this] {
        const int shown = m_table->table().currentRow();
        if (shown >= 0)
            openText(m_table->order()[static_cast<std::size_t>(shown)]);
    });
}

RankedTexts::ModelPair RankedTexts::models() const
{
    return {m_session.models().model().model, m_session.models().second().model};
}

void RankedTexts::refresh()
{
    if (models() != m_models) {
        m_task.cancel();
        m_models = {};
        m_results.clear();
        m_problem.clear();
        showResults();
    }
    refreshControls();
}

void RankedTexts::rankBuiltin()
{
    rank([] { return builtinTexts(); }, tr("sample sentences"));
}

void RankedTexts::rankFile(const QString& path)
{
    rank([path = path.toStdString()] { return textLines(path); }, QFileInfo(path).fileName());
}

void RankedTexts::chooseFile()
{
    auto* dialog = new QFileDialog(this, tr("Texts, one a line"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Text files (*.txt *.md *.csv)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &RankedTexts::rankFile);
    dialog->open();
}

/// Models alone are compared: masks, ablations and other changes of B have no part in it.
void RankedTexts::rank(ReadTexts read, const QString& source)
{
    m_models = models();
    m_source = source;
    m_problem.clear();
    m_results.clear();
    m_progress = 0.0;
    showResults();
    m_task.start(
        [this, read = std::move(read), a = m_session.models().model(),
         b = m_session.models().second()](const LatestTask::Control& control) {
            Progress progress(control.stop(), [&](std::uint64_t done, std::uint64_t total) {
                const double fraction = static_cast<double>(done) / static_cast<double>(total);
                control.tell([this, fraction] {
                    m_progress = fraction;
                    refreshControls();
                });
            });
            const std::vector<std::string> texts = read();
            return compareOnTexts(
                a, b, texts, [] { return std::make_unique<CpuAttention>(); }, progress);
        },
        [this](const std::vector<TextDifference>& results) { adopt(results); },
        [this](const QString& sentence) {
            m_problem = sentence;
            refreshControls();
        });
    refreshControls();
    m_cancel->setFocus(Qt::OtherFocusReason);
}

bool RankedTexts::cancel()
{
    if (!isRanking())
        return false;
    m_task.cancel();
    m_problem = tr("Cancelled.");
    refreshControls();
    return true;
}

void RankedTexts::adopt(const std::vector<TextDifference>& results)
{
    m_results = ranked(results);
    showResults();
    m_table->setCurrent(0);
    refreshControls();
    if (isVisible())
        m_table->table().setFocus(Qt::OtherFocusReason);
}

void RankedTexts::openText(int row)
{
    m_session.document().replaceText(
        QString::fromStdString(m_results[static_cast<std::size_t>(row)].text));
    emit textOpened();
}

void RankedTexts::showResults()
{
    m_table->setRows(textRows(m_results));
}

void RankedTexts::refreshControls()
{
    const auto [a, b] = models();
    const bool areTwo = a && b && a != b;
    const bool isRunning = isRanking();
    m_builtin->setVisible(!isRunning);
    m_file->setVisible(!isRunning);
    m_builtin->setEnabled(areTwo);
    m_file->setEnabled(areTwo);
    m_bar->setVisible(isRunning);
    m_bar->setValue(static_cast<int>(1000.0 * m_progress));
    m_cancel->setVisible(isRunning);
    m_open->setEnabled(m_table->table().currentRow() >= 0);
    m_state->setText(state());
    m_state->setToolTip(m_state->text());
}

QString RankedTexts::state() const
{
    const auto [a, b] = models();
    if (isRanking())
        return tr("comparing on %1").arg(m_source);
    if (!a || !b || a == b)
        return tr("Choose another model for B, or change B\u2019s weights, to compare on many "
                  "texts.");
    return m_problem.isEmpty() ? resultText() : m_problem;
}

QString RankedTexts::resultText() const
{
    if (m_results.empty())
        return tr("Find the texts on which the predictions of A and B differ most.");
    const QString texts = tr("%1 texts of %2, by mean KL(A || B)")
                              .arg(count(static_cast<long long>(m_results.size())), m_source);
    return m_results.size() < kMostTexts ? texts : tr("%1; the rest is left out").arg(texts);
}

} // namespace headscope::ui
