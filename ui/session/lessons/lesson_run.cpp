#include "ui/session/lessons/lesson_run.h"

#include "core/base/error.h"
#include "ui/session/session.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

LessonRun& lessonsOf(Session& session)
{
    auto* run = session.findChild<LessonRun*>(QString(), Qt::FindDirectChildrenOnly);
    return run ? *run : *new LessonRun(session);
}

LessonRun::LessonRun(Session& session)
    : QObject(&session)
    , m_session(session)
    , m_library(std::make_shared<const LessonLibrary>())
{
    connect(&session, &Session::modelChanged, this, [this] {
        if (isOpen() && !m_filled)
            fill(); // the missing model may have been opened
    });
}

void LessonRun::setLibrary(std::shared_ptr<const LessonLibrary> library)
{
    const auto previous = std::exchange(m_library, std::move(library));
    emit libraryChanged();
    const Lesson* open = m_lesson ? previous->find(m_lesson->id) : nullptr;
    const Lesson* same = open && *open == *m_lesson ? m_library->find(m_lesson->id) : nullptr;
    if (same)
        start(Lesson(*same), m_step);
}

void LessonRun::setProgress(const LessonProgress& progress)
{
    if (progress == m_progress)
        return;
    m_progress = progress;
    emit progressChanged();
}

void LessonRun::start(const Lesson& lesson, int step)
{
    if (lesson.steps.empty())
        return;
    m_lesson = lesson;
    m_step = -1;
    goTo(step);
}

void LessonRun::start(const std::string& id)
{
    const Lesson* lesson = m_library->find(id);
    if (!lesson)
        return;
    const int steps = static_cast<int>(lesson->steps.size());
    const int last = m_progress.lastStep(id);
    start(*lesson, last + 1 < steps ? last : 0); // a finished lesson starts again
}

void LessonRun::leave()
{
    if (!isOpen())
        return;
    m_filling.cancel();
    m_lesson.reset();
    m_filled.reset();
    m_problem.clear();
    m_verdict = {};
    emit stepChanged();
}

void LessonRun::goTo(int step)
{
    if (!isOpen())
        return;
    const int wanted = std::clamp(step, 0, static_cast<int>(m_lesson->steps.size()) - 1);
    if (wanted == m_step)
        return;
    m_step = wanted;
    m_verdict = {};
    m_progress.see(m_lesson->id, m_step);
    fill();
    emit stepChanged();
    emit progressChanged();
}

int LessonRun::number() const
{
    const auto& lessons = m_library->lessons();
    const auto found = std::ranges::find(lessons, m_lesson->id, &Lesson::id);
    return found == lessons.end() ? 0 : static_cast<int>(found - lessons.begin()) + 1;
}

const Lesson* LessonRun::next() const
{
    const auto after = static_cast<std::size_t>(number());
    return after > 0 && after < m_library->lessons().size() ? &m_library->lessons()[after]
                                                            : nullptr;
}

LabContext LessonRun::context() const
{
    LabContext context;
    context.model = m_session.model();
    context.text = m_session.text().toStdString();
    context.openModel = m_session.models().opener();
    context.makeBackend = [registry = m_session.registry()] { return registry.create("cpu"); };
    return context;
}

void LessonRun::fill()
{
    m_filled.reset();
    m_problem.clear();
    m_filling.start(
        [step = current(), context = context()](const LatestTask::Control& control) {
            return fillStep(step, context, control.stop());
        },
        [this](const FilledStep& filled) {
            m_filled = filled;
            emit filledChanged();
        },
        [this](const QString& problem) {
            m_problem = problem;
            emit filledChanged();
        });
}

// ------------------------------------------------------------------------------------- answers

void LessonRun::decide(bool right, const QString& wrong)
{
    m_verdict = right ? LessonVerdict{LessonVerdict::Kind::Right, tr("Right.")}
                      : LessonVerdict{LessonVerdict::Kind::Wrong, wrong};
    if (right)
        m_progress.answerRight(m_lesson->id, m_step);
    emit answered();
    if (right)
        emit progressChanged();
}

void LessonRun::answerNumber(const QString& typed)
{
    if (!m_filled || !m_filled->question)
        return;
    const std::optional<double> number = typedNumber(typed);
    if (!number) {
        m_verdict = {LessonVerdict::Kind::Unreadable, tr("Type a number, such as 0.25 or 1/4.")};
        emit answered();
        return;
    }
    const double answer = m_filled->answer;
    const double tolerance = m_filled->question->tolerance * (1.0 + 1e-9);
    decide(std::abs(*number - answer) <= tolerance, *number < answer
                                                        ? tr("Not yet: the number is larger.")
                                                        : tr("Not yet: the number is smaller."));
}

void LessonRun::answerChoice(int choice)
{
    if (m_filled && m_filled->question)
        decide(choice == m_filled->question->right, tr("Not yet."));
}

std::optional<double> typedNumber(const QString& typed)
{
    QString text = typed.simplified();
    text.replace(QChar(0x2212), QLatin1Char('-')).replace(QLatin1Char(','), QLatin1Char('.'));
    const bool isPercent = text.endsWith(QLatin1Char('%'));
    if (isPercent)
        text.chop(1);
    const QStringList parts = text.split(QLatin1Char('/'));
    if (parts.size() > 2)
        return std::nullopt;
    constexpr double kLargest = 1e15;
    double value = 1.0;
    for (qsizetype i = 0; i < parts.size(); ++i) {
        bool isNumber = false;
        const double part = parts[i].trimmed().toDouble(&isNumber);
        if (!isNumber || !std::isfinite(part) || (i == 1 && part == 0.0))
            return std::nullopt;
        value = i == 0 ? part : value / part;
    }
    if (isPercent)
        value /= 100.0;
    return std::abs(value) <= kLargest ? std::optional(value) : std::nullopt;
}

} // namespace headscope::ui
