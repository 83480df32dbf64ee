#pragma once

#include "core/lessons/lesson.h"

#include <QStringList>
#include <QWidget>

class QPushButton;

namespace headscope::ui {

class ExampleStage;
class ListingPanel;

/// Worked example of a step and, on request, the same calculation as a program beside it. In a
/// narrow window the program replaces the example.
class LessonExample : public QWidget
{
    Q_OBJECT

public:
    explicit LessonExample(QWidget* parent = nullptr);

    /// Shows the step's example; a program that is shown becomes that of the example.
    void showStep(const LessonStep& step);

    ExampleStage& stage() { return *m_stage; }

    bool isCodeShown() const;
    void showCode(bool on);
    void focusMain();

    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void followListing();
    void place();

    ExampleStage* m_stage;
    QPushButton* m_code;
    ListingPanel* m_listing;
    QStringList m_highlighted; ///< What the step points at.
};

} // namespace headscope::ui
