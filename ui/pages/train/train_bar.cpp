#include "ui/pages/train/train_bar.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/train/train_readings.h"
#include "ui/widgets/labels.h"

#include <QEvent>
#include <QMenu>
#include <QPainter>
#include <QPushButton>

namespace headscope::ui {

namespace {

constexpr int kHeight = 40;
constexpr int kIcon = 16;

enum class RunSign { Start, Pause, Step, Stop };

/// Filled shapes in a 16 × 16 box.
QPixmap signPixmap(RunSign sign, const QColor& colour, double ratio)
{
    QPixmap pixmap(qRound(kIcon * ratio), qRound(kIcon * ratio));
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    const QPolygonF triangle({QPointF(4, 2), QPointF(13, 8), QPointF(4, 14)});
    switch (sign) {
    case RunSign::Start:
        painter.drawPolygon(triangle);
        break;
    case RunSign::Pause:
        painter.drawRoundedRect(QRectF(3, 2, 3.5, 12), 1, 1);
        painter.drawRoundedRect(QRectF(9.5, 2, 3.5, 12), 1, 1);
        break;
    case RunSign::Step:
        painter.drawPolygon(triangle.translated(-2, 0));
        painter.drawRoundedRect(QRectF(12, 2, 2.5, 12), 1, 1);
        break;
    case RunSign::Stop:
        painter.drawRoundedRect(QRectF(3, 3, 10, 10), 1, 1);
        break;
    }
    return pixmap;
}

QString startText(TrainingPhase state)
{
    switch (state) {
    case TrainingPhase::Running:
        return TrainBar::tr("Pause");
    case TrainingPhase::Paused:
        return TrainBar::tr("Continue");
    case TrainingPhase::Stopped:
        return TrainBar::tr("Resume");
    default:
        return TrainBar::tr("Start");
    }
}

} // namespace

TrainBar::TrainBar(QWidget* parent)
    : QWidget(parent)
    , m_start(new QPushButton(this))
    , m_step(new QPushButton(tr("Step"), this))
    , m_stop(new QPushButton(tr("Stop"), this))
    , m_more(new QPushButton(tr("More \u25BE"), this))
    , m_menu(new QMenu(this))
    , m_title(new TextLabel({}, TextRole::Title, TextLabel::Tone::Text, this))
    , m_of(new TextLabel({}, TextRole::Lesson, TextLabel::Tone::Text3, this))
    , m_readings(new TrainReadings(this))
{
    m_start->setObjectName("startTraining");
    m_step->setObjectName("stepTraining");
    m_start->setProperty("role", "primary");
    m_start->setMinimumWidth(104);
    m_more->setMenu(m_menu);
    for (QPushButton* button : {m_start, m_step, m_stop, m_more})
        button->setFixedHeight(kHeight);
    rowOf(8,
          {m_start,
           m_step,
           m_stop,
           m_more,
           Placed::gap(12),
           m_title,
           m_of,
           Placed::gap(12),
           {m_readings, 1}},
          this);
    connect(m_start, &QPushButton::clicked, this, &TrainBar::startWanted);
    connect(m_step, &QPushButton::clicked, this, &TrainBar::stepWanted);
    connect(m_stop, &QPushButton::clicked, this, &TrainBar::stopWanted);
    setState({});
}

void TrainBar::setState(const TrainBarState& state)
{
    m_state = state;
    const bool isReadOnly = !state.whyReadOnly.isEmpty();
    const bool canTrain = !isReadOnly && (state.state == TrainingPhase::Running ||
                                          state.state == TrainingPhase::Paused ||
                                          state.state == TrainingPhase::Stopped);
    m_start->setText(isReadOnly ? tr("Start") : startText(state.state));
    const auto explain = [&](QPushButton* button, const QString& toolTip) {
        button->setToolTip(isReadOnly ? state.whyReadOnly : toolTip);
    };
    explain(m_start, state.state == TrainingPhase::Running ? tr("Pause after the current step (F5)")
                                                           : tr("Train (F5)"));
    explain(m_step, tr("Train one step, then pause (F10)"));
    explain(m_stop, tr("Save and close the run (Shift+F5)"));
    m_start->setEnabled(canTrain && (state.step < state.steps));
    m_step->setEnabled(m_start->isEnabled());
    m_stop->setEnabled(state.state != TrainingPhase::None && state.state != TrainingPhase::Stopped);
    m_title->setText(tr("Step %1").arg(count(state.step)));
    m_of->setText(tr("of %1").arg(count(state.steps)));
    m_readings->setReadings(state.readings);
    refreshIcons();
}

void TrainBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refreshIcons();
}

void TrainBar::refreshIcons()
{
    const Theme theme = Theme::of(*this);
    const double ratio = devicePixelRatioF();
    const auto show = [&](QPushButton* button, RunSign sign, const QColor& colour) {
        QIcon icon(signPixmap(sign, colour, ratio));
        icon.addPixmap(signPixmap(sign, theme.text3, ratio), QIcon::Disabled);
        button->setIcon(icon);
        button->setIconSize({kIcon, kIcon});
    };
    show(m_start, m_state.state == TrainingPhase::Running ? RunSign::Pause : RunSign::Start,
         theme.onAccent);
    show(m_step, RunSign::Step, theme.text);
    show(m_stop, RunSign::Stop, theme.text);
}

} // namespace headscope::ui
