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

/// Result of checking an answer.
struct LessonVerdict
{
    enum class Kind { None, Right, Wrong, Unreadable };

    Kind kind = Kind::None;
    QString sentence; ///< Feedback, such as "Not yet: the number is larger."
};

/// The open lesson and its current step. Values that a step's texts refer to are computed in a
/// background thread.
class LessonRun : public QObject
{
    Q_OBJECT

public:
    explicit LessonRun(Session& session);

    /// An open lesson of the previous library becomes the one with the same id, at the same step.
    void setLibrary(std::shared_ptr<const LessonLibrary> library);

    const LessonLibrary& library() const { return *m_library; }

    void start(const Lesson& lesson, int step = 0);
    /// Opens a lesson of the library at the last step seen; unknown ids are ignored.
    void start(const std::string& id);
    void leave();
    void goTo(int step); ///< Goes to a step, clamped to the valid range.

    bool isOpen() const { return m_lesson.has_value(); }

    const Lesson& lesson() const { return *m_lesson; } ///< Current lesson; requires isOpen().

    int step() const { return m_step; }

    const LessonStep& current() const { return m_lesson->steps[static_cast<std::size_t>(m_step)]; }

    bool isFirst() const { return m_step == 0; }

    bool isLast() const { return m_step + 1 >= static_cast<int>(m_lesson->steps.size()); }

    int number() const; ///< Number of the lesson in the course, from 1; 0 for the user's own.
    const Lesson* next() const; ///< Next lesson of the course, or null.

    /// Current step with its values filled in; null until they are computed.
    const FilledStep* filled() const { return m_filled ? &*m_filled : nullptr; }

    const QString& problem() const { return m_problem; } ///< Reason why the step cannot be filled.

    bool isSettled() const { return !isOpen() || m_filled || !m_problem.isEmpty(); }

    void answerNumber(const QString& typed);
    void answerChoice(int choice);

    const LessonVerdict& verdict() const { return m_verdict; }

    const LessonProgress& progress() const { return m_progress; }

    void setProgress(const LessonProgress& progress);

    LessonDraft& draft() { return m_draft; } ///< Lesson that the user is writing.

    LabContext context() const; ///< Context of the labs that texts refer to.

signals:
    void stepChanged();   ///< Emitted on another step, another lesson, or none.
    void filledChanged(); ///< Emitted when filled() or problem() has changed.
    void answered();      ///< Emitted when verdict() has changed.
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

/// LessonRun of a session; created on first use and destroyed with the session.
LessonRun& lessonsOf(Session& session);

/// Number typed as "0.5", "0,5", "−1/2" or "50 %"; nothing for anything else.
std::optional<double> typedNumber(const QString& typed);

/// Links the first occurrence of each term that another lesson explains.
std::vector<TextBlock> withTermLinks(std::vector<TextBlock> blocks, const LessonLibrary& library,
                                     const std::string& exceptLesson);

} // namespace headscope::ui
