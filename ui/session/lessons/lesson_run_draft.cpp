#include "ui/session/lessons/lesson_run_draft.h"

#include "core/base/error.h"
#include "core/lessons/lesson_json.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

constexpr std::size_t kMostUndo = 200;

Lesson emptyLesson()
{
    Lesson lesson;
    lesson.id = "lesson";
    lesson.title = LessonDraft::tr("My lesson").toStdString();
    return lesson;
}

/// Replaces empty texts, which an unfinished lesson may have but a file may not, by a space.
void fillGaps(Lesson& lesson)
{
    const auto fill = [](std::string& text) {
        if (text.empty())
            text = " ";
    };
    fill(lesson.title);
    for (LessonStep& step : lesson.steps) {
        fill(step.title);
        if (!step.question)
            continue;
        fill(step.question->prompt);
        if (step.question->choices.empty())
            fill(step.question->answer);
        else
            step.question->answer.clear();
    }
}

void openGaps(Lesson& lesson)
{
    const auto open = [](std::string& text) {
        if (text == " ")
            text.clear();
    };
    open(lesson.title);
    for (LessonStep& step : lesson.steps) {
        open(step.title);
        if (step.question) {
            open(step.question->prompt);
            open(step.question->answer);
        }
    }
}

} // namespace

LessonDraft::LessonDraft() : m_lesson(emptyLesson()), m_saved(m_lesson) {}

void LessonDraft::replace(Lesson lesson, const QString& place)
{
    if (lesson == m_lesson)
        return;
    if (place.isEmpty() || place != m_place || m_past.empty()) {
        m_past.push_back(m_lesson);
        if (m_past.size() > kMostUndo)
            m_past.erase(m_past.begin());
    }
    m_place = place;
    m_future.clear();
    m_lesson = std::move(lesson);
    emit changed();
}

void LessonDraft::edit(const QString& place, const std::function<void(Lesson&)>& change)
{
    Lesson lesson = m_lesson;
    change(lesson);
    lesson.id = lessonIdOf(QString::fromStdString(lesson.title));
    replace(std::move(lesson), place);
}

int LessonDraft::addStep(const LessonStep& step)
{
    Lesson lesson = m_lesson;
    lesson.steps.push_back(step);
    replace(std::move(lesson), {});
    return static_cast<int>(m_lesson.steps.size()) - 1;
}

void LessonDraft::removeStep(int step)
{
    Lesson lesson = m_lesson;
    if (step < 0 || step >= static_cast<int>(lesson.steps.size()))
        return;
    lesson.steps.erase(lesson.steps.begin() + step);
    replace(std::move(lesson), {});
}

void LessonDraft::moveStep(int from, int to)
{
    const int count = static_cast<int>(m_lesson.steps.size());
    if (from == to || from < 0 || to < 0 || from >= count || to >= count)
        return;
    Lesson lesson = m_lesson;
    const auto first = lesson.steps.begin();
    if (from < to)
        std::rotate(first + from, first + from + 1, first + to + 1);
    else
        std::rotate(first + to, first + from, first + from + 1);
    replace(std::move(lesson), {});
}

void LessonDraft::clear(const std::vector<LessonStep>& steps)
{
    m_path.clear();
    Lesson lesson = emptyLesson();
    m_saved = lesson;
    lesson.steps = steps;
    replace(std::move(lesson), {});
    emit changed();
}

void LessonDraft::openCopy(Lesson lesson)
{
    lesson.id = lessonIdOf(QString::fromStdString(lesson.title));
    lesson.rows.clear(); // of the curriculum
    m_path.clear();
    m_saved = Lesson();
    replace(std::move(lesson), {});
    emit changed();
}

void LessonDraft::undo()
{
    if (m_past.empty())
        return;
    m_future.push_back(std::exchange(m_lesson, m_past.back()));
    m_past.pop_back();
    m_place.clear();
    emit changed();
}

void LessonDraft::redo()
{
    if (m_future.empty())
        return;
    m_past.push_back(std::exchange(m_lesson, m_future.back()));
    m_future.pop_back();
    m_place.clear();
    emit changed();
}

// ------------------------------------------------------------------------------------------ files

void LessonDraft::open(const QString& path)
{
    replace(loadLesson(path.toStdString()), {});
    m_saved = m_lesson;
    m_path = path;
    emit changed();
}

void LessonDraft::save(const QString& path)
{
    // nothing is saved that could not be opened again
    parseLesson(lessonJson(m_lesson), m_lesson.title);
    saveLesson(m_lesson, path.toStdString());
    m_saved = m_lesson;
    m_path = path;
    emit changed();
}

QByteArray LessonDraft::kept() const
{
    if (m_lesson.steps.empty())
        return {};
    Lesson lesson = m_lesson;
    fillGaps(lesson);
    const QByteArray json = QByteArray::fromStdString(lessonJson(lesson));
    return QJsonDocument(QJsonObject{{"lesson", QString::fromUtf8(json)},
                                     {"path", m_path},
                                     {"saved", isSaved()}})
        .toJson(QJsonDocument::Compact);
}

void LessonDraft::bringBack(const QByteArray& kept)
{
    const QJsonObject object = QJsonDocument::fromJson(kept).object();
    const std::string json = object.value("lesson").toString().toStdString();
    if (json.empty())
        return;
    try {
        Lesson lesson = parseLesson(json, "settings");
        openGaps(lesson);
        m_lesson = std::move(lesson);
    } catch (const Error&) {
        return; // the settings file was edited by hand
    }
    m_path = object.value("path").toString();
    m_saved = object.value("saved").toBool() ? m_lesson : Lesson();
    emit changed();
}

std::string lessonIdOf(const QString& title)
{
    std::string id;
    for (const QChar c : title.toLower()) {
        const bool isKept = (c >= QLatin1Char('a') && c <= QLatin1Char('z')) ||
                            (c >= QLatin1Char('0') && c <= QLatin1Char('9'));
        if (isKept)
            id += c.toLatin1();
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    while (!id.empty() && id.back() == '-')
        id.pop_back();
    return id.empty() ? "lesson" : id.substr(0, 60);
}

} // namespace headscope::ui
