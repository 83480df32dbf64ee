#include "tests/support/test_program.h"
#include "ui/widgets/heads/head_tiles.h"

#include <QPainter>
#include <QSignalSpy>
#include <QtTest>

using namespace headscope::ui;

namespace {

HeadTilesContent tilesOf(int layers, int heads)
{
    HeadTilesContent content;
    content.grid.layers = layers;
    content.grid.heads = heads;
    for (int index = 0; index < layers * heads; ++index) {
        content.grid.thumbnails.push_back(std::make_shared<const HeadThumbnail>(
            makeThumbnail(HeatmapMatrix::copyOf({1.0F, 0.0F, 0.5F, 0.5F}, 2, 2), {})));
        content.notes.push_back(QString("induct. 0.%1").arg(index));
    }
    content.grid.selected = GridCell{0, 0};
    return content;
}

} // namespace

class TstHeadTiles : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void tilesLieApartAndInside()
    {
        const HeadTilesContent content = tilesOf(2, 4);
        const QRectF area(10, 20, 560, 340);
        const HeadTilesLayout layout(area, content, Theme::light());
        QVERIFY(layout.isLabelled());
        for (int layer = 0; layer < 2; ++layer) {
            for (int head = 0; head < 4; ++head) {
                const QRectF tile = layout.mapRect({layer, head});
                QVERIFY(area.contains(tile));
                QCOMPARE(layout.headAt(tile.center()), std::optional(GridCell{layer, head}));
                QCOMPARE(tile.width(), tile.height());
                if (head > 0)
                    QVERIFY(!tile.intersects(layout.mapRect({layer, head - 1})));
            }
        }
        QVERIFY(layout.labelRect({1, 0}).top() >= layout.mapRect({0, 0}).bottom());
    }

    void mapsGrowWithTheirArea()
    {
        const HeadTilesContent content = tilesOf(2, 4);
        const auto sideIn = [&](QSizeF size) {
            return HeadTilesLayout(QRectF(QPointF(), size), content, Theme::light())
                .mapRect({0, 0})
                .width();
        };
        QVERIFY(sideIn({1000, 800}) > 200.0);
        QCOMPARE(sideIn({4000, 3000}), 320.0);
    }

    void manyHeadsGoWithoutLabels()
    {
        const QRectF area(0, 0, 400, 300);
        const HeadTilesLayout layout(area, tilesOf(12, 12), Theme::light());
        QVERIFY(!layout.isLabelled());
        QVERIFY(area.contains(layout.mapRect({11, 11})));
    }

    void arrowsMoveAndEnterOpens()
    {
        HeadTiles tiles;
        HeadTilesContent content = tilesOf(2, 3);
        tiles.setContent(content);
        QSignalSpy activated(&tiles, &HeadTiles::headActivated);
        QSignalSpy opened(&tiles, &HeadTiles::headOpened);
        QTest::keyClick(&tiles, Qt::Key_Right);
        QCOMPARE(activated.takeLast().front().value<GridCell>(), (GridCell{0, 1}));
        QTest::keyClick(&tiles, Qt::Key_Down);
        QCOMPARE(activated.takeLast().front().value<GridCell>(), (GridCell{1, 0}));
        QTest::keyClick(&tiles, Qt::Key_Left); // nothing lies there
        QCOMPARE(activated.takeLast().front().value<GridCell>(), (GridCell{0, 0}));
        content.grid.selected = GridCell{1, 2};
        tiles.setContent(content);
        QTest::keyClick(&tiles, Qt::Key_Return);
        QCOMPARE(opened.takeLast().front().value<GridCell>(), (GridCell{1, 2}));
    }

    void aScreenReaderHearsNameAndNumber()
    {
        HeadTiles tiles;
        HeadTilesContent content = tilesOf(2, 3);
        content.grid.selected = GridCell{1, 1};
        tiles.setContent(content);
        QCOMPARE(tiles.accessibleDescription(), QString("head 1.1: induct. 0.4"));
        QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(&tiles);
        QVERIFY(reader && reader->tableInterface());
        QCOMPARE(reader->tableInterface()->cellAt(0, 2)->text(QAccessible::Name),
                 QString("head 0.2: induct. 0.2"));
    }

    void theMapIsDrawnCellByCell()
    {
        const HeadTilesContent content = tilesOf(1, 1);
        const Theme theme = Theme::light();
        QImage image(300, 300, QImage::Format_RGB32);
        image.fill(theme.surface);
        QPainter painter(&image);
        const HeadTilesLayout layout(QRectF(20, 20, 260, 260), content, theme);
        paintHeadTiles(painter, layout, content, theme);
        painter.end();
        const QRectF map = layout.mapRect({0, 0});
        const auto at = [&](double x, double y) {
            return qGray(
                image.pixel(qRound(map.x() + x * map.width()), qRound(map.y() + y * map.height())));
        };
        QVERIFY(at(0.25, 0.25) < 50);             // weight 1
        QVERIFY(at(0.75, 0.25) > 250);            // weight 0 is the page
        QCOMPARE(at(0.25, 0.75), at(0.75, 0.75)); // weight 0.5 both
        QVERIFY(at(0.25, 0.75) > 60 && at(0.25, 0.75) < 200);
    }
};

HEADSCOPE_WINDOW_TEST(TstHeadTiles)
#include "tst_head_tiles.moc"
