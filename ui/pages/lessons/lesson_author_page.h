#pragma once

#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"
#include "ui/session/lessons/lesson_run_check.h"

#include <QTimer>

class QLineEdit;
class QListWidget;
class QPushButton;

namespace headscope::ui {

class LessonAuthorForm;
class LessonDraft;
class LessonStart;
class LessonStepView;
class TextLabel;

/// The page "your-lesson": a lesson written in the window. Its steps are on the left, the texts of
/// one in the middle, the preview and problems on the right.
class LessonAuthorPage : public Page
{
    Q_OBJECT

public:
    explicit LessonAuthorPage(Session& session);

    static PageDescriptor descriptor();

    void focusMain() override;
    QString hint() const override;

    bool wantsInspector() const override { return false; }

    bool isSettled() const override;

    void chooseStep(int step);

    int step() const { return m_step; }

    LessonAuthorForm& form() { return *m_form; }

    LessonStart& start() { return *m_start; }

signals:
    void newWanted();  ///< Emitted to start a new lesson.
    void openWanted(); ///< Emitted to open a file for editing.
    void saveWanted();
    void playWanted();

protected:
    void refresh(ChangeSet changes) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeSteps();
    QWidget* makePreview();
    QPushButton* addTool(const QString& text, const QString& name);
    void connectStart();
    void showExample();
    void showDraft();
    void showSteps();
    void checkSoon();
    void check();
    void take(const LessonChecker::Answer& answer);

    LessonDraft& m_draft;
    int m_step = 0;
    QLineEdit* m_title;
    QLineEdit* m_summary;
    QListWidget* m_list;
    QPushButton* m_up = nullptr;
    QPushButton* m_down = nullptr;
    QPushButton* m_delete = nullptr;
    QPushButton* m_undo = nullptr;
    QPushButton* m_redo = nullptr;
    QPushButton* m_save;
    QPushButton* m_play;
    TextLabel* m_file;
    LessonStart* m_start; ///< Shown in place of the editor while there are no steps.
    QWidget* m_editor;
    LessonAuthorForm* m_form;
    LessonStepView* m_stepView;
    TextLabel* m_complaints;
    QTimer m_soon;
    bool m_showing = false;
    LessonChecker m_checker;
};

} // namespace headscope::ui
