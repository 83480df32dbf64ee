#include "ui/pages/lessons/lesson_stage.h"

#include "core/lessons/worked/example_catalogue.h"
#include "ui/pages/lessons/lesson_example.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/stages/example_stage.h"
#include "ui/pages/shared/stages/lab_stage.h"
#include "ui/session/session.h"
#include "ui/widgets/text/string_list.h"
#include "ui/workers/error_sentence.h"

#include <QEvent>
#include <QStackedLayout>

namespace headscope::ui {

namespace {

/// Value in the form that set() takes, without trailing digits.
std::string typedAs(double value)
{
    return QString::number(value, 'g', 12).toStdString();
}

} // namespace

LessonStage::LessonStage(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_stack(new QStackedLayout(this))
    , m_example(new LessonExample)
    , m_lab(new LabStage(session))
    , m_elsewhere(new QWidget)
    , m_words(new EmptyState(m_elsewhere))
{
    m_stack->addWidget(m_elsewhere);
    m_stack->addWidget(m_example);
    m_stack->addWidget(m_lab);
    fitMargins();
    connect(m_words, &EmptyState::buttonPressed, this,
            [this] { emit pageWanted(QString::fromStdString(m_state.name)); });
}

ExampleStage& LessonStage::example() const
{
    return m_example->stage();
}

/// Hidden pages do not enlarge the window.
void LessonStage::bring(QWidget& part)
{
    for (int index = 0; index < m_stack->count(); ++index)
        m_stack->widget(index)->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    part.setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_stack->setCurrentWidget(&part);
}

void LessonStage::fitMargins()
{
    const int side = Theme::of(*this).scale() > 1.2 ? 16 : 24; // Large type needs the room.
    setContentsMargins(side, 12, side, 8);
}

void LessonStage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitMargins();
}

void LessonStage::showStep(const LessonStep& step)
{
    m_state = step.state;
    try {
        showState(step);
    } catch (const std::exception& error) {
        bring(*m_elsewhere);
        m_words->setTexts(tr("This step cannot be shown"), errorSentence(error), {});
    }
}

void LessonStage::showState(const LessonStep& step)
{
    switch (step.state.kind) {
    case LessonState::Kind::Example:
        m_example->showStep(step);
        bring(*m_example);
        break;
    case LessonState::Kind::Lab: {
        const LabSettings settings = labSettings(step.state);
        m_lab->setLab(QString::fromStdString(step.state.name));
        m_lab->setSettings({settings.values().begin(), settings.values().end()});
        m_lab->hideControls(stringList(step.hide));
        m_lab->highlight(stringList(step.highlight));
        bring(*m_lab);
        break;
    }
    case LessonState::Kind::Page:
        m_words->setTexts(tr("This step is on another page"),
                          tr("Its text stays on the right while the page is open."),
                          tr("Show the page"));
        bring(*m_elsewhere);
        break;
    }
}

void LessonStage::focusMain()
{
    if (m_stack->currentWidget() == m_lab)
        return m_lab->focusMain();
    if (m_stack->currentWidget() == m_example)
        return m_example->focusMain();
    m_stack->currentWidget()->setFocus(Qt::OtherFocusReason);
}

bool LessonStage::isSettled() const
{
    if (m_stack->currentWidget() == m_lab)
        return m_lab->isSettled();
    return true;
}

Figure LessonStage::figure() const
{
    if (m_stack->currentWidget() == m_lab)
        return m_lab->figure();
    return {};
}

LessonState LessonStage::state() const
{
    if (m_stack->currentWidget() == m_example)
        return exampleStateOf(example());
    if (m_stack->currentWidget() == m_lab)
        return labStateOf(*m_lab);
    return m_state;
}

LessonState exampleStateOf(const ExampleStage& stage)
{
    const ExampleState& now = stage.state();
    LessonState state{LessonState::Kind::Example, now.inputs.example, {}, {}, {}};
    const ExampleInputs first = exampleInputs(now.inputs.example);
    for (const ExampleInputs::Matrix& matrix : now.inputs.matrices) {
        const ExampleInputs::Matrix& before = first.matrix(matrix.name);
        const std::size_t columns = matrix.columnLabels.size();
        for (std::size_t at = 0; at < matrix.values.size() && at < before.values.size(); ++at) {
            if (matrix.values[at] != before.values[at])
                state.set[matrix.name + "[" + std::to_string(at / columns) + "," +
                          std::to_string(at % columns) + "]"] = typedAs(matrix.values[at]);
        }
    }
    for (const ExampleInputs::Switch& entry : now.inputs.switches) {
        if (entry.on != first.isOn(entry.name))
            state.set[entry.name] = entry.on ? "on" : "off";
    }
    state.at = now.done >= now.example.steps.size() ? "end"
               : now.done == 0                      ? "start"
                                                    : std::to_string(now.done);
    return state;
}

LessonState labStateOf(const LabStage& stage)
{
    LessonState state{LessonState::Kind::Lab, stage.lab() ? stage.lab()->name : "", {}, {}, {}};
    if (!stage.lab())
        return state;
    for (const LabControl& control : stage.lab()->controls) {
        const auto settings = stage.settings();
        const auto value = settings.find(control.name);
        if (value != settings.end() && value->second != control.initial)
            state.set[control.name] = value->second;
    }
    return state;
}

} // namespace headscope::ui
