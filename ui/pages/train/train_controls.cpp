#include "ui/pages/train/train_controls.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/train/train_texts.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"

#include <QPushButton>
#include <QSignalBlocker>

namespace headscope::ui {

TrainControls::TrainControls(TrainOptions& options, QWidget* parent)
    : QWidget(parent)
    , m_options(options)
    , m_upper(new SegmentBar(this))
    , m_lower(new SegmentBar(this))
    , m_score(new ChoiceBox(this))
    , m_logSteps(new QPushButton(tr("Log steps"), this))
    , m_logValues(new QPushButton(tr("Log values"), this))
    , m_play(new QPushButton(tr("Play"), this))
{
    m_upper->setSegments(
        {{tr("Loss"), tr("Training and validation loss")},
         {tr("Accuracy"), tr("Fraction of held-out targets predicted correctly")}});
    m_upper->setAccessibleName(tr("Upper chart"));
    showLower(false);
    m_lower->setAccessibleName(tr("Lower chart"));
    m_score->setPurpose(tr("Score"));
    m_score->setMinimumContentsLength(14);
    for (QPushButton* toggle : {m_logSteps, m_logValues, m_play})
        toggle->setCheckable(true);
    m_logSteps->setToolTip(tr("Steps on a logarithmic axis"));
    m_logValues->setToolTip(tr("Values on a logarithmic axis"));
    m_play->setToolTip(tr("Play the snapshots in order (Space on the timeline)"));
    makeLayout();
    connectCharts();
    connectAxes();
    connect(m_play, &QPushButton::clicked, this, &TrainControls::playToggled);
}

void TrainControls::showLower(bool hasExperts)
{
    std::vector<Segment> segments{{tr("Head scores"), tr("Scores of what each head attends to")},
                                  {tr("Gradient norm"), tr("Before clipping, total and by layer")},
                                  {tr("Learning rate"), tr("Used and planned")}};
    if (hasExperts)
        segments.push_back(
            {tr("Expert load"), tr("Fraction of the tokens that go to each expert")});
    m_hasExperts = hasExperts;
    m_lower->setSegments(segments);
}

void TrainControls::makeLayout()
{
    rowOf(12, {m_upper, m_lower, m_score, m_logSteps, m_logValues, m_play, Placed::space()}, this);
}

void TrainControls::connectCharts()
{
    connect(m_upper, &SegmentBar::currentChanged, this, [this](int index) {
        m_options.upper = static_cast<TrainOptions::Upper>(index);
        emit optionsChanged();
    });
    connect(m_lower, &SegmentBar::currentChanged, this, [this](int index) {
        m_options.lower = static_cast<TrainOptions::Lower>(index);
        emit optionsChanged();
    });
    connect(m_score, &QComboBox::activated, this, [this](int index) {
        m_options.score = m_score->itemData(index).toString();
        emit optionsChanged();
    });
}

void TrainControls::connectAxes()
{
    connect(m_logSteps, &QPushButton::toggled, this, [this](bool on) {
        m_options.logarithmicSteps = on;
        emit optionsChanged();
    });
    connect(m_logValues, &QPushButton::toggled, this, [this](bool on) {
        m_options.logarithmicValues = on;
        emit optionsChanged();
    });
}

void TrainControls::refresh(const TrainContent& trainContent, bool planning)
{
    m_upper->setCurrent(static_cast<int>(trainContent.options.upper));
    if (hasExperts(trainContent) != m_hasExperts)
        showLower(hasExperts(trainContent));
    m_lower->setCurrent(static_cast<int>(trainContent.options.lower));
    const bool isSeries = trainContent.record.isSeries();
    const QString noLog = isSeries ? tr("Checkpoints of another program have no log") : QString();
    for (const int index : {0, 1})
        m_upper->setSegmentEnabled(index, !isSeries, noLog);
    const QString noStep =
        planning ? tr("There are no snapshots before the first step") : QString();
    m_lower->setSegmentEnabled(0, !planning, noStep);
    m_lower->setSegmentEnabled(1, !planning && !isSeries, planning ? noStep : noLog);
    m_lower->setSegmentEnabled(2, !isSeries, noLog);
    refreshScores(trainContent, planning);
    const QSignalBlocker steps(m_logSteps);
    const QSignalBlocker values(m_logValues);
    m_logSteps->setChecked(m_options.logarithmicSteps);
    m_logValues->setChecked(m_options.logarithmicValues);
    m_play->setEnabled(trainContent.record.snapshots.size() > 1);
}

void TrainControls::refreshScores(const TrainContent& trainContent, bool planning)
{
    const std::vector<std::string> names = trainContent.record.heads.names();
    if (m_score->count() != static_cast<int>(names.size())) {
        m_score->clear();
        for (const std::string& name : names)
            m_score->addItem(scoreText(QString::fromStdString(name)), QString::fromStdString(name));
    }
    m_score->setCurrentIndex(m_score->findData(scoreInUse(trainContent)));
    m_score->setVisible(!planning && trainContent.options.lower == TrainOptions::Lower::Scores &&
                        !names.empty());
}

void TrainControls::setPlaying(bool playing)
{
    m_play->setChecked(playing);
    m_play->setText(playing ? tr("Stop playing") : tr("Play"));
}

} // namespace headscope::ui
