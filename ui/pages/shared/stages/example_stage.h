#pragma once

#include "ui/pages/shared/inline_editor.h"
#include "ui/pages/shared/stages/edited_example.h"
#include "ui/widgets/worked/worked_answer.h"

#include <QStringList>
#include <QTimer>
#include <QWidget>

class QHBoxLayout;
class QKeyEvent;
class QPushButton;
class QUndoStack;

namespace headscope::ui {

class StepBar;
class TextLabel;
class WorkedPane;
class WorkedWidget;

/// Interactive worked example: the step bar, the current matrices large, the equation with live
/// numbers, the whole formula with all matrices so far, and the buttons below. Shared by the page "example" and
/// lessons. Space, Shift+Space, Left, Right, Home and End step, also from child widgets.
class ExampleStage : public QWidget
{
    Q_OBJECT

public:
    explicit ExampleStage(QWidget* parent = nullptr);

    /// Sets the example and the current step; "Reset" returns to these inputs. Emits no signal;
    /// `done` beyond the end is the end.
    void setState(ExampleState state);

    const ExampleState& state() const { return m_edited.state(); } ///< Includes the user's edits.

    void highlight(const QStringList& names); ///< Matrices or stages, by name or title.

    /// Hides parts: "stages", "back", "next", "play", "place", "edit" (no cell can be edited).
    /// Replaces those hidden before.
    void hideControls(const QStringList& names);

    void addButton(QWidget& button);      ///< Adds a button beside Play.
    void setUndoStack(QUndoStack* stack); ///< Makes edits undo commands.
    void setReducedMotion(bool reduced);
    void setExact(bool on);       ///< Shows fractions and roots in the cells.
    void setTrying(bool on);      ///< Lets the user fill the next cell.
    void setSpeed(double factor); ///< Playback speed: 1 is a number every 900 ms.

    bool isExact() const { return m_isExact; }

    bool isTrying() const { return m_isTrying; }

    bool isPlaying() const { return m_play.isActive(); }

    bool isEdited() const; ///< True when the inputs differ from those of setState().

    void next();
    void back();
    void restart();
    void finish();
    void jumpTo(int stage); ///< Moves to its first number.
    void goTo(std::size_t done);
    void showMatrix(std::size_t done); ///< Stops playing and goes to the step that made a matrix.
    void setPlaying(bool on);

    /// Edits by the user. Return an empty text when accepted, otherwise the reason.
    QString setCell(CellAddress cell, const QString& typed);
    QString setSwitch(const QString& name, bool on);
    QString reset(); ///< Restores all inputs of setState().

    /// Checks a number for the next cell; the correct one moves on.
    WorkedAnswer answer(const QString& typed);

    WorkedWidget& matrices() const;

    StepBar& stages() const { return *m_stages; }

    /// Handles Space, Left, Home ...; returns false for any other key.
    bool walk(const QKeyEvent& key);

    bool escape(); ///< Closes the field in a cell; returns false without one.

signals:
    void changed(); ///< Emitted when an input was edited: state() is another calculation.
    void stepped(); ///< Emitted when the user moved to another step.
    void playingChanged(bool on);
    void answered(const headscope::ui::WorkedAnswer& answer);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QHBoxLayout* makeButtons();
    void openCell(CellAddress cell, const QString& typed);
    void askCell(CellAddress cell, const QString& typed);
    void openEditor(const InlineEditor::Request& request, CellAddress cell, const QString& typed);
    void say(const QString& sentence, bool isGood);
    void refresh();
    void refreshMatrices();
    void refreshStages();
    void refreshButtons();

    EditedExample m_edited;
    QStringList m_pointed;
    QStringList m_hidden;
    bool m_isExact = false;
    bool m_isTrying = false;
    QTimer m_play;
    StepBar* m_stages;
    WorkedPane* m_pane;
    WorkedWidget* m_matrices;
    QPushButton* m_back;
    QPushButton* m_next;
    QPushButton* m_playButton;
    QHBoxLayout* m_buttons = nullptr;
    TextLabel* m_message; ///< Feedback on the last answer or rejected edit; may be empty.
    TextLabel* m_place;
    InlineEditor* m_editor;
};

} // namespace headscope::ui
