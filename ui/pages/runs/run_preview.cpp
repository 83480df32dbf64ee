#include "ui/pages/runs/run_preview.h"

#include "core/experiments/task_catalogue.h"
#include "ui/pages/runs/run_estimator.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/runs/run_form_content.h"
#include "ui/pages/shared/whole_texts.h"
#include "ui/widgets/charts/lines/line_chart.h"
#include "ui/widgets/labels.h"

#include <QFileInfo>
#include <QPushButton>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr int kWidth = 432; // Its texts and the chart fit a small screen.

} // namespace

RunPreview::RunPreview(const RunDraft& draft, RunEstimator& estimator, QWidget* parent)
    : QWidget(parent)
    , m_draft(draft)
    , m_estimator(estimator)
    , m_title(heading({}, this))
    , m_description(paragraph({}, TextRole::Body, Tone::Text, this))
    , m_lookFor(paragraph({}, TextRole::Body, Tone::Text2, this))
    , m_baseline(paragraph({}, TextRole::Body, Tone::Text2, this))
    , m_measure(new QPushButton(this))
    , m_parameters(new TextLabel({}, TextRole::Figure, Tone::Accent, this))
    , m_memory(paragraph({}, TextRole::Body, Tone::Text2, this))
    , m_time(new TextLabel({}, TextRole::Title, Tone::Text, this))
    , m_timeText(paragraph({}, TextRole::Body, Tone::Text3, this))
    , m_schedule(new LineChart(tr("Learning rate by step"), this))
{
    setFixedWidth(kWidth);
    new WholeTexts(*this);
    m_measure->setProperty("role", "link");
    m_schedule->setMinimumHeight(64);
    auto* column = columnOf(6, {}, this);
    addTask(column);
    column->addWidget(new Hairline(Qt::Horizontal, this));
    addSizes(column);
    column->addWidget(new Hairline(Qt::Horizontal, this));
    column->addWidget(m_schedule, 1);
    connect(m_measure, &QPushButton::clicked, &m_estimator, &RunEstimator::toggleBaseline);
    connect(&m_estimator, &RunEstimator::changed, this, &RunPreview::refreshEstimate);
    connect(&m_estimator, &RunEstimator::baselineReported, m_baseline, &TextLabel::setText);
}

void RunPreview::addTask(QVBoxLayout* column)
{
    auto* baseline = rowOf(8, {{m_baseline, 1}, m_measure});
    column->addWidget(m_title);
    column->addWidget(m_description);
    column->addWidget(m_lookFor);
    column->addLayout(baseline);
}

void RunPreview::addSizes(QVBoxLayout* column)
{
    auto* parameters = columnOf(0, {caption(tr("Parameters"), this), m_parameters});
    auto* time = columnOf(0, {caption(tr("Time for all steps"), this), {m_time, 1}});
    column->addLayout(rowOf(24, {{parameters, 1}, time}));
    column->addWidget(m_memory);
    column->addWidget(m_timeText);
}

void RunPreview::refreshTask()
{
    const CatalogueTask* known = taskOf(m_draft.config());
    const QString text = QString::fromStdString(m_draft.config().data.text);
    m_title->setText(!text.isEmpty() ? QFileInfo(text).fileName()
                     : known         ? QString::fromStdString(known->title)
                                     : tr("Custom configuration"));
    m_description->setText(known ? QString::fromStdString(known->description) : QString());
    m_lookFor->setText(known ? QString::fromStdString(known->lookFor) : QString());
    for (TextLabel* label : {m_description, m_lookFor})
        label->setVisible(!label->text().isEmpty());
}

void RunPreview::refreshEstimate()
{
    const RunEstimate& estimate = m_estimator.estimate();
    const QString unknown = QStringLiteral("\u2013");
    const bool isKnown = estimate.parameters > 0 && m_draft.isValid();
    m_parameters->setText(isKnown ? count(estimate.parameters) : unknown);
    m_memory->setText(isKnown ? tr("%1 of memory, plus activations").arg(memoryText(estimate.bytes))
                              : QString());
    const double seconds = estimate.secondsPerStep * static_cast<double>(m_draft.config().steps);
    m_time->setText(isKnown && estimate.secondsPerStep > 0.0 ? timeText(seconds) : unknown);
    m_timeText->setText(m_draft.isValid() ? estimateText(m_draft.config(), estimate)
                                          : tr("Fix the setting first."));
    refreshBaseline();
}

void RunPreview::refreshBaseline()
{
    const bool isQuick = isQuicklyPrepared(m_draft.config());
    const bool isMeasuring = m_estimator.isMeasuringBaseline();
    if (m_estimator.estimate().baseline)
        m_baseline->setText(baselineText(*m_estimator.estimate().baseline));
    else if (!isMeasuring)
        m_baseline->setText(isQuick ? QString() : tr("Trigram baseline: not measured yet."));
    m_measure->setVisible(!isQuick && m_draft.isValid());
    m_measure->setText(isMeasuring ? tr("Cancel") : tr("Measure"));
}

void RunPreview::refreshSchedule()
{
    m_schedule->setContent(scheduleChart(m_draft.config()));
}

} // namespace headscope::ui
