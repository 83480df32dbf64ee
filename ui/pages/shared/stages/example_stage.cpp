#include "ui/pages/shared/stages/example_stage.h"

#include "ui/pages/shared/boxes.h"
#include "ui/widgets/controls/step_bar.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/worked/worked_overview.h"
#include "ui/widgets/worked/worked_pane.h"
#include "ui/widgets/worked/worked_widget.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kPlayMs = 900.0;

bool isNamed(const QStringList& names, const std::string& name, const std::string& title)
{
    return names.contains(QString::fromStdString(name), Qt::CaseInsensitive) ||
           names.contains(QString::fromStdString(title), Qt::CaseInsensitive);
}

} // namespace

ExampleStage::ExampleStage(QWidget* parent)
    : QWidget(parent)
    , m_stages(new StepBar(this))
    , m_pane(new WorkedPane(this))
    , m_matrices(&m_pane->matrices())
    , m_back(new QPushButton(tr("‹  Back"), this))
    , m_next(new QPushButton(tr("Next number  ›"), this))
    , m_playButton(new QPushButton(this))
    , m_message(paragraph({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_place(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_editor(new InlineEditor(this))
{
    columnOf(12, {m_stages, {m_pane, 1}, makeButtons()}, this);
    connect(m_stages, &StepBar::stepChosen, this, &ExampleStage::jumpTo);
    connect(m_matrices, &WorkedWidget::cellOpened, this, &ExampleStage::openCell);
    connect(&m_pane->overview(), &WorkedOverview::stepWanted, this, &ExampleStage::showMatrix);
    connect(m_back, &QPushButton::clicked, this, &ExampleStage::back);
    connect(m_next, &QPushButton::clicked, this, &ExampleStage::next);
    connect(m_playButton, &QPushButton::clicked, this, [this] { setPlaying(!isPlaying()); });
    connect(&m_play, &QTimer::timeout, this, [this] {
        next();
        if (m_edited.isAtEnd())
            setPlaying(false);
    });
    connect(&m_edited, &EditedExample::edited, this, [this] {
        say({}, true);
        refresh();
        emit changed();
    });
    setSpeed(1.0);
    refreshButtons();
}

QHBoxLayout* ExampleStage::makeButtons()
{
    m_next->setProperty("role", "primary");
    m_message->setObjectName("feedback");
    m_message->setAccessibleName(tr("Message"));
    m_place->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_buttons = rowOf(8, {m_back, m_next, m_playButton, Placed::gap(8), {m_message, 1}, m_place});
    m_buttons->setContentsMargins(8, 0, 8, 0);
    return m_buttons;
}

void ExampleStage::addButton(QWidget& button)
{
    m_buttons->insertWidget(m_buttons->indexOf(m_playButton) + 1, &button);
}

void ExampleStage::setState(ExampleState state)
{
    m_editor->close();
    setPlaying(false);
    m_edited.setState(std::move(state));
    m_matrices->placeCursor({});
    say({}, true);
    refresh();
}

void ExampleStage::highlight(const QStringList& names)
{
    if (names == m_pointed)
        return;
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
    m_edited.setUndoStack(stack);
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
    return m_edited.isEdited();
}

void ExampleStage::goTo(std::size_t done)
{
    if (!m_edited.goTo(done))
        return;
    m_editor->close();
    say({}, true);
    refresh();
    emit stepped();
}

void ExampleStage::next()
{
    goTo(state().done + 1);
}

void ExampleStage::back()
{
    setPlaying(false);
    if (state().done > 0)
        goTo(state().done - 1);
}

void ExampleStage::restart()
{
    setPlaying(false);
    goTo(0);
}

void ExampleStage::finish()
{
    setPlaying(false);
    goTo(state().example.steps.size());
}

void ExampleStage::jumpTo(int stage)
{
    const auto& stages = state().example.stages;
    if (stage < 0 || stage >= static_cast<int>(stages.size()))
        return;
    setPlaying(false);
    const std::size_t first = stages[static_cast<std::size_t>(stage)].firstStep;
    goTo(m_isTrying ? first : first + 1);
}

void ExampleStage::showMatrix(std::size_t done)
{
    setPlaying(false);
    goTo(m_isTrying && done > 0 ? done - 1 : done);
}

WorkedWidget& ExampleStage::matrices() const
{
    return *m_matrices;
}

void ExampleStage::setPlaying(bool on)
{
    if (on && m_edited.isAtEnd() && !state().example.steps.empty())
        goTo(0);
    if (on == isPlaying() || (on && state().example.steps.empty()))
        return;
    if (on)
        m_play.start();
    else
        m_play.stop();
    refreshButtons();
    emit playingChanged(on);
}

QString ExampleStage::setCell(CellAddress cell, const QString& typed)
{
    return m_edited.setCell(cell, typed);
}

QString ExampleStage::setSwitch(const QString& name, bool on)
{
    return m_edited.setSwitch(name, on);
}

QString ExampleStage::reset()
{
    return m_edited.reset();
}

void ExampleStage::openCell(CellAddress cell, const QString& typed)
{
    if (m_isTrying && m_matrices->diagram().isNext(cell))
        return askCell(cell, typed);
    const WorkedMatrix& matrix = state().example.matrices[static_cast<std::size_t>(cell.matrix)];
    const double value = m_matrices->diagram().value(cell);
    const QString place = cellName(matrix, cell.row, cell.column);
    const QString title = QString::fromStdString(matrix.title);
    InlineEditor::Request request;
    request.title = place.isEmpty() ? title : tr("%1: %2").arg(title, place);
    request.text = QString::number(value, 'g', 12);
    request.read = [this, cell, now = workedNumber(value, 6, true)](const QString& text) {
        return m_edited.whyNot(cell, text).isEmpty()
                   ? std::optional(tr("Enter accepts it. It was %1.").arg(now))
                   : std::nullopt;
    };
    request.why = [this, cell](const QString& text) { return m_edited.whyNot(cell, text); };
    request.apply = [this, cell](const QString& text, bool) {
        if (const QString why = setCell(cell, text); !why.isEmpty())
            say(why, false);
    };
    openEditor(request, cell, typed);
}

/// Position below the cell.
void ExampleStage::openEditor(const InlineEditor::Request& request, CellAddress cell,
                              const QString& typed)
{
    const QRectF rect = m_matrices->layoutNow().cellRect(cell);
    m_editor->open(request, m_matrices->mapTo(this, rect.bottomLeft().toPoint()) + QPoint(0, 6));
    if (!typed.isEmpty())
        m_editor->field().setText(typed);
}

/// Editor of "Let me try" in the cell itself.
void ExampleStage::askCell(CellAddress cell, const QString& typed)
{
    InlineEditor::Request request;
    request.title = questionOf(state().example, state().done);
    request.read = [this](const QString& text) -> std::optional<QString> {
        if (!readAnswer(text))
            return std::nullopt;
        return m_edited.isAtEnd() ? QString() : hintOf(state().example.steps[state().done]);
    };
    request.hint = tr("Type a number such as 0.37, 1/2 or √2/2.");
    request.apply = [this](const QString& text, bool) { answer(text); };
    openEditor(request, cell, typed);
}

WorkedAnswer ExampleStage::answer(const QString& typed)
{
    if (m_edited.isAtEnd())
        return {WorkedAnswer::Verdict::Wrong, tr("All numbers are computed.")};
    const WorkedAnswer given = checkAnswer(state().example, state().done, typed);
    if (given.isRight())
        next();
    say(given.sentence, given.isRight());
    emit answered(given);
    return given;
}

void ExampleStage::say(const QString& sentence, bool isGood)
{
    m_message->setTone(isGood ? TextLabel::Tone::Ok : TextLabel::Tone::Error);
    m_message->setText(sentence);
}

void ExampleStage::refresh()
{
    refreshMatrices();
    refreshStages();
    refreshButtons();
}

void ExampleStage::refreshMatrices()
{
    WorkedDiagram plot;
    plot.example = m_edited.shared();
    plot.done = state().done;
    plot.isExact = m_isExact;
    plot.isAsking = m_isTrying;
    plot.isEditable = !m_hidden.contains(QStringLiteral("edit"));
    const WorkedExample& example = state().example;
    for (std::size_t i = 0; i < example.matrices.size(); ++i)
        if (isNamed(m_pointed, example.matrices[i].name, example.matrices[i].title))
            plot.pointed.push_back(static_cast<int>(i));
    m_pane->setDiagram(plot);
}

void ExampleStage::refreshStages()
{
    StepBarContent content;
    for (const WorkedStage& stage : state().example.stages) {
        content.titles << QString::fromStdString(stage.title);
        content.pointed.push_back(isNamed(m_pointed, {}, stage.title));
        if (stage.firstStep + stage.steps <= state().done)
            ++content.complete;
    }
    content.now = m_matrices->diagram().stage();
    m_stages->setContent(std::move(content));
}

void ExampleStage::refreshButtons()
{
    const WorkedExample& example = state().example;
    m_back->setEnabled(state().done > 0);
    m_next->setEnabled(!m_edited.isAtEnd());
    m_playButton->setEnabled(!example.steps.empty() && !m_isTrying);
    m_playButton->setText(isPlaying() ? tr("❚❚  Pause") : tr("▶  Play"));
    m_next->setText(m_isTrying ? tr("Show answer  ›") : tr("Next number  ›"));
    if (example.stages.empty())
        return m_place->setText({});
    const int now = m_matrices->diagram().stage();
    const WorkedStage& stage = example.stages[static_cast<std::size_t>(now)];
    const std::size_t inside =
        std::min(state().done - std::min(state().done, stage.firstStep), stage.steps);
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
