#include "ui/pages/train/train_messages.h"

#include "ui/pages/train/train_film.h"
#include "ui/session/runs/training.h"
#include "ui/widgets/controls/message_bar.h"

namespace headscope::ui {

TrainMessages::TrainMessages(MessageBar& bar, Training& training, TrainFilm& film)
    : m_bar(bar)
    , m_training(training)
    , m_film(film)
{
    const auto take = [this](const QString& sentence, bool isError) {
        m_error = sentence;
        m_isError = isError;
        emit changed();
    };
    connect(&m_training, &Training::messageWanted, this, take);
    connect(&m_film, &TrainFilm::failed, this,
            [take](const QString& sentence) { take(sentence, true); });
    connect(&m_film, &TrainFilm::progressed, this, [this](int done) {
        m_filmDone = done;
        emit changed();
    });
    connect(&m_bar, &MessageBar::buttonPressed, this, &TrainMessages::press);
    connect(&m_bar, &MessageBar::dismissed, this, [this] {
        m_dismissed = m_bar.sentence();
        m_error.clear();
    });
}

void TrainMessages::refresh()
{
    if (m_film.isRunning())
        return showProgress(tr("Exporting the film: frame %1 of %2")
                                .arg(m_filmDone)
                                .arg(m_training.record().snapshots.size()));
    if (m_training.state() == TrainingPhase::Preparing)
        return showProgress(m_training.saying().isEmpty() ? tr("Preparing the run")
                                                          : m_training.saying());
    const SeriesMeter& meter = m_training.meter();
    if (meter.isMeasuring())
        return showProgress(tr("Measuring the heads of all checkpoints: %1 of %2")
                                .arg(meter.done())
                                .arg(meter.all()));
    if (!m_error.isEmpty())
        return m_bar.show(m_isError ? MessageKind::Error : MessageKind::Note, m_error);
    const auto& divergence = m_training.divergence();
    if (divergence && m_dismissed != divergence->sentence)
        return showDivergence();
    m_bar.hide();
}

void TrainMessages::showProgress(const QString& sentence)
{
    m_bar.show(MessageKind::Progress, sentence, tr("Cancel"));
}

void TrainMessages::showDivergence()
{
    const Divergence& divergence = *m_training.divergence();
    m_bar.show(MessageKind::Error, divergence.sentence,
               divergence.lastGood ? tr("Show step %1").arg(count(*divergence.lastGood))
                                   : QString());
}

void TrainMessages::press()
{
    if (m_film.isRunning())
        return m_film.cancel();
    if (m_training.state() == TrainingPhase::Preparing)
        return m_training.cancelPreparation();
    if (m_training.meter().isMeasuring())
        return m_training.cancelMeasuring();
    const auto& divergence = m_training.divergence();
    if (divergence && divergence->lastGood)
        m_training.showSnapshot(*divergence->lastGood);
}

} // namespace headscope::ui
