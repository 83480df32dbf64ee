// links: ui/pages
#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/pages/head/head_page.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"
#include "ui/window/actions/window_actions.h"
#include "ui/window/find/find_bar.h"
#include "ui/window/find/token_search.h"

#include <QAbstractButton>
#include <QLineEdit>
#include <QToolButton>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;
using headscope::ui::test::WindowFixture;

namespace {

/// Tokens that are the given pieces of a text.
TokenSequence tokensOf(const std::vector<std::string>& pieces)
{
    TokenSequence tokens;
    for (const std::string& piece : pieces) {
        const std::size_t begin = tokens.text.size();
        tokens.text += piece;
        tokens.tokens.push_back({0, {begin, tokens.text.size()}, false});
    }
    return tokens;
}

QAction& action(const MainWindow& window, const QString& id)
{
    auto* found = window.findChild<QAction*>(id);
    if (!found)
        qFatal("no action %s", qPrintable(id));
    return *found;
}

struct Fixture : WindowFixture
{
    Fixture()
    {
        session.document().replaceText("the cat sat on the mat. the dog ran.");
        if (!QTest::qWaitFor([this] { return isPainted(); }))
            qFatal("no picture");
        QCoreApplication::processEvents();
    }

    FindBar& bar() const { return *window->findChild<FindBar*>(); }

    QString state() const { return childOf<TextLabel>(bar()).text(); }

    /// Opens the bar and types.
    QLineEdit& search(const QString& text) const
    {
        action(*window, "edit.findToken").trigger();
        auto& field = childOf<QLineEdit>(bar());
        field.setText(text);
        return field;
    }

    std::vector<int> matches(const QString& text) const
    {
        return findInTokens(session.traceA()->tokens(), text);
    }
};

} // namespace

class TstFind : public QObject
{
    Q_OBJECT

private slots:

    void matchesAreTheTokensInWhichTheyBegin_data()
    {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QList<int>>("tokens");
        QTest::newRow("a word") << "cat" << QList<int>{1, 5};
        QTest::newRow("any case") << "THE" << QList<int>{0, 3};
        QTest::newRow("over several tokens") << "cat s" << QList<int>{1};
        QTest::newRow("within a token") << "oncat" << QList<int>{4};
        QTest::newRow("another alphabet") << QString::fromUtf8("\u0416\u0423") << QList<int>{6};
        QTest::newRow("no match") << "dog" << QList<int>{};
        QTest::newRow("nothing") << "" << QList<int>{};
    }

    void matchesAreTheTokensInWhichTheyBegin()
    {
        QFETCH(const QString, wanted);
        QFETCH(const QList<int>, tokens);
        const TokenSequence text =
            tokensOf({"The", " cat", " sat", " the", " con", "cats ", "\u0436\u0443\u043a"});
        const std::vector<int> found = findInTokens(text, wanted);
        QCOMPARE(QList<int>(found.begin(), found.end()), tokens);
    }

    void bytesThatAreNoTextDoNoHarm()
    {
        const TokenSequence text = tokensOf({"a\xFF", "\xC3", "\xA9t\xE9", "cat"});
        QCOMPARE(findInTokens(text, "cat"), std::vector<int>{3});
        QCOMPARE(findInTokens(text, QString::fromUtf8("\u00C9t")), std::vector<int>{1});
    }

    void theSearchGoesRound()
    {
        const std::vector<int> matches{2, 5, 9};
        QCOMPARE(nextMatch(matches, 0, false), 2);
        QCOMPARE(nextMatch(matches, 2, false), 5);
        QCOMPARE(nextMatch(matches, 9, false), 2);
        QCOMPARE(nextMatch(matches, 9, true), 5);
        QCOMPARE(nextMatch(matches, 2, true), 9);
        QCOMPARE(nextMatch({}, 2, true), -1);
    }

    void enterGoesToRowsAndControlEnterToColumns()
    {
        Fixture f;
        const std::vector<int> the = f.matches("the");
        QCOMPARE(the.size(), 3u);
        QLineEdit& field = f.search("The");
        QVERIFY(f.bar().isVisible());
        QCOMPARE(f.state(), QString("3 matches"));
        for (const int token : {the[0], the[1], the[2], the[0]}) { // and round again
            QTest::keyClick(&field, Qt::Key_Return);
            QCOMPARE(f.session.pair().query, token);
        }
        QCOMPARE(f.state(), QString("1 of 3"));
        QTest::keyClick(&field, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(f.session.pair().query, the[2]);
        QTest::keyClick(&field, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(f.session.pair().query, the[2]); // the row stays
        const int first = f.session.pair().key;
        QVERIFY(std::find(the.begin(), the.end(), first) != the.end());
        QTest::keyClick(&field, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(f.session.pair().key, nextMatch(the, first, false));
        QTest::keyClick(&field, Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(f.session.pair().key, first);
        QTest::keyClick(&field, Qt::Key_Return); // a row keeps the column that was chosen
        QCOMPARE(f.session.pair(), (TokenPair{the[0], first}));
    }

    void theButtonsMoveWhatIsChosen()
    {
        Fixture f;
        f.search("cat");
        const int cat = f.matches("cat").front();
        for (QAbstractButton* button : f.bar().findChildren<QAbstractButton*>())
            QVERIFY(!button->isVisible() || !button->accessibleName().isEmpty() ||
                    !button->text().isEmpty());
        for (QAbstractButton* button : f.bar().findChildren<QAbstractButton*>())
            if (button->text() == "Key")
                button->click();
        for (QAbstractButton* button : f.bar().findChildren<QAbstractButton*>())
            if (button->accessibleName() == "Next match")
                button->click();
        QCOMPARE(f.session.pair().key, cat);
        QCOMPARE(f.state(), QString("1 of 1"));
    }

    void escapeGoesBackToThePage()
    {
        Fixture f;
        QLineEdit& field = f.search("zebra");
        QCOMPARE(f.state(), QString("No match"));
        const TokenPair before = f.session.pair();
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(f.session.pair(), before);
        QTest::keyClick(&field, Qt::Key_Escape);
        QVERIFY(!f.bar().isVisible());
        const QWidget* focus = f.window->focusWidget();
        QVERIFY(focus && f.window->workspaces().current().isAncestorOf(focus));
    }

    void escapeOnAButtonOfTheBarClosesItToo()
    {
        Fixture f;
        f.search("cat");
        f.session.view().selectPair(3, 1);
        for (QAbstractButton* button : f.bar().findChildren<QAbstractButton*>())
            if (button->accessibleName() == "Next match")
                QTest::keyClick(button, Qt::Key_Escape);
        QVERIFY(!f.bar().isVisible());
        QVERIFY(f.session.selection().pinned); // Esc did not reach the page
    }

    void aZoomedMapMovesToTheMatch()
    {
        Fixture f;
        f.window->showPage("head");
        QTRY_VERIFY(f.isPainted());
        auto& map = childOf<HeatmapWidget>(headscope::ui::test::partOf<HeadPage>(*f.window));
        QTRY_VERIFY(!map.content().matrix.isEmpty());
        map.resize(260, 260); // few cells are visible
        f.session.view().selectPair(0, 0);
        QTRY_COMPARE(map.content().current, (HeatmapCell{0, 0}));
        map.zoomBy(16.0, map.cellRect({0, 0}).topLeft());
        const int last = f.matches("ran").front();
        QVERIFY(!map.layoutNow().viewport().contains(map.cellRect({last, 0}).center()));
        QLineEdit& field = f.search("ran");
        QTest::keyClick(&field, Qt::Key_Return);
        QTRY_COMPARE(map.content().queryRow, last);
        const QRectF row = map.cellRect(*map.content().current);
        QVERIFY(map.zoomFactor() > 1.0);
        QVERIFY(map.layoutNow().viewport().contains(row.center()));
    }

    void aRepeatedSentenceIsANeedle()
    {
        Fixture f;
        const QString before = f.session.text();
        action(*f.window, "edit.needle").trigger();
        QCOMPARE(f.session.text(), before + " the cat sat on the mat.");
        f.session.document().undoStack().undo();
        QCOMPARE(f.session.text(), before);
        f.session.document().replaceText(" ");
        QVERIFY(!action(*f.window, "edit.needle").isEnabled());
    }
};

HEADSCOPE_WINDOW_TEST(TstFind)
#include "tst_find.moc"
