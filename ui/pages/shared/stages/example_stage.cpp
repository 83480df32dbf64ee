#include "ui/pages/shared/stages/example_stage.h"

#include "ui/pages/shared/inline_editor.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/controls/step_bar.h"
#include "ui/widgets/worked/worked_widget.h"
#include "ui/workers/error_sentence.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QUndoStack>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kPlayMs = 900.0;

/// Where the person was, in a calculation with other stages: the same cell of the same matrix.
std::size_t samePlace(const WorkedExample& before, std::size_t done, const WorkedExample& after)
{
    if (done == 0)
        return 0;
    if (done >= before.steps.size())
        return after.steps.size();
    const CellAddress cell = before.steps[done - 1].result;
    const std::string& name = before.matrices[static_cast<std::size_t>(cell.matrix)].name;
    for (std::size_t step = 0; step < after.steps.size(); ++step) {
        const CellAddress& other = after.steps[step].result;
        if (other.row == cell.row && other.column == cell.column &&
            after.matrices[static_cast<std::size_t>(other.matrix)].name == name)
            return step + 1;
    }
    return std::min(done, after.steps.size());
}

bool isSame(const ExampleInputs& a, const ExampleInputs& b)
{
    const auto matrices = std::equal(
        a.matrices.begin(), a.matrices.end(), b.matrices.begin(), b.matrices.end(),
        [](const auto& x, const auto& y) { return x.name == y.name && x.values == y.values; });
    const auto switches =
        std::equal(a.switches.begin(), a.switches.end(), b.switches.begin(), b.switches.end(),
                   [](const auto& x, const auto& y) { return x.name == y.name && x.on == y.on; });
    return matrices && switches && a.example == b.example;
}

bool isNamed(const QStringList& names, const std::string& name, const std::string& title)
{
    return names.contains(QString::fromStdString(name), Qt::CaseInsensitive) ||
           names.contains(QString::fromStdString(title), Qt::CaseInsensitive);
}

} // namespace

/// An edit of the inputs. Lives in the window's undo stack, perhaps longer than the stage.
class ExampleEdit : public QUndoCommand
{
public:
    ExampleEdit(ExampleStage& stage, ExampleInputs after, const QString& name)
        : QUndoCommand(name)
        , m_stage(&stage)
        , m_before(stage.m_state.inputs)
        , m_after(std::move(after))
    {
    }

    void undo() override { apply(m_before, m_after); }

    void redo() override { apply(m_after, m_before); }

private:
    /// Another example may be on the stage by now: it is left alone.
    void apply(const ExampleInputs& inputs, const ExampleInputs& from)
    {
        if (m_stage && isSame(m_stage->m_state.inputs, from))
            m_stage->adopt(inputs);
    }

    QPointer<ExampleStage> m_stage;
    ExampleInputs m_before;
    ExampleInputs m_after;
};

ExampleStage::ExampleStage(QWidget* parent)
    : QWidget(parent)
    , m_stages(new StepBar(this))
    , m_matrices(new WorkedWidget(this))
    , m_back(new QPushButton(tr("‹  Back"), this))
    , m_next(new QPushButton(tr("Next number  ›"), this))
    , m_playButton(new QPushButton(this))
    , m_message(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_place(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_editor(new InlineEditor(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    column->addWidget(m_stages);
    column->addWidget(m_matrices, 1);
    column->addLayout(makeButtons());
    connect(m_stages, &StepBar::stepChosen, this, &ExampleStage::jumpTo);
    connect(m_matrices, &WorkedWidget::cellOpened, this, &ExampleStage::openCell);
    connect(m_back, &QPushButton::clicked, this, &ExampleStage::back);
    connect(m_next, &QPushButton::clicked, this, &ExampleStage::next);
    connect(m_playButton, &QPushButton::clicked, this, [this] { setPlaying(!isPlaying()); });
    connect(&m_play, &QTimer::timeout, this, [this] {
        next();
        if (m_state.done >= m_state.example.steps.size())
            setPlaying(false);
    });
    setSpeed(1.0);
    refreshButtons();
}

QHBoxLayout* ExampleStage::makeButtons()
{
    m_next->setProperty("role", "primary");
    m_message->setWordWrap(true);
    m_message->setAccessibleName(tr("Message"));
    m_place->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(8);
    row->addWidget(m_back);
    row->addWidget(m_next);
    row->addWidget(m_playButton);
    row->addSpacing(8);
    row->addWidget(m_message, 1);
    row->addWidget(m_place);
    return row;
}

void ExampleStage::setState(ExampleState state)
{
    m_editor->close();
    setPlaying(false);
    m_state = std::move(state);
    m_state.done = std::min(m_state.done, m_state.example.steps.size());
    m_original = m_state.inputs;
    m_example = std::make_shared<const WorkedExample>(m_state.example);
    m_matrices->placeCursor({});
    say({}, true);
    refresh();
}

void ExampleStage::highlight(const QStringList& names)
{
    m_pointed = names;
    refresh();
}

void ExampleStage::hideControls(const QStringList& names)
{
    m_hidden = names;
    const std::pair<const char*, QWidget*> widgets[] = {{"stages", m_stages},
                                                        {"back", m_back},
                                                        {"next", m_next},
                                                        {"play", m_playButton},
                                                        {"place", m_place}};
    for (const auto& [name, widget] : widgets)
        widget->setVisible(!names.contains(QLatin1String(name)));
    refresh();
}

void ExampleStage::setUndoStack(QUndoStack* stack)
{
    m_undo = stack;
}

void ExampleStage::setReducedMotion(bool reduced)
{
    m_matrices->setReducedMotion(reduced);
}

void ExampleStage::setExact(bool on)
{
    m_isExact = on;
    refresh();
}

void ExampleStage::setTrying(bool on)
{
    m_isTrying = on;
    if (on)
        setPlaying(false);
    say({}, true);
    refresh();
}

void ExampleStage::setSpeed(double factor)
{
    m_play.setInterval(static_cast<int>(std::lround(kPlayMs / std::clamp(factor, 0.1, 10.0))));
}

bool ExampleStage::isEdited() const
{
    return !isSame(m_state.inputs, m_original);
}

// ---------------------------------------------------------------------------------------- walking

void ExampleStage::goTo(std::size_t done)
{
    const std::size_t wanted = std::min(done, m_state.example.steps.size());
    if (wanted == m_state.done)
        return;
    m_editor->close();
    m_state.done = wanted;
    say({}, true);
    refresh();
    emit stepped();
}

void ExampleStage::next()
{
    goTo(m_state.done + 1);
}

void ExampleStage::back()
{
    setPlaying(false);
    if (m_state.done > 0)
        goTo(m_state.done - 1);
}

void ExampleStage::restart()
{
    setPlaying(false);
    goTo(0);
}

void ExampleStage::finish()
{
    setPlaying(false);
    goTo(m_state.example.steps.size());
}

void ExampleStage::jumpTo(int stage)
{
    const auto& stages = m_state.example.stages;
    if (stage < 0 || stage >= static_cast<int>(stages.size()))
        return;
    setPlaying(false);
    const std::size_t first = stages[static_cast<std::size_t>(stage)].firstStep;
    goTo(m_isTrying ? first : first + 1);
}

void ExampleStage::setPlaying(bool on)
{
    const bool atEnd = m_state.done >= m_state.example.steps.size();
    if (on && atEnd && !m_state.example.steps.empty())
        goTo(0);
    if (on == isPlaying() || (on && m_state.example.steps.empty()))
        return;
    if (on)
        m_play.start();
    else
        m_play.stop();
    refreshButtons();
    emit playingChanged(on);
}

// ---------------------------------------------------------------------------------------- editing

void ExampleStage::adopt(const ExampleInputs& inputs)
{
    WorkedExample example = workExample(inputs);
    m_state.done = samePlace(m_state.example, m_state.done, example);
    m_state.inputs = inputs;
    m_state.example = std::move(example);
    m_example = std::make_shared<const WorkedExample>(m_state.example);
    say({}, true);
    refresh();
    emit changed();
}

QString ExampleStage::edit(const ExampleInputs& inputs, const QString& name)
{
    if (isSame(inputs, m_state.inputs))
        return {};
    try {
        workExample(inputs); // before it becomes a command: these cannot be refused
    } catch (const std::exception& error) {
        return errorSentence(error);
    }
    if (m_undo)
        m_undo->push(new ExampleEdit(*this, inputs, name));
    else
        adopt(inputs);
    return {};
}

QString ExampleStage::setCell(CellAddress cell, const QString& typed)
{
    const WorkedMatrix& matrix = m_state.example.matrices[static_cast<std::size_t>(cell.matrix)];
    const QString place = cellName(matrix, cell.row, cell.column);
    const std::string name =
        matrix.name + "[" + std::to_string(cell.row) + "," + std::to_string(cell.column) + "]";
    QString number = typed.trimmed();
    number.replace(QChar(0x2212), QLatin1Char('-'));
    ExampleInputs inputs = m_state.inputs;
    try {
        inputs.set(name, number.toStdString());
    } catch (const std::exception& error) {
        return errorSentence(error);
    }
    return edit(inputs, tr("%1 of %2").arg(place, QString::fromStdString(matrix.title)));
}

QString ExampleStage::setSwitch(const QString& name, bool on)
{
    ExampleInputs inputs = m_state.inputs;
    try {
        inputs.set(name.toStdString(), on ? "on" : "off");
    } catch (const std::exception& error) {
        return errorSentence(error);
    }
    const auto of = std::find_if(
        inputs.switches.begin(), inputs.switches.end(),
        [&name](const ExampleInputs::Switch& each) { return each.name == name.toStdString(); });
    const QString title = QString::fromStdString(of->title);
    return edit(inputs, on ? tr("%1 on").arg(title) : tr("%1 off").arg(title));
}

QString ExampleStage::reset()
{
    return edit(m_original, tr("Reset of the example"));
}

void ExampleStage::openCell(CellAddress cell, const QString& typed)
{
    if (m_isTrying && m_matrices->picture().isNext(cell))
        return askCell(cell, typed);
    const WorkedMatrix& matrix = m_state.example.matrices[static_cast<std::size_t>(cell.matrix)];
    const QString now = workedNumber(m_matrices->picture().value(cell), 6, true);
    const auto refusal = [this, cell](const QString& text) {
        ExampleInputs inputs = m_state.inputs;
        const WorkedMatrix& of = m_state.example.matrices[static_cast<std::size_t>(cell.matrix)];
        const std::string name =
            of.name + "[" + std::to_string(cell.row) + "," + std::to_string(cell.column) + "]";
        QString number = text.trimmed();
        number.replace(QChar(0x2212), QLatin1Char('-'));
        try {
            inputs.set(name, number.toStdString());
            workExample(inputs);
        } catch (const std::exception& error) {
            return errorSentence(error);
        }
        return QString();
    };
    const auto read = [refusal, now](const QString& text) {
        return refusal(text).isEmpty() ? std::optional(tr("Enter takes it. It was %1.").arg(now))
                                       : std::nullopt;
    };
    const QString place = cellName(matrix, cell.row, cell.column);
    const QString title = QString::fromStdString(matrix.title);
    InlineEditor::Request request;
    request.title = place.isEmpty() ? title : tr("%1: %2").arg(title, place);
    request.text = QString::number(m_matrices->picture().value(cell), 'g', 12);
    request.read = read;
    request.why = refusal;
    request.apply = [this, cell](const QString& text, bool) {
        if (const QString why = setCell(cell, text); !why.isEmpty())
            say(why, false);
    };
    const QRectF rect = m_matrices->layoutNow().cellRect(cell);
    m_editor->open(request, m_matrices->mapTo(this, rect.bottomLeft().toPoint()) + QPoint(0, 6));
    if (!typed.isEmpty())
        m_editor->field().setText(typed);
}

/// "Let me try" in the cell itself.
void ExampleStage::askCell(CellAddress cell, const QString& typed)
{
    InlineEditor::Request request;
    request.title = questionOf(m_state.example, m_state.done);
    request.read = [this](const QString& text) -> std::optional<QString> {
        if (!readAnswer(text))
            return std::nullopt;
        return m_state.done < m_state.example.steps.size()
                   ? hintOf(m_state.example.steps[m_state.done])
                   : QString();
    };
    request.hint = tr("Type a number such as 0.37, 1/2 or √2/2.");
    request.apply = [this](const QString& text, bool) { answer(text); };
    const QRectF rect = m_matrices->layoutNow().cellRect(cell);
    m_editor->open(request, m_matrices->mapTo(this, rect.bottomLeft().toPoint()) + QPoint(0, 6));
    if (!typed.isEmpty())
        m_editor->field().setText(typed);
}

WorkedAnswer ExampleStage::answer(const QString& typed)
{
    if (m_state.done >= m_state.example.steps.size())
        return {WorkedAnswer::Verdict::Wrong, tr("Every number is worked out already.")};
    const WorkedAnswer given = checkAnswer(m_state.example, m_state.done, typed);
    if (given.isRight())
        next();
    say(given.sentence, given.isRight());
    emit answered(given);
    return given;
}

// ---------------------------------------------------------------------------------------- showing

void ExampleStage::say(const QString& sentence, bool isGood)
{
    m_message->setTone(isGood ? TextLabel::Tone::Ok : TextLabel::Tone::Error);
    m_message->setText(sentence);
}

QString ExampleStage::message() const
{
    return m_message->text();
}

void ExampleStage::refresh()
{
    WorkedPicture picture;
    picture.example = m_example;
    picture.done = m_state.done;
    picture.isExact = m_isExact;
    picture.isAsking = m_isTrying;
    picture.isEditable = !m_hidden.contains(QStringLiteral("edit"));
    const WorkedExample& example = m_state.example;
    for (std::size_t i = 0; i < example.matrices.size(); ++i)
        if (isNamed(m_pointed, example.matrices[i].name, example.matrices[i].title))
            picture.pointed.push_back(static_cast<int>(i));
    m_matrices->setPicture(picture);

    StepBarContent content;
    for (const WorkedStage& stage : example.stages) {
        content.titles << QString::fromStdString(stage.title);
        content.pointed.push_back(isNamed(m_pointed, {}, stage.title));
        if (stage.firstStep + stage.steps <= m_state.done)
            ++content.complete;
    }
    content.now = m_matrices->picture().stage();
    m_stages->setContent(std::move(content));
    refreshButtons();
}

void ExampleStage::refreshButtons()
{
    const WorkedExample& example = m_state.example;
    const bool atEnd = m_state.done >= example.steps.size();
    m_back->setEnabled(m_state.done > 0);
    m_next->setEnabled(!atEnd);
    m_playButton->setEnabled(!example.steps.empty() && !m_isTrying);
    m_playButton->setText(isPlaying() ? tr("❚❚  Pause") : tr("▶  Play"));
    m_next->setText(m_isTrying ? tr("Show me  ›") : tr("Next number  ›"));
    if (example.stages.empty())
        return m_place->setText({});
    const int now = m_matrices->picture().stage();
    const WorkedStage& stage = example.stages[static_cast<std::size_t>(now)];
    const std::size_t inside =
        std::min(m_state.done - std::min(m_state.done, stage.firstStep), stage.steps);
    m_place->setText(tr("Step %1 of %2 · number %3 of %4")
                         .arg(now + 1)
                         .arg(example.stages.size())
                         .arg(inside)
                         .arg(stage.steps));
}

bool ExampleStage::escape()
{
    return m_editor->close();
}

bool ExampleStage::walk(const QKeyEvent& key)
{
    const auto modifiers = key.modifiers() & ~Qt::KeypadModifier;
    const bool isPlain = modifiers == Qt::NoModifier;
    const bool isBack = (key.key() == Qt::Key_Space && modifiers == Qt::ShiftModifier) ||
                        (key.key() == Qt::Key_Left && isPlain);
    if (isBack) {
        back();
    } else if (isPlain && (key.key() == Qt::Key_Space || key.key() == Qt::Key_Right)) {
        setPlaying(false);
        next();
    } else if (isPlain && key.key() == Qt::Key_Home) {
        restart();
    } else if (isPlain && key.key() == Qt::Key_End) {
        finish();
    } else {
        return false;
    }
    return true;
}

void ExampleStage::keyPressEvent(QKeyEvent* event)
{
    if (!walk(*event))
        QWidget::keyPressEvent(event);
}

void ExampleStage::hideEvent(QHideEvent* event)
{
    setPlaying(false);
    QWidget::hideEvent(event);
}

} // namespace headscope::ui
