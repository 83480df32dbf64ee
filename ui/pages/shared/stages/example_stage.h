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
class WorkedWidget;

/// A worked example to walk: the step bar, finished matrices in small, the present ones large, the
/// equation with live numbers, and the buttons beneath. The page "example" and lessons share it.
/// Space, Shift+Space, Left, Right, Home and End walk, also from within.
class ExampleStage : public QWidget
{
    Q_OBJECT

public:
    explicit ExampleStage(QWidget* parent = nullptr);

    /// What is shown and where the person is; "Reset" comes back to these inputs. Emits nothing;
    /// `done` beyond the end is the end.
    void setState(ExampleState state);

    const ExampleState& state() const { return m_edited.state(); } ///< with the person's edits

    void highlight(const QStringList& names); ///< matrices or stages, by name or title

    /// "stages", "back", "next", "play", "place", "edit" (no cell can be edited). Replaces those
    /// hidden before.
    void hideControls(const QStringList& names);

    void setUndoStack(QUndoStack* stack); ///< edits become commands of it; null: they do not
    void setReducedMotion(bool reduced);
    void setExact(bool on);       ///< fractions and roots in the cells
    void setTrying(bool on);      ///< the person fills the next cell
    void setSpeed(double factor); ///< of play: 1 is a number every 900 ms

    bool isExact() const { return m_isExact; }

    bool isTrying() const { return m_isTrying; }

    bool isPlaying() const { return m_play.isActive(); }

    bool isEdited() const; ///< the inputs are not those of setState()

    void next();
    void back();
    void restart();
    void finish();
    void jumpTo(int stage); ///< to its first number
    void goTo(std::size_t done);
    void setPlaying(bool on);

    /// What the person changes. An empty sentence: it was taken; else why it was not.
    QString setCell(CellAddress cell, const QString& typed);
    QString setSwitch(const QString& name, bool on);
    QString reset(); ///< all inputs as in setState()

    /// Judges a number for the next cell; the right one moves on.
    WorkedAnswer answer(const QString& typed);

    WorkedWidget& matrices() const { return *m_matrices; }

    StepBar& stages() const { return *m_stages; }

    InlineEditor& editor() const { return *m_editor; }

    QString message() const; ///< of the last answer or of what was refused; may be empty

    bool walk(const QKeyEvent& key); ///< Space, Left, Home ...; false for any other key

    bool escape(); ///< closes the field in a cell; false when there is none

signals:
    void changed(); ///< an input was edited: state() is another calculation
    void stepped(); ///< the person moved on, back or elsewhere
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
    WorkedWidget* m_matrices;
    QPushButton* m_back;
    QPushButton* m_next;
    QPushButton* m_playButton;
    TextLabel* m_message;
    TextLabel* m_place;
    InlineEditor* m_editor;
};

} // namespace headscope::ui
