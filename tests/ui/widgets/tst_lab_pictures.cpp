#include "tests/support/test_program.h"
#include "tests/ui/child.h"
#include "ui/widgets/controls/slider.h"
#include "ui/widgets/diagrams/box_diagram.h"
#include "ui/widgets/diagrams/tiles_canvas.h"
#include "ui/widgets/diagrams/tiles_diagram.h"
#include "ui/widgets/diagrams/token_rows_diagram.h"
#include "ui/widgets/diagrams/tree_diagram.h"
#include "ui/widgets/tables/number_cards.h"

#include <QAccessible>
#include <QApplication>
#include <QSignalSpy>
#include <QtTest>

using namespace headscope;
using namespace headscope::ui;
using headscope::ui::test::childOf;

namespace {

/// the -> (cat, dog), cat -> (sat, </s>), dog -> sat.
LabTree beamTree()
{
    using Fate = LabTree::Fate;
    return {{{"the", -1, {}, Fate::Kept, true},
             {"cat", 0, "0.60", Fate::Kept, true},
             {"dog", 0, "0.30", Fate::Kept, false},
             {"sat", 1, "0.20", Fate::Pruned, false},
             {"</s>", 1, "0.70", Fate::Finished, true},
             {"sat", 2, "0.10", Fate::Pruned, false}}};
}

LabTiles causalTiles()
{
    LabTiles tiles;
    tiles.rows = tiles.columns = 2;
    tiles.rowsName = "block of queries";
    tiles.columnsName = "block of keys";
    tiles.tiles = {{0, 0, "starts", {{"running maximum", 1.5}}, 0},
                   {1, 0, "starts", {{"running maximum", 0.5}}, 0},
                   {1, 1, "merges", {{"running maximum", 2.25}}, 0}};
    tiles.skipped = {{0, 1}};
    return tiles;
}

LabDiagram blockDiagram()
{
    return {{{"Embedding", "[n, 512]", 0, 0}, {"Attention", {}, 0, 1}, {"Add", {}, 0, 2}},
            {{0, 1}, {1, 2}, {0, 2}}};
}

LabTokens unhappiness()
{
    return {{{"BPE", {{"un", 403, 0, 2, false}, {"happiness", 9, 2, 11, true}}, "2 tokens"}}};
}

bool areApart(const std::vector<DiagramItem>& places)
{
    for (std::size_t a = 0; a < places.size(); ++a)
        for (std::size_t b = a + 1; b < places.size(); ++b)
            if (places[a].rect.intersects(places[b].rect))
                return false;
    return true;
}

bool areInside(const QWidget& widget, const std::vector<DiagramItem>& places)
{
    return std::all_of(places.begin(), places.end(), [&widget](const DiagramItem& place) {
        return QRectF(widget.rect()).contains(place.rect);
    });
}

int inkOf(QWidget& widget)
{
    const QImage image = widget.grab().toImage();
    int different = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            different += image.pixel(x, y) != image.pixel(0, 0) ? 1 : 0;
    return different;
}

} // namespace

class TstLabPictures : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::named(false, bodyFont())); }

    // ------------------------------------------------------------------------------------ the tree

    void aLevelOfTheTreeIsAColumnInTheOrderOfItsParents()
    {
        TreeWidget tree("Beam");
        tree.resize(640, 320);
        tree.setContent(beamTree());
        const auto& places = tree.places();
        QCOMPARE(places.size(), std::size_t{6});
        QCOMPARE(places[1].rect.x(), places[2].rect.x());
        QCOMPARE(places[3].rect.x(), places[5].rect.x());
        QVERIFY(places[0].rect.right() < places[1].rect.left());
        QVERIFY(places[1].rect.top() < places[2].rect.top());
        QVERIFY(places[4].rect.top() < places[5].rect.top()); // cat's children above dog's
        QVERIFY(areApart(places));
        QVERIFY(areInside(tree, places));
    }

    void aNodeSaysWhatBecameOfIt()
    {
        const LabTree tree = beamTree();
        QCOMPARE(describeNode(tree, 3), QString("sat, 0.20, dropped, after cat"));
        QCOMPARE(describeNode(tree, 4),
                 QString("</s>, 0.70, finished, on the best path, after cat"));
    }

    void aTreeOfManyNodesKeepsThemApart()
    {
        LabTree tree{{{"root", -1, {}, LabTree::Fate::Kept, true}}};
        for (int level = 0; level < 5; ++level) {
            const auto first = static_cast<int>(tree.nodes.size()) - (level == 0 ? 1 : 12);
            for (int node = 0; node < 12; ++node)
                tree.nodes.push_back({"token", first + (level == 0 ? 0 : node),
                                      "0.123 \u00B7 -4.56", LabTree::Fate::Pruned, false});
        }
        TreeWidget widget("Beam");
        widget.resize(820, 330);
        widget.setContent(tree);
        QVERIFY(areApart(widget.places()));
        QVERIFY(areInside(widget, widget.places()));
        QVERIFY(widget.places().back().rect.height() >= 14.0);
    }

    void arrowsWalkTheTree()
    {
        TreeWidget tree("Beam");
        tree.resize(640, 320);
        tree.setContent(beamTree());
        tree.show();
        QTest::keyClick(&tree, Qt::Key_Home);
        QCOMPARE(*tree.currentItem(), 0);
        QTest::keyClick(&tree, Qt::Key_Right);
        QVERIFY(*tree.currentItem() == 1 || *tree.currentItem() == 2);
        QTest::keyClick(&tree, Qt::Key_Up);
        QCOMPARE(*tree.currentItem(), 1);
        QTest::keyClick(&tree, Qt::Key_Down);
        QCOMPARE(*tree.currentItem(), 2);
        QTest::keyClick(&tree, Qt::Key_Left);
        QCOMPARE(*tree.currentItem(), 0);
        QTest::keyClick(&tree, Qt::Key_Escape);
        QVERIFY(!tree.currentItem());
    }

    void aReaderFindsEveryNode()
    {
        TreeWidget tree("Beam");
        tree.resize(640, 320);
        tree.setContent(beamTree());
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(&tree);
        QCOMPARE(face->text(QAccessible::Name), QString("Beam"));
        QCOMPARE(face->childCount(), 6);
        QCOMPARE(face->child(3)->text(QAccessible::Name), describeNode(beamTree(), 3));
        QVERIFY(tree.accessibleDescription().contains("the cat </s>"));
    }

    // ----------------------------------------------------------------------------------- the tiles

    void stepsOfTheTilesFollowKeysSliderAndMouse()
    {
        TilesDiagram tiles("Blocks");
        auto& canvas = childOf<TilesCanvas>(tiles);
        tiles.resize(560, 320);
        tiles.setContent(causalTiles());
        tiles.show();
        QCOMPARE(tiles.done(), 3); // the finished picture comes first
        QTest::keyClick(&canvas, Qt::Key_Home);
        QCOMPARE(tiles.done(), 0);
        QTest::keyClick(&canvas, Qt::Key_Right);
        QCOMPARE(tiles.done(), 1);
        QCOMPARE(childOf<NamedSlider>(tiles).number(), 1.0);
        QTest::keyClick(&canvas, Qt::Key_End);
        QCOMPARE(tiles.done(), 3);
        QTest::keyClick(&canvas, Qt::Key_Right);
        QCOMPARE(tiles.done(), 3);
        childOf<NamedSlider>(tiles).setNumber(2.0);
        QCOMPARE(tiles.done(), 2);
        const QPoint first = canvas.places()[0].rect.center().toPoint();
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, first);
        QCOMPARE(tiles.done(), 1);
        QCOMPARE(canvas.accessibleDescription(),
                 QString("step 1 of 3, block of queries 0, block of keys 0: starts; "
                         "running maximum 1.5000"));
    }

    void playGoesThroughAllTilesAndStops()
    {
        TilesDiagram tiles("Blocks");
        auto& canvas = childOf<TilesCanvas>(tiles);
        tiles.resize(560, 320);
        tiles.setContent(causalTiles());
        tiles.show();
        QTest::keyClick(&canvas, Qt::Key_Space);
        QVERIFY(tiles.isPlaying());
        QTRY_COMPARE(tiles.done(), 3);
        QTRY_VERIFY(!tiles.isPlaying());
        tiles.play(); // from the start again
        QCOMPARE(tiles.done(), 0);
        QTest::keyClick(&canvas, Qt::Key_Space);
        QVERIFY(!tiles.isPlaying());
    }

    void everyTileHasAPlaceAndTheSkippedOneIsHatched()
    {
        TilesDiagram tiles("Blocks");
        auto& canvas = childOf<TilesCanvas>(tiles);
        tiles.resize(560, 320);
        tiles.setContent(causalTiles());
        tiles.setDone(3);
        QVERIFY(areApart(canvas.places()));
        LabTiles whole = causalTiles();
        const int hatched = inkOf(canvas);
        whole.skipped.clear();
        tiles.setContent(whole);
        QVERIFY(inkOf(canvas) != hatched);
    }

    // --------------------------------------------------------------------------------- the diagram

    void boxesStandFromTheBottomUp()
    {
        BoxDiagram diagram("Block");
        diagram.resize(400, 320);
        diagram.setContent(blockDiagram());
        const auto& places = diagram.places();
        QVERIFY(places[0].rect.top() > places[1].rect.bottom());
        QVERIFY(places[1].rect.top() > places[2].rect.bottom());
        QVERIFY(areInside(diagram, places));
        QCOMPARE(describeBox(blockDiagram(), 0), QString("Embedding, [n, 512], to Attention, Add"));
        QCOMPARE(describeBox(blockDiagram(), 2), QString("Add, from Attention, Embedding"));
    }

    // ---------------------------------------------------------------------------------- the tokens

    void tokensSayIdAndBytes()
    {
        QCOMPARE(describeToken(unhappiness(), 0, 0),
                 QString("BPE: token un, id 403, bytes 0 to 1"));
        QCOMPARE(describeToken(unhappiness(), 0, 1),
                 QString("BPE: token happiness, id 9, bytes 2 to 10, new"));
    }

    void longRowsWrapAndWhatHasNoRoomIsCounted()
    {
        LabTokens tokens{{{"BPE", {}, "many"}, {"WordPiece", {{"one", 1, 0, 3, false}}, {}}}};
        for (int index = 0; index < 5000; ++index)
            tokens.rows[0].tokens.push_back({"token", index, index * 5, index * 5 + 5, false});
        const TokenRowsLayout layout({0, 0, 600, 300}, tokens, Theme::of(QWidget()));
        QVERIFY(layout.rows()[0].hidden > 4000);
        QCOMPARE(layout.rows()[0].hidden + layout.chips().size() - 1, std::size_t{5000});
        QCOMPARE(layout.chips().back().row, std::size_t{1}); // the short row keeps its place
        for (const auto& chip : layout.chips())
            QVERIFY(QRectF(0, 0, 601, 301).contains(chip.rect));
    }

    void noTokensAreNoTrouble()
    {
        TokenRowsDiagram tokens("Tokens");
        tokens.resize(300, 100);
        tokens.setContent({});
        tokens.grab();
        tokens.setContent({{{"BPE", {}, "0 tokens"}}});
        tokens.grab();
        QVERIFY(tokens.places().empty());
    }

    // ----------------------------------------------------------------------------------- the cards

    void cardsWithoutRoomAreStillRead()
    {
        NumberCards cards;
        cards.resize(260, cards.sizeHint().height());
        cards.setCards({{"KV cache", "10 737 418 240 B", false},
                        {"Time", "3.2 ms", true},
                        {"Heads", "64", false}});
        QVERIFY(cards.accessibleDescription().contains("Time 3.2 ms, measured here"));
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(&cards);
        QCOMPARE(face->childCount(), 3);
        QCOMPARE(face->child(2)->text(QAccessible::Name), QString("Heads 64"));
    }

    // ---------------------------------------------------------------------------------- all of
    // them

    void nothingCrashesWhereThereIsNoRoom()
    {
        TreeWidget tree("Tree");
        tree.setContent(beamTree());
        TilesDiagram tiles("Tiles");
        tiles.setContent(causalTiles());
        BoxDiagram diagram("Diagram");
        diagram.setContent(blockDiagram());
        TokenRowsDiagram tokens("Tokens");
        tokens.setContent(unhappiness());
        for (QWidget* widget : {static_cast<QWidget*>(&tree), static_cast<QWidget*>(&tiles),
                                static_cast<QWidget*>(&diagram), static_cast<QWidget*>(&tokens)}) {
            widget->resize(24, 20);
            QVERIFY(!widget->grab().isNull());
        }
    }
};

HEADSCOPE_WINDOW_TEST(TstLabPictures)
#include "tst_lab_pictures.moc"
