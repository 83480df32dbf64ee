#include "ui/pages/example/example_side.h"

#include "core/lessons/worked/example_inputs.h"
#include "ui/pages/example/example_reasons.h"
#include "ui/pages/example/example_text.h"
#include "ui/pages/shared/boxes.h"
#include "ui/widgets/controls/choice_box.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/worked/worked_widget.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace headscope::ui {

namespace {

constexpr double kColumn = 312.0; // Width, including both margins.
constexpr double kMargin = 26.0;
constexpr std::array<double, 4> kSpeeds = {0.5, 1.0, 2.0, 4.0};

TextLabel* topText(TextRole role, TextLabel::Tone tone)
{
    auto* label = paragraph({}, role, tone);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    return label;
}

QVBoxLayout* columnOf(QWidget* widget, int spacing)
{
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing);
    return column;
}

} // namespace

ExampleSide::ExampleSide(ExampleStage& stage, QWidget* parent)
    : QWidget(parent)
    , m_stage(stage)
    , m_choice(new ChoiceBox)
{
    auto* column = columnOf(this, 12);
    m_choice->setPurpose(tr("Example"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->setMinimumContentsLength(12);
    auto* code = new QPushButton(tr("&Code"));
    code->setObjectName("show-code");
    code->setToolTip(tr("Show this calculation as a program, in C++ or PyTorch"));
    column->addLayout(rowOf(8, {{m_choice, 1}, code}));
    column->addWidget(makeText());
    column->addWidget(new Hairline);
    column->addWidget(makeTry());
    column->addWidget(new Hairline);
    column->addWidget(makeChange());
    column->addStretch();
    connect(m_choice, &QComboBox::activated, this, [this](int index) {
        if (index >= 0 && index < m_names.size())
            emit exampleChosen(m_names[index]);
    });
    connect(code, &QPushButton::clicked, this, &ExampleSide::codeWanted);
    connect(&stage, &ExampleStage::stepped, this, &ExampleSide::refresh);
    connect(&stage, &ExampleStage::changed, this, &ExampleSide::refresh);
    refresh();
}

QWidget* ExampleSide::makeText()
{
    auto* words = new QWidget;
    auto* column = columnOf(words, 8);
    m_note = topText(TextRole::Caption, TextLabel::Tone::Text3);
    m_title = paragraph({}, TextRole::Title);
    m_what = topText(TextRole::Lesson, TextLabel::Tone::Text);
    m_why = topText(TextRole::Lesson, TextLabel::Tone::Text2);
    m_note->hide();
    for (TextLabel* label : {m_note, m_title, m_what, m_why})
        column->addWidget(label);
    return words;
}

QWidget* ExampleSide::makeTry()
{
    auto* whole = new QWidget;
    auto* column = columnOf(whole, 8);
    m_try = new QCheckBox(tr("Let me try"));
    m_try->setToolTip(tr("Compute the next number yourself and have it checked"));
    m_turn = new QWidget;
    auto* turn = columnOf(m_turn, 8);
    m_question = topText(TextRole::Body, TextLabel::Tone::Text);
    m_question->setStrong(true);
    m_answer = new QLineEdit;
    m_answer->setAccessibleName(tr("Your number"));
    auto* checkButton = new QPushButton(tr("Check"));
    auto* row = rowOf(8, {{m_answer, 1}, checkButton});
    m_feedback = topText(TextRole::Body, TextLabel::Tone::Text2);
    turn->addWidget(m_question);
    turn->addLayout(row);
    turn->addWidget(m_feedback);
    column->addWidget(m_try);
    column->addWidget(m_turn);
    m_turn->hide();
    connect(m_try, &QCheckBox::toggled, this, [this](bool on) {
        m_stage.setTrying(on);
        refresh();
        if (on)
            m_answer->setFocus(Qt::OtherFocusReason);
    });
    connect(m_answer, &QLineEdit::returnPressed, this, &ExampleSide::check);
    connect(checkButton, &QPushButton::clicked, this, &ExampleSide::check);
    connect(&m_stage, &ExampleStage::answered, this, [this](const WorkedAnswer& answer) {
        m_feedback->setTone(answer.isRight() ? TextLabel::Tone::Ok : TextLabel::Tone::Error);
        m_feedback->setText(answer.isRight() ? tr("✓ %1").arg(answer.sentence) : answer.sentence);
        m_answer->setAccessibleDescription(m_feedback->text());
        if (answer.isRight())
            m_answer->clear();
        else
            m_answer->selectAll();
    });
    return whole;
}

QWidget* ExampleSide::makeChange()
{
    auto* whole = new QWidget;
    auto* column = columnOf(whole, 8);
    m_reset = new QPushButton(tr("Reset"));
    m_reset->setProperty("role", "link");
    m_reset->setToolTip(tr("Restore all original numbers and switches"));
    auto* top = rowOf(kStyleSpacing, {heading(tr("Change it")), Placed::space(0), m_reset});
    auto* note = topText(TextRole::Body, TextLabel::Tone::Text2);
    note->setText(tr("Click any input and type another value. All later steps follow."));
    m_switches = new QGridLayout;
    m_switches->setContentsMargins(0, 0, 0, 0);
    m_switches->setHorizontalSpacing(16);
    m_switches->setVerticalSpacing(8);
    m_exact = new QCheckBox(tr("Exact forms"));
    m_exact->setToolTip(tr("Show fractions and roots in place of decimals, where they are short"));
    m_speed = new SegmentBar;
    m_speed->setAccessibleName(tr("Playback speed"));
    m_speed->setSegments({{tr("½×"), tr("One number every 1.8 seconds"), true},
                          {tr("1×"), tr("One number every 0.9 seconds"), true},
                          {tr("2×"), {}, true},
                          {tr("4×"), {}, true}});
    m_speed->setCurrent(1);
    auto* speed = rowOf(12, {new TextLabel(tr("Speed"), TextRole::Body, TextLabel::Tone::Text2),
                             m_speed, Placed::space(0)});
    column->addLayout(top);
    column->addWidget(note);
    column->addLayout(m_switches);
    column->addLayout(speed);
    connect(m_exact, &QCheckBox::toggled, &m_stage, &ExampleStage::setExact);
    connect(m_reset, &QPushButton::clicked, &m_stage, &ExampleStage::reset);
    connect(m_speed, &SegmentBar::currentChanged, this,
            [this](int index) { m_stage.setSpeed(kSpeeds[static_cast<std::size_t>(index)]); });
    return whole;
}

void ExampleSide::setChoices(const QStringList& names, const QStringList& titles)
{
    m_names = names;
    m_choice->clear();
    m_choice->addItems(titles);
}

void ExampleSide::setChosen(const QString& name)
{
    m_choice->setCurrentIndex(static_cast<int>(m_names.indexOf(name)));
    refresh();
}

void ExampleSide::setNote(const QString& words)
{
    m_note->setText(words);
    m_note->setVisible(!words.isEmpty());
}

void ExampleSide::check()
{
    m_stage.answer(m_answer->text());
}

void ExampleSide::makeSwitches()
{
    for (QCheckBox* box : m_boxes)
        delete box;
    m_boxes.clear();
    for (const ExampleInputs::Switch& each : m_stage.state().inputs.switches) {
        auto* box = new QCheckBox(QString::fromStdString(each.title), this);
        box->setObjectName(QString::fromStdString(each.name));
        m_boxes.push_back(box);
        connect(box, &QCheckBox::toggled, this, [this, box](bool on) {
            m_stage.setSwitch(box->objectName(), on);
            refreshSwitches(); // Restores a switch that was rejected.
        });
    }
    placeSwitches();
}

/// Puts two side by side where they fit.
void ExampleSide::placeSwitches()
{
    std::vector<QCheckBox*> boxes = m_boxes;
    boxes.push_back(m_exact);
    std::array<int, 2> widest{};
    for (std::size_t i = 0; i < boxes.size(); ++i)
        widest[i % 2] = std::max(widest[i % 2], boxes[i]->sizeHint().width());
    const double room = (kColumn - 2.0 * kMargin) * Theme::of(*this).scale();
    const int columns = widest[0] + widest[1] + m_switches->horizontalSpacing() < room ? 2 : 1;
    for (QCheckBox* box : boxes)
        m_switches->removeWidget(box);
    for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
        m_switches->addWidget(boxes[static_cast<std::size_t>(i)], i / columns, i % columns);
}

void ExampleSide::refreshSwitches()
{
    const auto& switches = m_stage.state().inputs.switches;
    const bool isSame = m_boxes.size() == switches.size() &&
                        std::equal(switches.begin(), switches.end(), m_boxes.begin(),
                                   [](const ExampleInputs::Switch& each, const QCheckBox* box) {
                                       return box->objectName().toStdString() == each.name;
                                   });
    if (!isSame)
        makeSwitches();
    for (std::size_t i = 0; i < switches.size(); ++i) {
        const QSignalBlocker blocked(m_boxes[i]);
        m_boxes[i]->setChecked(switches[i].on);
    }
}

bool ExampleSide::event(QEvent* event)
{
    if (event->type() == QEvent::ApplicationFontChange)
        placeSwitches();
    return QWidget::event(event);
}

void ExampleSide::refresh()
{
    const WorkedDiagram& diagram = m_stage.matrices().diagram();
    const auto& example = m_stage.state().example;
    refreshSwitches();
    const auto stage = static_cast<std::size_t>(diagram.stage());
    m_title->setText(stage < example.stages.size()
                         ? QString::fromStdString(example.stages[stage].title)
                         : QString());
    m_what->setText(whatText(diagram));
    const QString why = whyText(diagram);
    m_why->setText(why);
    const bool trying = m_stage.isTrying();
    m_why->setVisible(!why.isEmpty() && !trying);
    const WorkedStep* next = diagram.nextStep();
    {
        const QSignalBlocker blocked(m_try);
        m_try->setChecked(trying);
    }
    m_turn->setVisible(trying);
    m_question->setText(next ? questionOf(example, m_stage.state().done)
                             : tr("All numbers are computed."));
    m_answer->setEnabled(next != nullptr);
    if (m_feedback->text().isEmpty() || !trying) {
        m_feedback->setTone(TextLabel::Tone::Text2);
        m_feedback->setText(trying ? tr("Two decimals are enough. Fractions are accepted.")
                                   : QString());
    }
    {
        const QSignalBlocker blocked(m_exact);
        m_exact->setChecked(m_stage.isExact());
    }
    m_reset->setVisible(m_stage.isEdited());
}

} // namespace headscope::ui
