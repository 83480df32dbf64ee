#include "ui/window/lessons/lesson_of_page.h"

namespace headscope::ui {

const Lesson* lessonAbout(const LessonLibrary& library, const QString& name,
                          const QStringList& terms)
{
    for (const QString& term : QStringList{QString(name).replace('-', ' ')} + terms) {
        if (const Lesson* lesson = library.lessonOfTerm(term.toStdString()))
            return lesson;
    }
    for (const Lesson& lesson : library.lessons()) {
        for (const LessonStep& step : lesson.steps) {
            if (step.state.kind == LessonState::Kind::Page && step.state.name == name.toStdString())
                return &lesson;
        }
    }
    return nullptr;
}

} // namespace headscope::ui
