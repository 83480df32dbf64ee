#include "ui/pages/lens/lens_training_panel.h"

#include "core/analysis/lens/tuned_lens_training.h"
#include "ui/pages/shared/boxes.h"
#include "ui/session/samples.h"
#include "ui/session/session.h"
#include "ui/widgets/labels.h"

#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>

namespace headscope::ui {

namespace {

double meanOf(const std::vector<double>& values)
{
    double mean = 0.0;
    for (const double value : values)
        mean += value / static_cast<double>(values.size());
    return mean;
}

} // namespace

LensTrainingPanel::LensTrainingPanel(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_steps(new QSpinBox(this))
    , m_train(new QPushButton(tr("Train"), this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_bar(new QProgressBar(this))
    , m_state(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
{
    m_steps->setRange(1, 100'000);
    m_steps->setSingleStep(50);
    m_steps->setSuffix(tr(" steps"));
    m_steps->setAccessibleName(tr("Steps of training"));
    m_train->setToolTip(tr("On your text, the sample sentence and text that the model writes"));
    m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_state->setObjectName("state");
    m_state->setWordWrap(true);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    rowOf(12, {m_steps, m_train, makeBar(), m_cancel, {m_state, 1}}, this);
    connect(m_steps, &QSpinBox::valueChanged, this, &LensTrainingPanel::stepsChosen);
    connect(m_train, &QPushButton::clicked, this, &LensTrainingPanel::train);
    connect(m_cancel, &QPushButton::clicked, this, &LensTrainingPanel::cancel);
    connectTrainer();
}

QWidget* LensTrainingPanel::makeBar()
{
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(160);
    m_bar->setAccessibleName(tr("Training of the lens"));
    return m_bar;
}

void LensTrainingPanel::connectTrainer()
{
    connect(&m_trainer, &LensTrainer::advanced, this, &LensTrainingPanel::refreshTraining);
    connect(&m_trainer, &LensTrainer::failed, this, [this](const QString& sentence) {
        m_note = sentence.isEmpty() ? tr("Cancelled: nothing was kept.") : sentence;
        emit lensMissed();
    });
    connect(&m_trainer, &LensTrainer::missing, this, &LensTrainingPanel::miss);
    connect(&m_trainer, &LensTrainer::found, this, &LensTrainingPanel::adopt);
}

bool LensTrainingPanel::isLookedUp() const
{
    return m_foundFor == m_session.model().model;
}

void LensTrainingPanel::followModel()
{
    const auto& model = m_session.model().model;
    if (model == m_lookedFor || !model)
        return;
    m_lookedFor = model;
    m_tuned.reset();
    m_foundFor.reset();
    m_isNew = false;
    m_note.clear();
    if (model->config().languageHead)
        m_trainer.find(m_session.model());
}

void LensTrainingPanel::miss(const std::shared_ptr<const Model>& model, const QString& why)
{
    if (model != m_session.model().model)
        return;
    m_foundFor = model;
    m_tuned.reset();
    m_note = why;
    emit lensMissed();
}

void LensTrainingPanel::adopt(const std::shared_ptr<const Model>& model, const TunedLensPtr& lens,
                              const QString& path, bool isNew)
{
    if (model != m_session.model().model) {
        m_note = isNew ? tr("Saved to %1, for the model of before.").arg(path) : QString();
        refreshTraining();
        return;
    }
    m_foundFor = model;
    m_tuned = lens;
    m_path = path;
    m_isNew = isNew;
    m_note.clear();
    emit lensFound();
}

/// The text above and the sentence to begin with; the model itself writes more.
std::vector<SourceAndTarget> LensTrainingPanel::trainingTexts() const
{
    const LoadedModel& model = m_session.model();
    std::vector<SourceAndTarget> texts;
    if (const TracePtr& trace = m_session.traceA(); trace && trace->info().model == model.name)
        texts.push_back({trace->sourceTokens(), trace->tokens()});
    if (!model.tokenizer)
        return texts;
    const QString sample = sampleSentence(QString::fromStdString(model.name));
    TokenSequence tokens = model.tokenizer->encode(sample.toStdString());
    if (model.model->config().isEncoderDecoder())
        texts.push_back({std::move(tokens), {}});
    else
        texts.push_back({{}, std::move(tokens)});
    return texts;
}

void LensTrainingPanel::train()
{
    const LoadedModel& model = m_session.model();
    if (!model.model || isTraining())
        return;
    TunedLensSettings settings = tunedLensSettings(*model.model);
    settings.steps = m_steps->value();
    m_note.clear();
    m_isNew = false;
    m_trainer.train(model, trainingTexts(), settings);
    refreshTraining();
    m_cancel->setFocus(Qt::OtherFocusReason);
}

void LensTrainingPanel::cancel()
{
    m_trainer.cancel();
}

void LensTrainingPanel::refresh(bool showsTuned, int steps)
{
    m_isWanted = showsTuned;
    m_steps->setValue(steps);
    refreshTraining();
}

void LensTrainingPanel::refreshTraining()
{
    const bool training = isTraining();
    const LoadedModel& model = m_session.model();
    const bool canTrain = model.model && model.model->config().languageHead;
    setVisible(canTrain && (m_isWanted || training));
    m_steps->setVisible(!training);
    m_train->setVisible(!training);
    m_train->setText(m_tuned ? tr("Train again") : tr("Train"));
    m_bar->setVisible(training);
    m_cancel->setVisible(training);
    const LensProgress& progress = m_trainer.progress();
    m_bar->setRange(0, progress.all > 0 ? 1000 : 0);
    m_bar->setValue(static_cast<int>(1000.0 * progress.fraction()));
    m_state->setText(state());
    m_state->setToolTip(m_state->text());
}

QString LensTrainingPanel::state() const
{
    const LensProgress& progress = m_trainer.progress();
    switch (progress.phase) {
    case LensProgress::Phase::Writing:
        return tr("the model writes text: %1 of %2 tokens")
            .arg(count(progress.done), count(progress.all));
    case LensProgress::Phase::Reading:
        return tr("reading the texts");
    case LensProgress::Phase::Steps:
        return tr("step %1 of %2, mean KL %3 nats")
            .arg(count(progress.done), count(progress.all), number(progress.divergence, 3));
    default:
        return m_note.isEmpty() ? lensText() : m_note;
    }
}

QString LensTrainingPanel::lensText() const
{
    if (!m_tuned)
        return isLookedUp() ? tr("This model has no tuned lens yet.") : QString();
    return (m_isNew ? tr("KL on held-out text %1 \u2192 %2 nats after %3 steps; saved to %4")
                    : tr("KL on held-out text %1 \u2192 %2 nats after %3 steps; from %4"))
        .arg(number(meanOf(m_tuned->before), 3), number(meanOf(m_tuned->after), 3),
             count(m_tuned->steps), m_path);
}

} // namespace headscope::ui
