#include "tests/support/test_program.h"
#include "tests/ui/pages/session_fixture.h"
#include "ui/pages/inspector/inspector_page.h"
#include "ui/pages/shared/maps/map_content.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/labels.h"

#include <QScrollArea>

#include <algorithm>

using namespace headscope;
using namespace headscope::ui;
using namespace headscope::ui::test;

namespace {

struct Fixture : SessionFixture
{
    explicit Fixture(const QString& text) : SessionFixture(text), view(session)
    {
        view.setFixedSize(312, 400); // low: with a scroll bar
        view.show();
        if (!QTest::qWaitFor([this] { return isCurrent(); }))
            qFatal("no trace");
        QTest::qWait(20);
    }

    void setGrouping(TokenDisplay::Grouping grouping)
    {
        TokenDisplay display = session.view().display();
        display.grouping = grouping;
        session.view().setDisplay(display);
        QTest::qWait(20);
    }

    /// Number that the map of the overview shows for the selected pair.
    double mapValue() const
    {
        const HeatmapContent map =
            headMap(session, session.view().shownVariant(), MapKind::Weights).map;
        return map.current ? double{map.matrix.at(*map.current)} : -1.0;
    }

    TextLabel* labelOf(const QString& text) const
    {
        for (TextLabel* label : view.findChildren<TextLabel*>())
            if (label->isVisible() && label->text() == text)
                return label;
        return nullptr;
    }

    bool hasLabelWith(const QString& text) const
    {
        return std::ranges::any_of(view.findChildren<TextLabel*>(), [&](const TextLabel* label) {
            return label->isVisible() && label->text().contains(text);
        });
    }

    InspectorPage view;
};

} // namespace

class TstInspector : public QObject
{
    Q_OBJECT

private slots:

    void wordsHaveTheNumberOfTheMap_data()
    {
        QTest::addColumn<TokenDisplay::Grouping>("grouping");
        QTest::newRow("pieces") << TokenDisplay::Grouping::Pieces;
        QTest::newRow("words, sum") << TokenDisplay::Grouping::WordSum;
        QTest::newRow("words, mean") << TokenDisplay::Grouping::WordMean;
    }

    void wordsHaveTheNumberOfTheMap()
    {
        QFETCH(TokenDisplay::Grouping, grouping);
        Fixture fixture("the wombat saw xylophones");
        fixture.session.view().selectPair(9, 6);
        fixture.setGrouping(grouping);
        const QString expected = readoutNumber(fixture.mapValue());
        QVERIFY2(fixture.labelOf(expected), qPrintable(expected));
        const auto bars = fixture.view.findChildren<BarsWidget*>().front()->bars();
        const auto subject =
            std::find_if(bars.begin(), bars.end(), [](const Bar& bar) { return bar.subject; });
        if (subject != bars.end())
            QCOMPARE(readoutNumber(subject->value), expected);
        QVERIFY(fixture.labelOf(QStringLiteral("Where %1 comes from").arg(expected)));
    }

    /// Its scores do not give the weight that the map shows.
    void anEditedWeightIsDerivedAndSaidToBeReplaced()
    {
        Fixture fixture("the cat sat");
        fixture.session.view().selectPair(2, 1);
        QTest::qWait(20);
        const QString computed = readoutNumber(fixture.mapValue());
        const QString sentence =
            QStringLiteral("An intervention replaces the computed %1 with 0.500.").arg(computed);
        QVERIFY(!fixture.labelOf(sentence));
        Changes changes;
        changes.edits.push_back({{Site::Pattern, 0}, 0, 2, 1, {0.5F}, true});
        fixture.session.document().setChanges(changes, "edit");
        fixture.session.view().setShownVariant(headscope::ui::Variant::B);
        QTRY_VERIFY(fixture.isCurrent());
        QTRY_VERIFY(fixture.labelOf("Where 0.500 comes from"));
        QVERIFY(fixture.labelOf(sentence));
        fixture.session.view().selectPair(1, 1); // a row without an edit
        QTest::qWait(20);
        QVERIFY(!fixture.labelOf(sentence));
        QVERIFY(!fixture.hasLabelWith("An intervention"));
    }

    /// Positions of four digits leave no room for the tokens.
    void positionsGiveWayToTokens()
    {
        Fixture f("the cat");
        f.session.view().selectPair(1, 0);
        QTest::qWait(20);
        QVERIFY(f.labelOf("cat") && f.labelOf("1") && f.labelOf("0"));
        f.view.setFixedSize(270, 400);
        f.session.view().selectPair(0, 0);
        f.session.view().selectPair(1, 0);
        QTest::qWait(20);
        QVERIFY(f.labelOf("cat") && f.labelOf("the"));
        QVERIFY(!f.labelOf("1") && !f.labelOf("0"));
    }

    void longTokensLeaveRoomForTheNumber()
    {
        Fixture fixture("internationalisation misunderstandings");
        fixture.session.view().selectPair(25, 3);
        fixture.setGrouping(TokenDisplay::Grouping::WordSum);
        TextLabel* figure = fixture.labelOf(readoutNumber(fixture.mapValue()));
        QVERIFY(figure);
        const auto* scroll = fixture.view.findChild<QScrollArea*>();
        const int right = figure->mapTo(scroll->viewport(), QPoint(figure->width(), 0)).x();
        QVERIFY2(right <= scroll->viewport()->width(), qPrintable(QString::number(right)));
        QVERIFY(figure->width() >= figure->sizeHint().width());
        QVERIFY(scroll->widget()->width() <= scroll->viewport()->width());
    }
};

HEADSCOPE_WINDOW_TEST(TstInspector)
#include "tst_inspector.moc"
