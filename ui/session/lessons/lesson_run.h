#pragma once

#include "core/lessons/lesson_library.h"
#include "core/lessons/lesson_numbers.h"
#include "ui/session/lessons/lesson_progress.h"
#include "ui/session/lessons/lesson_run_draft.h"
#include "ui/workers/tasks/latest_task.h"

#include <QObject>

#include <memory>
#include <optional>

namespace headscope::ui {

class Session;

/// What became of an answer.
struct LessonVerdict
{
    enum class Kind { None, Right, Wrong, Unreadable };

    Kind kind = Kind::None;
    QString sentence; ///< "Not yet: the number is larger."
};

/// The lesson that a person is in, and how far they are. What a step's texts refer to is computed
/// on a thread of its own.
class LessonRun : public QObject
{
    Q_OBJECT

public:
    explicit LessonRun(Session& session);

    void setLibrary(std::shared_ptr<const LessonLibrary> library);

    const LessonLibrary& library() const { return *m_library; }

    void start(const Lesson& lesson, int step = 0);
    void start(const std::string& id); ///< of the library, where the person was; unknown: nothing
    void leave();
    void goTo(int step); ///< outside: the nearest

    bool isOpen() const { return m_lesson.has_value(); }

    const Lesson& lesson() const { return *m_lesson; } ///< isOpen()

    int step() const { return m_step; }

    const LessonStep& current() const { return m_lesson->steps[static_cast<std::size_t>(m_step)]; }

    bool isFirst() const { return m_step == 0; }

    bool isLast() const { return m_step + 1 >= static_cast<int>(m_lesson->steps.size()); }

    int number() const;         ///< of the lesson in the course, from 1; 0 for a person's own
    const Lesson* next() const; ///< the one after it in the course, or null

    /// Null until the numbers of the current step are there.
    const FilledStep* filled() const { return m_filled ? &*m_filled : nullptr; }

    const QString& problem() const { return m_problem; } ///< why they will not be

    bool isSettled() const { return !isOpen() || m_filled || !m_problem.isEmpty(); }

    void answerNumber(const QString& typed);
    void answerChoice(int choice);

    const LessonVerdict& verdict() const { return m_verdict; }

    const LessonProgress& progress() const { return m_progress; }

    void setProgress(const LessonProgress& progress);

    LessonDraft& draft() { return m_draft; } ///< what the person writes

    LabContext context() const; ///< for labs that texts refer to

signals:
    void stepChanged();   ///< another step, another lesson, or none
    void filledChanged(); ///< filled() or problem()
    void answered();      ///< verdict()
    void progressChanged();
    void libraryChanged();

private:
    void fill();
    void decide(bool right, const QString& wrong);

    Session& m_session;
    std::shared_ptr<const LessonLibrary> m_library;
    std::optional<Lesson> m_lesson;
    int m_step = 0;
    std::optional<FilledStep> m_filled;
    QString m_problem;
    LessonVerdict m_verdict;
    LessonProgress m_progress;
    LessonDraft m_draft;
    LatestTask m_filling;
};

/// The one of a session; made when it is first asked for, and gone with it.
LessonRun& lessonsOf(Session& session);

/// What a person means by "0.5", "0,5", "−1/2" or "50 %"; nothing for anything else.
std::optional<double> typedNumber(const QString& typed);

/// Words that other lessons explain become links to them, each once.
std::vector<TextBlock> withTermLinks(std::vector<TextBlock> blocks, const LessonLibrary& library,
                                     const std::string& exceptLesson);

} // namespace headscope::ui
