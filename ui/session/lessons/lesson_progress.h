#pragma once

#include <QByteArray>

#include <map>
#include <set>
#include <string>

namespace headscope::ui {

/// Progress of the user in each lesson. A value, stored with the settings.
class LessonProgress
{
public:
    void see(const std::string& lesson, int step);
    void answerRight(const std::string& lesson, int step);

    /// Number of steps seen, out of `steps`.
    int seen(const std::string& lesson, int steps) const;
    int lastStep(const std::string& lesson) const; ///< Last step seen; 0 if none.

    /// Id of the lesson seen last; empty: none.
    const std::string& lastLesson() const { return m_last; }

    QByteArray json() const;
    /// Reads progress; unreadable entries are omitted.
    static LessonProgress fromJson(const QByteArray& json);

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
