#include "ui/widgets/tables/score_table.h"

#include "tests/support/test_program.h"
#include "ui/widgets/style/theme.h"

#include <QScrollBar>
#include <QtTest>

using namespace headscope::ui;

namespace {

std::vector<ScoreColumn> columns()
{
    return {{QStringLiteral("Score"), {}, 3, 1.0}};
}

/// 60 heads, the first ones the largest or the smallest.
std::vector<ScoreRow> rows(bool rising)
{
    std::vector<ScoreRow> filled;
    for (int place = 0; place < 60; ++place) {
        const int head = rising ? 59 - place : place;
        ScoreRow row;
        row.name = QStringLiteral("0.%1").arg(head);
        row.values = {1.0 - head / 60.0};
        filled.push_back(std::move(row));
    }
    return filled;
}

} // namespace

class TstScoreTable : public QObject
{
    Q_OBJECT

private slots:

    void init()
    {
        m_table = std::make_unique<ScoreTable>();
        m_table->resize(400, 300);
        m_table->setColumns(columns());
        m_table->setRows(rows(false));
        m_table->setCurrentRow(50);
        m_table->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_table.get()));
    }

    void firstRowsComeFirst()
    {
        QCOMPARE(m_table->currentRow(), 50);
        QCOMPARE(m_table->verticalScrollBar()->value(), 0);
    }

    void anotherHeadIsBroughtIntoView()
    {
        m_table->setCurrentRow(40);
        QVERIFY(shows(40));
        fill(false);
        m_table->setCurrentRow(40); // the same again: nothing moves
        QVERIFY(shows(40));
    }

    void aNewOrderBeginsAtItsTop()
    {
        m_table->setCurrentRow(40);
        m_table->setSorted(0, true);
        fill(true);
        m_table->setCurrentRow(19); // where that head is now
        QCOMPARE(m_table->verticalScrollBar()->value(), 0);
    }

    void keysBringRowsIntoView()
    {
        m_table->setCurrentRow(0);
        QSignalSpy activated(m_table.get(), &ScoreTable::rowActivated);
        QTest::keyClick(m_table.get(), Qt::Key_End, Qt::ControlModifier);
        QTRY_VERIFY(shows(59));
        QCOMPARE(activated.count(), 1);
    }

private:
    void fill(bool rising)
    {
        m_table->setColumns(columns());
        m_table->setRows(rows(rising));
    }

    bool shows(int row) const
    {
        const QRect rect = m_table->visualRect(m_table->model()->index(row, 0));
        return m_table->viewport()->rect().contains(rect.center());
    }

    std::unique_ptr<ScoreTable> m_table;
};

HEADSCOPE_WINDOW_TEST(TstScoreTable)
#include "tst_score_table.moc"
