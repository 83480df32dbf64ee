#pragma once

#include "ui/pages/shared/stages/example_stage.h"

class QCheckBox;
class QGridLayout;
class QLineEdit;
class QPushButton;

namespace headscope::ui {

class ChoiceBox;
class SegmentBar;

/// Side column of a worked example: its title, the current step and the reason for it, "let me
/// try", and the inputs that can be changed. Follows its stage.
class ExampleSide : public QWidget
{
    Q_OBJECT

public:
    explicit ExampleSide(ExampleStage& stage, QWidget* parent = nullptr);

    /// Available examples and the current one.
    void setChoices(const QStringList& names, const QStringList& titles);
    void setChosen(const QString& name);

    void setNote(const QString& words); ///< Note below the choice: the source of the numbers.

signals:
    void exampleChosen(const QString& name);
    void codeWanted();

protected:
    bool event(QEvent* event) override;

private:
    QWidget* makeText();
    QWidget* makeTry();
    QWidget* makeChange();
    void refresh();
    void makeSwitches();
    void placeSwitches();
    void refreshSwitches();
    void check();

    ExampleStage& m_stage;
    QStringList m_names;
    ChoiceBox* m_choice;
    TextLabel* m_note = nullptr;
    TextLabel* m_title = nullptr;
    TextLabel* m_what = nullptr;
    TextLabel* m_why = nullptr;
    QCheckBox* m_try = nullptr;
    QWidget* m_turn = nullptr;
    TextLabel* m_question = nullptr;
    QLineEdit* m_answer = nullptr;
    TextLabel* m_feedback = nullptr;
    QGridLayout* m_switches = nullptr;
    std::vector<QCheckBox*> m_boxes;
    QCheckBox* m_exact = nullptr;
    SegmentBar* m_speed = nullptr;
    QPushButton* m_reset = nullptr;
};

} // namespace headscope::ui
