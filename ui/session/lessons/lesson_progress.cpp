#include "ui/session/lessons/lesson_progress.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kMostSteps = 1000; // Limit on the steps of a lesson in a file.

QJsonArray toArray(const std::set<int>& steps)
{
    QJsonArray array;
    for (const int step : steps)
        array.append(step);
    return array;
}

bool isStep(const QJsonValue& value)
{
    return value.isDouble() && value.toInt(-1) >= 0 && value.toInt(-1) < kMostSteps;
}

std::set<int> toSteps(const QJsonValue& value)
{
    std::set<int> steps;
    const QJsonArray array = value.toArray();
    for (const QJsonValue& step : array) {
        if (isStep(step))
            steps.insert(step.toInt());
    }
    return steps;
}

} // namespace

void LessonProgress::see(const std::string& lesson, int step)
{
    Entry& entry = m_lessons[lesson];
    entry.seen.insert(step);
    entry.last = step;
    m_last = lesson;
}

void LessonProgress::answerRight(const std::string& lesson, int step)
{
    m_lessons[lesson].right.insert(step);
}

int LessonProgress::seen(const std::string& lesson, int steps) const
{
    const auto found = m_lessons.find(lesson);
    if (found == m_lessons.end())
        return 0;
    return static_cast<int>(
        std::ranges::count_if(found->second.seen, [steps](int step) { return step < steps; }));
}

int LessonProgress::lastStep(const std::string& lesson) const
{
    const auto found = m_lessons.find(lesson);
    return found == m_lessons.end() ? 0 : found->second.last;
}

QByteArray LessonProgress::json() const
{
    QJsonObject lessons;
    for (const auto& [id, entry] : m_lessons)
        lessons.insert(QString::fromStdString(id), QJsonObject{{"seen", toArray(entry.seen)},
                                                               {"right", toArray(entry.right)},
                                                               {"last", entry.last}});
    return QJsonDocument(
               QJsonObject{{"lessons", lessons}, {"last", QString::fromStdString(m_last)}})
        .toJson(QJsonDocument::Compact);
}

LessonProgress LessonProgress::fromJson(const QByteArray& json)
{
    LessonProgress progress;
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    progress.m_last = object.value("last").toString().toStdString();
    const QJsonObject lessons = object.value("lessons").toObject();
    for (auto lesson = lessons.begin(); lesson != lessons.end(); ++lesson) {
        const QJsonObject of = lesson.value().toObject();
        Entry& entry = progress.m_lessons[lesson.key().toStdString()];
        entry.seen = toSteps(of.value("seen"));
        entry.right = toSteps(of.value("right"));
        entry.last = isStep(of.value("last")) ? of.value("last").toInt() : 0;
    }
    return progress;
}

} // namespace headscope::ui
