#pragma once

#include "core/lessons/lesson_numbers.h"
#include "core/lessons/worked/example_inputs.h"

#include <QObject>
#include <QString>

#include <memory>

class QUndoStack;

namespace headscope::ui {

/// A worked example with a person's edits of its inputs, and the place where the person is.
class EditedExample : public QObject
{
    Q_OBJECT

public:
    explicit EditedExample(QObject* parent = nullptr);

    /// reset() comes back to these inputs; a place beyond the end is the end. Emits nothing.
    void setState(ExampleState state);

    const ExampleState& state() const { return m_state; }

    const std::shared_ptr<const WorkedExample>& shared() const
    {
        return m_example;
    } ///< For pictures.

    bool isAtEnd() const { return m_state.done >= m_state.example.steps.size(); }

    bool isEdited() const; ///< The inputs are not those of setState().

    void setUndoStack(QUndoStack* stack); ///< Edits become commands of it; null: they do not.

    bool goTo(std::size_t done); ///< False when the person is there already.

    /// An empty sentence: it was taken; else why it was not.
    QString setCell(CellAddress cell, const QString& typed);
    QString setSwitch(const QString& name, bool on);
    QString reset();

    QString whyNot(CellAddress cell, const QString& typed) const; ///< Why setCell() would refuse.

signals:
    void edited(); ///< state() is another calculation.

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
