#include "ui/pages/shared/stages/edited_example.h"

#include "core/lessons/worked/example_catalogue.h"
#include "ui/widgets/worked/worked_diagram.h"
#include "ui/workers/error_sentence.h"

#include <QPointer>
#include <QUndoCommand>
#include <QUndoStack>

#include <algorithm>

namespace headscope::ui {

namespace {

/// Same cell of the same matrix, in a calculation with other stages.
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

} // namespace

/// Undo command for an edit of the inputs. May outlive the example in the window's undo stack.
class ExampleEdit : public QUndoCommand
{
public:
    ExampleEdit(EditedExample& example, ExampleInputs after, const QString& name)
        : QUndoCommand(name)
        , m_example(&example)
        , m_before(example.m_state.inputs)
        , m_after(std::move(after))
    {
    }

    void undo() override { apply(m_before, m_after); }

    void redo() override { apply(m_after, m_before); }

private:
    /// Does nothing if another example is open by now.
    void apply(const ExampleInputs& inputs, const ExampleInputs& from)
    {
        if (m_example && isSame(m_example->m_state.inputs, from))
            m_example->adopt(inputs);
    }

    QPointer<EditedExample> m_example;
    ExampleInputs m_before;
    ExampleInputs m_after;
};

EditedExample::EditedExample(QObject* parent) : QObject(parent) {}

void EditedExample::setState(ExampleState state)
{
    m_state = std::move(state);
    m_state.done = std::min(m_state.done, m_state.example.steps.size());
    m_original = m_state.inputs;
    m_example = std::make_shared<const WorkedExample>(m_state.example);
}

bool EditedExample::isEdited() const
{
    return !isSame(m_state.inputs, m_original);
}

void EditedExample::setUndoStack(QUndoStack* stack)
{
    m_undo = stack;
}

bool EditedExample::goTo(std::size_t done)
{
    const std::size_t wanted = std::min(done, m_state.example.steps.size());
    if (wanted == m_state.done)
        return false;
    m_state.done = wanted;
    return true;
}

void EditedExample::adopt(const ExampleInputs& inputs)
{
    WorkedExample example = workExample(inputs);
    m_state.done = samePlace(m_state.example, m_state.done, example);
    m_state.inputs = inputs;
    m_state.example = std::move(example);
    m_example = std::make_shared<const WorkedExample>(m_state.example);
    emit edited();
}

QString EditedExample::edit(const ExampleInputs& inputs, const QString& name)
{
    if (isSame(inputs, m_state.inputs))
        return {};
    try {
        workExample(inputs); // Validates before it becomes a command.
    } catch (const std::exception& error) {
        return errorSentence(error);
    }
    if (m_undo)
        m_undo->push(new ExampleEdit(*this, inputs, name));
    else
        adopt(inputs);
    return {};
}

/// Parses a number for that cell. Throws for invalid text.
ExampleInputs EditedExample::inputsWith(CellAddress cell, const QString& typed) const
{
    const WorkedMatrix& matrix = m_state.example.matrices[static_cast<std::size_t>(cell.matrix)];
    const std::string name =
        matrix.name + "[" + std::to_string(cell.row) + "," + std::to_string(cell.column) + "]";
    QString number = typed.trimmed();
    number.replace(QChar(0x2212), QLatin1Char('-'));
    ExampleInputs inputs = m_state.inputs;
    inputs.set(name, number.toStdString());
    return inputs;
}

QString EditedExample::whyNot(CellAddress cell, const QString& typed) const
{
    try {
        workExample(inputsWith(cell, typed));
    } catch (const std::exception& error) {
        return errorSentence(error);
    }
    return {};
}

QString EditedExample::setCell(CellAddress cell, const QString& typed)
{
    const WorkedMatrix& matrix = m_state.example.matrices[static_cast<std::size_t>(cell.matrix)];
    const QString place = cellName(matrix, cell.row, cell.column);
    const QString title = QString::fromStdString(matrix.title);
    ExampleInputs inputs;
    try {
        inputs = inputsWith(cell, typed);
    } catch (const std::exception& error) {
        return errorSentence(error);
    }
    return edit(inputs, tr("%1 of %2").arg(place, title));
}

QString EditedExample::setSwitch(const QString& name, bool on)
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

QString EditedExample::reset()
{
    return edit(m_original, tr("Reset of the example"));
}

} // namespace headscope::ui
