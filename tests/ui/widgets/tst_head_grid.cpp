#include "tests/support/test_program.h"
#include "ui/widgets/heads/head_grid_paint.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/heads/head_tiles.h"

#include <QSignalSpy>
#include <QtTest>

using namespace headscope::ui;

namespace {

HeadGridContent gridOf(int layers, int heads, int keyValueHeads)
{
    HeadGridContent content;
    content.layers = layers;
    content.heads = heads;
    content.keyValueHeads = keyValueHeads;
    for (int index = 0; index < layers * heads; ++index) {
        const std::vector<float> values{1.0F, 0.0F, 0.5F, 0.5F};
        content.thumbnails.push_back(std::make_shared<const HeadThumbnail>(
            makeThumbnail(HeatmapMatrix::copyOf(values, 2, 2), HeatmapMask::causal())));
    }
    return content;
}

} // namespace

class TstHeadGrid : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void thumbnailsAreMaxima()
    {
        constexpr int kSize = 500;
        std::vector<float> values(kSize * kSize, 0.0F);
        values[400 * kSize + 77] = 1.0F;
        const HeadThumbnail thumbnail =
            makeThumbnail(HeatmapMatrix::copyOf(values, kSize, kSize), HeatmapMask::causal());
        constexpr int kBlock = 8; // the smallest that gives no more than 64
        constexpr int kSide = (kSize + kBlock - 1) / kBlock;
        QCOMPARE(thumbnail.rows, kSide);
        QCOMPARE(thumbnail.columns, kSide);
        QCOMPARE(int(thumbnail.levels[400 / kBlock * kSide + 77 / kBlock]), 254);
        QCOMPARE(int(thumbnail.levels[kSide - 1]), int(HeadThumbnail::kMasked));
        QCOMPARE(int(thumbnail.levels[0]), 0);
    }

    void aSinkIsAStripAtTheRightOfItsThumbnail()
    {
        constexpr int kTokens = 130;
        std::vector<float> sink(kTokens, 0.25F);
        sink[100] = 1.0F;
        sink[3] = std::nanf("");
        const HeadThumbnail thumbnail = makeThumbnail(
            HeatmapMatrix::copyOf(std::vector<float>(kTokens * kTokens, 0.0F), kTokens, kTokens),
            HeatmapMask::causal(), false, HeadThumbnail::kSide, sink);
        constexpr int kBlock = 3;
        QCOMPARE(static_cast<int>(thumbnail.sink.size()), thumbnail.rows);
        QCOMPARE(int(thumbnail.sink[100 / kBlock]), 254);
        QCOMPARE(int(thumbnail.sink[1]), 64); // 254 / 4; the undefined one of its block is left out
        const ColourLookup lookup(ColourScale::weights(), Theme::light());
        const QImage image = thumbnailImage(thumbnail, lookup, 32);
        const int y = 100 / kBlock * 32 / thumbnail.rows;
        QCOMPARE(image.pixel(31, y), lookup.level(254));
        QCOMPARE(image.pixel(28, y), lookup.level(0)); // apart from the keys
        QCOMPARE(image.pixel(27, 0), lookup.level(HeadThumbnail::kMasked));
    }

    /// Its strip is one pixel from its map.
    void aSinkIsNearerToItsOwnMapThanToTheNextHead()
    {
        const Theme theme = Theme::light();
        HeadGridContent plain = gridOf(4, 9, 3);
        HeadGridContent content = plain;
        content.thumbnails[5] =
            std::make_shared<const HeadThumbnail>(HeadThumbnail{1, 1, {200}, {100}});
        QVERIFY(content.hasSinks() && !plain.hasSinks());
        const HeadGridLayout layout(QRectF(0, 0, 400, 400), content, theme);
        QVERIFY(layout.columnX(1) - layout.columnX(0) - layout.side() >= 5.0);
        QVERIFY(layout.columnX(3) - layout.columnX(2) - layout.side() >= 12.0);
        QVERIFY(layout.size().width() <= 400.0);
        QCOMPARE(layout.headAt(layout.headRect({2, 8}).center()), (GridCell{2, 8}));
        const HeadGridLayout small(QRectF(0, 0, 110, 400), content, theme); // too small for strips
        QVERIFY(small.side() < kLeastPixelsWithStrip);
        QCOMPARE(small.columnX(1) - small.columnX(0) - small.side(), 2.0);
        HeadTilesContent tiles;
        tiles.grid = content;
        const HeadTilesLayout tilesLayout(QRectF(0, 0, 300, 200), tiles, theme, 1.0);
        QVERIFY(tilesLayout.mapRect({0, 1}).x() - tilesLayout.mapRect({0, 0}).right() >= 5.0);
    }

    void anEditedRowOfTheSinkIsNotTakenOver()
    {
        constexpr int kTokens = 20;
        const std::vector<float> cells(kTokens * kTokens, 0.0F);
        ThumbnailBuilder before(kTokens, kTokens, {});
        before.add(cells.data(), 0, kTokens);
        before.addSink(std::vector<float>(kTokens, 1.0F), 0);
        ThumbnailBuilder after(kTokens, kTokens, {});
        const int first = after.takeOver(before.take(), kTokens, kTokens, 15);
        QCOMPARE(first, 15);
        after.add(cells.data(), first, kTokens - first);
        after.addSink(std::vector<float>(kTokens - first, 0.0F), first);
        const HeadThumbnail made = after.take();
        QCOMPARE(int(made.sink.size()), kTokens);
        QCOMPARE(int(made.sink[14]), 254);
        QCOMPARE(int(made.sink[15]), 0);
    }

    void thumbnailsTakeStrangeValues()
    {
        const float infinity = std::numeric_limits<float>::infinity();
        const HeadThumbnail thumbnail = makeThumbnail(
            HeatmapMatrix::copyOf({std::nanf(""), infinity, -infinity, 7.0F}, 2, 2), {});
        QCOMPARE(int(thumbnail.levels[0]), 0);
        QCOMPARE(int(thumbnail.levels[1]), 254);
        QCOMPARE(int(thumbnail.levels[2]), int(HeadThumbnail::kMasked));
        QCOMPARE(int(thumbnail.levels[3]), 254);
        QVERIFY(makeThumbnail({}, {}).levels.empty());
    }

    void differencesKeepTheirSign()
    {
        const HeadThumbnail thumbnail =
            makeThumbnail(HeatmapMatrix::copyOf({-1.0F, 0.0F, 1.0F, -0.5F}, 2, 2), {}, true);
        QCOMPARE(int(thumbnail.levels[0]), 0);
        QCOMPARE(int(thumbnail.levels[1]), 127);
        QCOMPARE(int(thumbnail.levels[2]), 254);
    }

    void headAtIsTheInverseOfHeadRect_data()
    {
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("groups");
        QTest::newRow("one head") << 1 << 1 << 1;
        QTest::newRow("4 x 8") << 4 << 8 << 8;
        QTest::newRow("30 x 9 in 3 groups") << 30 << 9 << 3;
        QTest::newRow("12 x 12, one group") << 12 << 12 << 1;
        QTest::newRow("32 x 32 in 8 groups") << 32 << 32 << 8;
    }

    void headAtIsTheInverseOfHeadRect()
    {
        QFETCH(int, layers);
        QFETCH(int, heads);
        QFETCH(int, groups);
        const HeadGridLayout layout(QRectF(0, 0, 700, 640), gridOf(layers, heads, groups),
                                    Theme::light(), 1.0);
        QVERIFY(layout.side() >= 8.0 && layout.side() <= 32.0);
        QVERIFY(layout.size().width() <= 700.0 && layout.size().height() <= 640.0);
        for (int layer = 0; layer < layers; ++layer) {
            for (int head = 0; head < heads; ++head) {
                const QRectF rect = layout.headRect({layer, head});
                QCOMPARE(layout.headAt(rect.center()), (GridCell{layer, head}));
                QCOMPARE(layout.headAt(rect.topLeft()), (GridCell{layer, head}));
            }
        }
        QVERIFY(!layout.headAt({0, 0}));
        QVERIFY(!layout.headAt({699, 639}) || layers * heads > 300);
    }

    void sharedKeysAreBracketed()
    {
        const Theme theme = Theme::light();
        QCOMPARE(HeadGridLayout(QRectF(0, 0, 400, 400), gridOf(4, 9, 3), theme).groupSize(), 3);
        QCOMPARE(HeadGridLayout(QRectF(0, 0, 400, 400), gridOf(4, 9, 9), theme).groupSize(), 0);
        QCOMPARE(HeadGridLayout(QRectF(0, 0, 400, 400), gridOf(4, 9, 0), theme).groupSize(), 0);
        const HeadGridLayout layout(QRectF(0, 0, 400, 400), gridOf(4, 9, 3), theme);
        QCOMPARE(layout.columnX(3) - layout.columnX(2) - layout.side(), 8.0);
        QCOMPARE(layout.columnX(2) - layout.columnX(1) - layout.side(), 2.0);
    }

    void numbersOfHeadsNeverTouch()
    {
        for (int count : {1, 8, 9, 31, 32, 64})
            for (int step : {1, 2, 5})
                for (int selected = -1; selected < count; ++selected) {
                    const int apart = step == 5 ? 2 : step;
                    const std::vector<int> shown = numbersShown(count, step, apart, selected);
                    for (std::size_t index = 1; index < shown.size(); ++index)
                        QVERIFY(shown[index] - shown[index - 1] >= apart);
                    if (selected >= 0)
                        QVERIFY(std::count(shown.begin(), shown.end(), selected) == 1);
                    else
                        QCOMPARE(shown.back(), count - 1);
                }
        QCOMPARE(numbersShown(8, 1, 1, 3), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
        QCOMPARE(numbersShown(6, 2, 2, -1), (std::vector<int>{0, 2, 5}));
    }

    void thirtyTwoHeadsFitASideColumn()
    {
        HeadGridContent content;
        content.layers = 30;
        content.heads = 32;
        const HeadGridLayout layout(QRectF(0, 0, 288, 4096), content, Theme::light());
        QVERIFY2(layout.size().width() <= 288.0,
                 qPrintable(QString::number(layout.size().width())));
        QVERIFY(layout.headRect({29, 31}).right() <= 288.0);
    }

    /// A thumbnail that is overwritten in place shows which images were made since.
    void onlyChangedHeadsAreDrawnAnew()
    {
        HeadGridWidget grid;
        grid.resize(400, 300);
        HeadGridContent content = gridOf(3, 4, 4);
        std::vector<std::shared_ptr<HeadThumbnail>> written;
        for (ThumbnailPtr& thumbnail : content.thumbnails) {
            written.push_back(std::make_shared<HeadThumbnail>(HeadThumbnail{1, 1, {0}}));
            thumbnail = written.back();
        }
        const auto headsOf = [&](std::uint8_t level) {
            const ColourLookup lookup({content.map, 0.0F, 1.0F, 1.0}, Theme::light());
            const QImage image = grid.grab().toImage();
            int count = 0;
            for (int head = 0; head < 12; ++head) {
                const QRectF rect = grid.layoutNow().headRect({head / 4, head % 4});
                count += image.pixel(rect.center().toPoint()) == lookup.level(level) ? 1 : 0;
            }
            return count;
        };
        grid.setContent(content);
        QCOMPARE(headsOf(0), 12);
        for (const auto& thumbnail : written)
            thumbnail->levels = {254};
        grid.setSelected(GridCell{1, 1});
        QCOMPARE(headsOf(0), 12);
        content.thumbnails[5] = std::make_shared<const HeadThumbnail>(HeadThumbnail{1, 1, {200}});
        grid.setContent(content);
        QCOMPARE(headsOf(200), 1);
        QCOMPARE(headsOf(0), 11);
        content.map = MapName::Grey;
        grid.setContent(content);
        QCOMPARE(headsOf(200), 1);
        QCOMPARE(headsOf(254), 11);
    }

    void headsWithoutAPatternKeepNoOldImage()
    {
        HeadGridWidget grid;
        grid.resize(400, 300);
        HeadGridContent content = gridOf(2, 2, 2);
        grid.setContent(content);
        grid.grab();
        content.thumbnails.assign(4, nullptr);
        grid.setContent(content);
        grid.resize(200, 150); // another size of the images
        const QImage image = grid.grab().toImage();
        const QPoint middle = grid.layoutNow().headRect({1, 1}).center().toPoint();
        QCOMPARE(image.pixel(middle), Theme::light().masked.rgb());
    }

    void thumbnailsShowTheirPatternInBothThemes()
    {
        for (const bool dark : {false, true}) {
            const Theme theme = Theme::named(dark, bodyFont());
            applyTheme(*qApp, theme);
            HeadGridWidget grid;
            grid.resize(400, 300);
            grid.setContent(gridOf(2, 3, 3));
            const QImage image = grid.grab().toImage();
            const QRectF head = grid.layoutNow().headRect({1, 2});
            const ColourLookup lookup(ColourScale::weights(), theme);
            QCOMPARE(image.pixel((head.topLeft() + QPointF(3, 3)).toPoint()), lookup.colour(1.0F));
            QCOMPARE(image.pixel((head.topRight() + QPointF(-4, 3)).toPoint()), theme.masked.rgb());
        }
        applyTheme(*qApp, Theme::light());
    }

    void pointerAndKeysChooseHeads()
    {
        HeadGridWidget grid;
        grid.resize(400, 300);
        grid.setContent(gridOf(3, 4, 2));
        QSignalSpy activated(&grid, &HeadGridWidget::headActivated);
        QSignalSpy opened(&grid, &HeadGridWidget::headOpened);
        QTest::mouseClick(&grid, Qt::LeftButton, {},
                          grid.layoutNow().headRect({1, 2}).center().toPoint());
        QCOMPARE(grid.content().selected, (GridCell{1, 2}));
        QTest::keyClick(&grid, Qt::Key_Down);
        QTest::keyClick(&grid, Qt::Key_Right);
        QTest::keyClick(&grid, Qt::Key_Right);
        QCOMPARE(activated.last()[0].value<GridCell>(), (GridCell{2, 3}));
        QTest::keyClick(&grid, Qt::Key_Home);
        QCOMPARE(grid.content().selected, (GridCell{2, 0}));
        QTest::keyClick(&grid, Qt::Key_Enter);
        QCOMPARE(opened.size(), 1);
        QVERIFY(grid.accessibleDescription().contains("Layer 2, head 0"));
    }

    void anEmptyGridPaints()
    {
        HeadGridWidget grid;
        grid.resize(200, 200);
        QVERIFY(!grid.grab().isNull());
        QTest::keyClick(&grid, Qt::Key_Down);
        QVERIFY(!grid.content().selected);
    }
};

HEADSCOPE_WINDOW_TEST(TstHeadGrid)
#include "tst_head_grid.moc"
