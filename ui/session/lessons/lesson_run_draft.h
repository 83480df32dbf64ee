#pragma once

#include "core/lessons/lesson.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

namespace headscope::ui {

/// Lesson that the user is writing. Every change can be undone; unsaved work can be stored
/// elsewhere (see kept()).
class LessonDraft : public QObject
{
    Q_OBJECT

public:
    LessonDraft();

    const Lesson& lesson() const { return m_lesson; }

    const QString& path() const { return m_path; } ///< Path of the file; empty: none.

    bool isSaved() const { return m_lesson == m_saved; }

    /// Edits the lesson. Consecutive edits with the same `place` ("step 2: text") are one undo
    /// step.
    void edit(const QString& place, const std::function<void(Lesson&)>& change);
    int addStep(const LessonStep& step); ///< Appends a step and returns its index.
    void removeStep(int step);
    void moveStep(int from, int to);
    /// Starts a new lesson, with a first step if one is given. Undo restores the previous one.
    void clear(const std::vector<LessonStep>& steps = {});
    /// Starts from a copy of a lesson, without a file. Undo restores the previous one.
    void openCopy(Lesson lesson);

    bool canUndo() const { return !m_past.empty(); }

    bool canRedo() const { return !m_future.empty(); }

    void undo();
    void redo();

    void open(const QString& path); ///< Opens a file; throws Error.
    /// Saves to a file; throws Error for an incomplete lesson or a failed write.
    void save(const QString& path);

    QByteArray kept() const;           ///< Contents for bringBack(), even of an incomplete lesson.
    void bringBack(const QByteArray&); ///< Restores the result of kept(); ignores anything else.

signals:
    void changed();

private:
    void replace(Lesson lesson, const QString& place);

    Lesson m_lesson;
    Lesson m_saved;
    QString m_path;
    QString m_place; ///< Place of the newest edit.
    std::vector<Lesson> m_past;
    std::vector<Lesson> m_future;
};

/// Id for a title: "Über uns: 2" → "ber-uns-2"; "lesson" if nothing remains.
std::string lessonIdOf(const QString& title);

} // namespace headscope::ui
