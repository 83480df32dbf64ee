#include "tests/support/test_program.h"
#include "ui/widgets/drawn_widget.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPointer>
#include <QToolTip>
#include <QtTest>

using namespace headscope::ui;

namespace {

/// Squares of 20 pixels with a gap of 20, three in a line; it writes down what happens to them.
class Squares : public DrawnWidget
{
public:
    explicit Squares(Items items, int count = 6)
        : DrawnWidget(items, "Squares")
        , m_columns(items == Items::Table ? 3 : 1)
        , m_count(count)
    {
        resize(120, 80);
    }

    using DrawnWidget::hoveredItem;
    using DrawnWidget::leaveKeysWith;
    using DrawnWidget::setCurrentItem;
    using DrawnWidget::setItemToolTips;

    QPoint middle(int item) const { return itemRect(item).center().toPoint(); }

    void setCount(int count)
    {
        m_count = count;
        itemsChanged();
    }

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(this, key, modifiers);
    }

    QStringList log;
    bool opens = true;

protected:
    int itemCount() const override { return m_count; }

    int columnCount() const override { return m_columns; }

    QRectF itemRect(int item) const override
    {
        return {(item % 3) * 40.0, (item / 3) * 40.0, 20.0, 20.0};
    }

    QString itemText(int item) const override { return QStringLiteral("square %1").arg(item); }

    void goToItem(int item) override
    {
        log << QStringLiteral("go to %1").arg(item);
        DrawnWidget::goToItem(item);
    }

    bool openItem(int item) override
    {
        log << QStringLiteral("open %1").arg(item);
        return opens;
    }

    void hoverChanged() override
    {
        log << QStringLiteral("hover %1").arg(hoveredItem().value_or(-1));
    }

private:
    int m_columns;
    int m_count;
};

} // namespace

class TstDrawnWidget : public QObject
{
    Q_OBJECT

private slots:

    void aClickGoesToTheItemUnderIt()
    {
        Squares squares(DrawnWidget::Items::Row);
        QTest::mouseClick(&squares, Qt::LeftButton, {}, squares.middle(4));
        QCOMPARE(squares.currentItem(), std::optional(4));
        QTest::mouseClick(&squares, Qt::LeftButton, {}, QPoint(30, 30)); // between them
        QTest::mouseClick(&squares, Qt::RightButton, {}, squares.middle(1));
        QCOMPARE(squares.log, QStringList{"go to 4"});
    }

    void aDoubleClickOpensOrClicksTwice()
    {
        Squares squares(DrawnWidget::Items::Row);
        QTest::mouseClick(&squares, Qt::LeftButton, {}, squares.middle(1));
        QTest::mouseDClick(&squares, Qt::LeftButton, {}, squares.middle(1));
        QCOMPARE(squares.log, QStringList({"go to 1", "open 1"}));
        squares.opens = false;
        squares.log.clear();
        QTest::mouseClick(&squares, Qt::LeftButton, {}, squares.middle(1));
        QTest::mouseDClick(&squares, Qt::LeftButton, {}, squares.middle(1));
        QCOMPARE(squares.log, QStringList({"go to 1", "open 1", "go to 1"}));
    }

    void arrowsGoAlongARowAndStopAtItsEnds()
    {
        Squares squares(DrawnWidget::Items::Row, 2);
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Right, Qt::Key_Left,
                                  Qt::Key_Left, Qt::Key_Down})
            squares.press(key);
        QCOMPARE(squares.log, QStringList({"go to 0", "go to 1", "go to 1", "go to 0", "go to 0"}));
    }

    void arrowsGoAlongAColumn()
    {
        Squares squares(DrawnWidget::Items::Column, 2);
        for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Up, Qt::Key_Right})
            squares.press(key);
        QCOMPARE(squares.log, QStringList({"go to 0", "go to 1", "go to 0"}));
    }

    void arrowsGoOverTheCellsOfATable()
    {
        Squares squares(DrawnWidget::Items::Table);
        squares.press(Qt::Key_Return); // the first cell, without any other
        for (const Qt::Key key :
             {Qt::Key_Right, Qt::Key_Down, Qt::Key_End, Qt::Key_Right, Qt::Key_Home, Qt::Key_Up})
            squares.press(key);
        QCOMPARE(squares.log, QStringList({"open 0", "go to 1", "go to 4", "go to 5", "go to 5",
                                           "go to 3", "go to 0"}));
    }

    void arrowsGoToTheNearestItemInAPlane()
    {
        Squares squares(DrawnWidget::Items::Plane);
        for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Right, Qt::Key_Down, Qt::Key_Down,
                                  Qt::Key_Left, Qt::Key_End, Qt::Key_Home})
            squares.press(key);
        QCOMPARE(squares.log, QStringList({"go to 0", "go to 1", "go to 4", "go to 4", "go to 3",
                                           "go to 5", "go to 0"}));
    }

    void keysThatGoNowhereAreLeftToTheWindow()
    {
        QWidget window;
        QPointer<Squares> squares = new Squares(DrawnWidget::Items::Row, 0);
        squares->setParent(&window);
        QKeyEvent empty(QEvent::KeyPress, Qt::Key_Right, {});
        QCoreApplication::sendEvent(squares, &empty);
        QVERIFY(!empty.isAccepted());
        squares->setCount(3);
        squares->leaveKeysWith(Qt::ControlModifier);
        QKeyEvent foreign(QEvent::KeyPress, Qt::Key_Right, Qt::ControlModifier);
        QCoreApplication::sendEvent(squares, &foreign);
        QVERIFY(!foreign.isAccepted());
        QKeyEvent none(QEvent::KeyPress, Qt::Key_Return, {}); // nothing is current
        QCoreApplication::sendEvent(squares, &none);
        QVERIFY(!none.isAccepted());
        QVERIFY(squares->log.isEmpty());
        squares->press(Qt::Key_Right, Qt::ShiftModifier);
        squares->press(Qt::Key_Enter);
        QCOMPARE(squares->log, QStringList({"go to 0", "open 0"}));
    }

    void thePointerIsFollowedOnlyWhereItIsWanted()
    {
        Squares squares(DrawnWidget::Items::Row);
        const auto moveTo = [&squares](QPointF place) {
            QMouseEvent move(QEvent::MouseMove, place, squares.mapToGlobal(place), Qt::NoButton,
                             Qt::NoButton, Qt::NoModifier);
            QCoreApplication::sendEvent(&squares, &move);
        };
        moveTo(squares.middle(1));
        QVERIFY(!squares.hoveredItem());
        squares.setMouseTracking(true);
        moveTo(squares.middle(2));
        moveTo(squares.middle(2) + QPoint(1, 1));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&squares, &leave);
        QCOMPARE(squares.log, QStringList({"hover 2", "hover -1"}));
    }

    void itemsHaveToolTips()
    {
        Squares squares(DrawnWidget::Items::Row);
        squares.show();
        const auto ask = [&squares](QPoint place) {
            QHelpEvent help(QEvent::ToolTip, place, squares.mapToGlobal(place));
            QCoreApplication::sendEvent(&squares, &help);
            return help.isAccepted();
        };
        QVERIFY(ask(squares.middle(5)));
        QCOMPARE(QToolTip::text(), QStringLiteral("square 5"));
        squares.setItemToolTips(false);
        QVERIFY(!ask(squares.middle(5)));
        QToolTip::hideText();
    }

    void readersFindAListAndTheCurrentItem()
    {
        Squares squares(DrawnWidget::Items::Row);
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&squares);
        QCOMPARE(list->role(), QAccessible::List);
        QCOMPARE(list->text(QAccessible::Name), QStringLiteral("Squares"));
        QCOMPARE(list->childCount(), 6);
        QCOMPARE(list->child(2)->text(QAccessible::Name), QStringLiteral("square 2"));
        QVERIFY(!list->focusChild());
        squares.setCurrentItem(3);
        QCOMPARE(list->focusChild()->text(QAccessible::Name), QStringLiteral("square 3"));
        QCOMPARE(squares.accessibleDescription(), QStringLiteral("square 3"));
    }

    void readersFindATable()
    {
        Squares squares(DrawnWidget::Items::Table);
        QAccessibleInterface* table = QAccessible::queryAccessibleInterface(&squares);
        QVERIFY(table->tableInterface());
        QCOMPARE(table->tableInterface()->rowCount(), 2);
        QCOMPARE(table->tableInterface()->cellAt(1, 2)->text(QAccessible::Name),
                 QStringLiteral("square 5"));
    }

    void fewerItemsKeepTheKeyboardInside()
    {
        Squares squares(DrawnWidget::Items::Row);
        squares.setCurrentItem(5);
        squares.setCount(2);
        QCOMPARE(squares.currentItem(), std::optional(1));
        squares.setCount(0);
        QVERIFY(!squares.currentItem());
        QVERIFY(squares.accessibleDescription().isEmpty());
    }
};

HEADSCOPE_WINDOW_TEST(TstDrawnWidget)
#include "tst_drawn_widget.moc"
