#include "ui/pages/lessons/lessons_contents.h"

#include "core/lessons/lesson_library.h"
#include "ui/pages/lessons/lesson_list.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/widgets/labels.h"

#include <QPushButton>

#include <algorithm>

namespace headscope::ui {

namespace {

std::vector<LessonList::Row> rowsOf(const LessonLibrary& library, const LessonProgress& progress)
{
    std::vector<LessonList::Row> rows;
    int number = 0;
    for (const Course::Chapter& chapter : library.course().chapters) {
        rows.push_back({{}, QString::fromStdString(chapter.title), {}});
        for (const std::string& id : chapter.lessons) {
            const Lesson& lesson = library.lesson(id);
            const int steps = static_cast<int>(lesson.steps.size());
            rows.push_back({QString::fromStdString(id), QString::fromStdString(lesson.title),
                            QString::fromStdString(lesson.summary), ++number,
                            progress.seen(id, steps), steps});
        }
    }
    return rows;
}

} // namespace

LessonsContents::LessonsContents(LessonRun& run, QWidget* parent)
    : QWidget(parent)
    , m_run(run)
    , m_title(new TextLabel({}, TextRole::Title))
    , m_count(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text3))
    , m_summary(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2))
    , m_continue(new QPushButton)
    , m_reset(new QPushButton)
    , m_list(new LessonList)
    , m_area(new ColumnScroll(m_list))
{
    m_title->setStrong(true);
    m_continue->setObjectName("continue");
    m_continue->setProperty("role", "primary");
    m_reset->setObjectName("reset");
    m_reset->setProperty("role", "link");
    m_area->setProperty("role", "page");
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    m_list->setAutoFillBackground(false);
    auto* top = rowOf(16, {m_title, {m_count, 1}, m_reset, m_continue});
    auto* column = columnOf(12, {top, new Hairline, {m_area, 1}, m_summary}, this);
    column->setContentsMargins(24, 16, 24, 8);
    connect(m_list, &LessonList::currentChanged, m_summary,
            [this] { m_summary->setText(m_list->currentSummary()); });
    connect(m_list, &LessonList::opened, this,
            [this](const QString& id) { m_run.start(id.toStdString()); });
    connect(m_list, &LessonList::currentMoved, this, [this](const QRect& place) {
        m_area->ensureVisible(place.center().x(), place.center().y(), 0, place.height());
    });
    connect(m_continue, &QPushButton::clicked, this, [this] {
        const std::string& last = m_run.progress().lastLesson();
        const auto& lessons = m_run.library().lessons();
        if (m_run.library().find(last))
            m_run.start(last);
        else if (!lessons.empty())
            m_run.start(lessons.front().id);
    });
    connect(m_reset, &QPushButton::clicked, this, &LessonsContents::askToReset);
    connect(&run, &LessonRun::progressChanged, this, &LessonsContents::refresh);
    connect(&run, &LessonRun::libraryChanged, this, &LessonsContents::refresh);
    refresh();
}

void LessonsContents::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_asks = false;
    m_list->setCurrent(QString::fromStdString(m_run.progress().lastLesson()));
    refresh();
}

void LessonsContents::refresh()
{
    const LessonLibrary& library = m_run.library();
    const std::vector<LessonList::Row> rows = rowsOf(library, m_run.progress());
    const auto done = std::ranges::count_if(rows, [](const LessonList::Row& row) {
        return !row.id.isEmpty() && row.seen >= row.steps;
    });
    const Lesson* last = library.find(m_run.progress().lastLesson());
    m_title->setText(QString::fromStdString(library.course().title));
    m_count->setText(library.lessons().empty()
                         ? tr("No lessons")
                         : tr("%1 of %2 lessons done").arg(done).arg(library.lessons().size()));
    m_continue->setText(last ? tr("Continue: %1").arg(QString::fromStdString(last->title))
                             : tr("Begin"));
    m_continue->setEnabled(!library.lessons().empty());
    m_reset->setText(m_asks ? tr("Erase progress? Press again to confirm") : tr("Start over"));
    m_reset->setVisible(m_run.progress() != LessonProgress());
    m_list->setRows(rows);
    if (last && !isVisible())
        m_list->setCurrent(QString::fromStdString(last->id));
}

/// Asks twice, because it cannot be undone.
void LessonsContents::askToReset()
{
    const bool sure = m_asks;
    m_asks = !sure;
    if (sure)
        m_run.setProgress({});
    refresh();
}

void LessonsContents::focusMain()
{
    m_list->setFocus(Qt::OtherFocusReason);
}

} // namespace headscope::ui
