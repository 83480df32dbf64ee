#pragma once

#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

class QStackedLayout;

namespace headscope::ui {

class LessonRun;
class LessonStage;
class LessonsContents;

/// The page "lessons": the contents of the course or, inside a lesson, the stage of its step.
class LessonsPage : public Page
{
    Q_OBJECT

public:
    explicit LessonsPage(Session& session);

    static PageDescriptor descriptor();

    Figure figure() const override;
    void focusMain() override;
    QJsonObject options() const override; ///< The lesson and step.
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;

    bool wantsInspector() const override { return false; }

    bool isSettled() const override;

    LessonStage& stage() { return *m_stage; }

protected:
    void refresh(ChangeSet changes) override;

private:
    void follow();

    LessonRun& m_run;
    QStackedLayout* m_stack;
    LessonsContents* m_contents;
    LessonStage* m_stage;
};

} // namespace headscope::ui
