#pragma once

#include <QByteArray>

#include <map>
#include <set>
#include <string>

namespace headscope::ui {

/// How far a person got in each lesson. A value; kept with the settings.
class LessonProgress
{
public:
    void see(const std::string& lesson, int step);
    void answerRight(const std::string& lesson, int step);

    int seen(const std::string& lesson, int steps) const; ///< of so many steps
    bool isRight(const std::string& lesson, int step) const;
    int lastStep(const std::string& lesson) const; ///< 0 where nothing was seen

    const std::string& lastLesson() const { return m_last; } ///< empty: none was begun

    QByteArray json() const;
    static LessonProgress fromJson(const QByteArray& json); ///< what cannot be read is left out

    friend bool operator==(const LessonProgress&, const LessonProgress&) = default;

private:
    struct Entry
    {
        std::set<int> seen;
        std::set<int> right;
        int last = 0;

        friend bool operator==(const Entry&, const Entry&) = default;
    };

    std::map<std::string, Entry> m_lessons;
    std::string m_last;
};

} // namespace headscope::ui
