#include "tests/support/test_program.h"
#include "ui/pages/lessons/lesson_list.h"
#include "ui/widgets/style/theme.h"

#include <QtTest>

using namespace headscope::ui;

namespace {

/// Rows of chapters with these numbers of lessons.
std::vector<LessonList::Row> rowsOf(const std::vector<int>& chapters)
{
    std::vector<LessonList::Row> rows;
    int number = 0;
    for (const int lessons : chapters) {
        rows.push_back({{}, QStringLiteral("Chapter"), {}, 0, 0, 0});
        for (int i = 0; i < lessons; ++i) {
            ++number;
            rows.push_back({QString::number(number), QStringLiteral("Lesson"), {}, number, 0, 1});
        }
    }
    return rows;
}

int heightOf(const std::vector<int>& chapters, int width)
{
    LessonList list;
    list.setRows(rowsOf(chapters));
    return list.heightForWidth(width);
}

} // namespace

class TstLessonList : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    /// The course in three columns: 9, 11 and 9 lessons, not 14, 6 and 9.
    void columnsAreBalanced()
    {
        const std::vector<int> course{4, 2, 3, 5, 3, 3, 2, 4, 3};
        const int eleven = heightOf({11}, 300) + 2 * heightOf({0}, 300);
        QCOMPARE(heightOf(course, 900), eleven);
    }

    void chaptersStayTogether()
    {
        QCOMPARE(heightOf({9, 1}, 1100), heightOf({9}, 300));
        QCOMPARE(heightOf({}, 1100), 0);
        QCOMPARE(heightOf({1}, 1100), heightOf({1}, 300));
    }
};

HEADSCOPE_WINDOW_TEST(TstLessonList)
#include "tst_lesson_list.moc"
