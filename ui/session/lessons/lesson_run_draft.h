#pragma once

#include "core/lessons/lesson.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

namespace headscope::ui {

/// The lesson that a person writes. Every change can be taken back; what is not in a file yet can
/// be kept elsewhere (see kept()).
class LessonDraft : public QObject
{
    Q_OBJECT

public:
    explicit LessonDraft(QObject* parent = nullptr);

    const Lesson& lesson() const { return m_lesson; }

    const QString& path() const { return m_path; } ///< empty: in no file

    bool isSaved() const { return m_lesson == m_saved; }

    /// Changes in a row to the same place ("step 2: text") are one step of undo.
    void edit(const QString& place, const std::function<void(Lesson&)>& change);
    int addStep(const LessonStep& step); ///< at the end; returns its place
    void removeStep(int step);
    void moveStep(int from, int to);
    void clear(); ///< a new one

    bool canUndo() const { return !m_past.empty(); }

    bool canRedo() const { return !m_future.empty(); }

    void undo();
    void redo();

    void open(const QString& path); ///< throws Error
    void save(const QString& path); ///< throws Error: what a lesson still lacks, or the disk

    QByteArray kept() const;           ///< also of what no file may hold yet
    void bringBack(const QByteArray&); ///< of kept(); anything else is ignored

signals:
    void changed();

private:
    void replace(Lesson lesson, const QString& place);

    Lesson m_lesson;
    Lesson m_saved;
    QString m_path;
    QString m_place; ///< of the newest change
    std::vector<Lesson> m_past;
    std::vector<Lesson> m_future;
};

/// "Über uns: 2" -> "ber-uns-2"; "lesson" where nothing is left.
std::string lessonIdOf(const QString& title);

} // namespace headscope::ui
