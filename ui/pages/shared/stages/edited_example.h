#pragma once

#include "core/lessons/lesson_numbers.h"
#include "core/lessons/worked/example_inputs.h"

#include <QObject>
#include <QString>

#include <memory>

class QUndoStack;

namespace headscope::ui {

/// A worked example with the user's edits of its inputs, and the current step.
class EditedExample : public QObject
{
    Q_OBJECT

public:
    explicit EditedExample(QObject* parent = nullptr);

    /// Sets the inputs to which reset() returns; a step beyond the end is the end. Emits no signal.
    void setState(ExampleState state);

    const ExampleState& state() const { return m_state; }

    const std::shared_ptr<const WorkedExample>& shared() const
    {
        return m_example;
    } ///< State for rendering.

    bool isAtEnd() const { return m_state.done >= m_state.example.steps.size(); }

    bool isEdited() const; ///< True when the inputs differ from those of setState().

    void setUndoStack(QUndoStack* stack); ///< Makes edits undo commands; null: it does not.

    bool goTo(std::size_t done); ///< Returns false when the step is already current.

    /// Returns an empty text when accepted, otherwise the reason.
    QString setCell(CellAddress cell, const QString& typed);
    QString setSwitch(const QString& name, bool on);
    QString reset();

    /// Why setCell() would reject it.
    QString whyNot(CellAddress cell, const QString& typed) const;

signals:
    void edited(); ///< Emitted when state() is another calculation.

private:
    friend class ExampleEdit;

    ExampleInputs inputsWith(CellAddress cell, const QString& typed) const;
    QString edit(const ExampleInputs& inputs, const QString& name);
    void adopt(const ExampleInputs& inputs);

    ExampleState m_state;
    ExampleInputs m_original;
    std::shared_ptr<const WorkedExample> m_example; ///< A copy of m_state.example.
    QUndoStack* m_undo = nullptr;
};

} // namespace headscope::ui
