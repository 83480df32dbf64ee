#include "core/base/error.h"
#include "tests/support/test_program.h"
#include "ui/widgets/heatmap/heatmap_paint.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>

#include <limits>

using namespace headscope::ui;

namespace {

HeatmapContent causalMap(int size)
{
    std::vector<float> values(static_cast<std::size_t>(size) * size, 0.0F);
    for (int row = 0; row < size; ++row)
        for (int column = 0; column <= row; ++column)
            values[static_cast<std::size_t>(row) * size + column] =
                column == row ? 0.75F : 0.25F / static_cast<float>(row);
    HeatmapContent content;
    content.matrix = HeatmapMatrix::copyOf(std::move(values), size, size);
    content.mask = HeatmapMask::causal();
    for (int index = 0; index < size; ++index)
        content.rowLabels.append(QStringLiteral("w%1").arg(index));
    content.columnLabels = content.rowLabels;
    return content;
}

HeatmapOptions bare()
{
    HeatmapOptions options;
    options.rowLabels = options.columnLabels = options.corner = options.numbers = false;
    return options;
}

QRgb centreOf(const QImage& image, const HeatmapLayout& layout, HeatmapCell cell, double ratio)
{
    return image.pixel((layout.cellRect(cell).center() * ratio).toPoint());
}

QImage painted(const HeatmapContent& content, const HeatmapOptions& options, const Theme& theme,
               double ratio, HeatmapLayout& layout, QSize size = {600, 600})
{
    QImage image(size * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(theme.surface);
    layout = HeatmapLayout(QRectF(QPointF(), QSizeF(size)), content, options, theme, ratio);
    QPainter painter(&image);
    paintHeatmap(painter, layout, heatmapImage(content, theme, layout.imageSize()), content,
                 options, theme);
    return image;
}

} // namespace

class TstHeatmap : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void cellAtIsTheInverseOfCellRect_data()
    {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<double>("ratio");
        QTest::addColumn<bool>("square");
        for (int tokens : {1, 2, 3, 7, 14, 33, 64, 300})
            for (double ratio : {1.0, 1.25, 1.5, 2.0})
                for (bool square : {true, false})
                    QTest::addRow("%d tokens at %g, %s", tokens, ratio,
                                  square ? "square" : "filling")
                        << tokens << ratio << square;
    }

    void cellAtIsTheInverseOfCellRect()
    {
        QFETCH(int, tokens);
        QFETCH(double, ratio);
        QFETCH(bool, square);
        HeatmapOptions options;
        options.square = square;
        const HeatmapLayout layout(QRectF(3, 5, 733, 641), causalMap(tokens), options,
                                   Theme::light(), ratio);
        for (int row = 0; row < tokens; row += std::max(1, tokens / 9)) {
            for (int column = 0; column < tokens; ++column) {
                const QRectF rect = layout.cellRect({row, column});
                QCOMPARE(layout.cellAt(rect.center()), (HeatmapCell{row, column}));
                QCOMPARE(layout.cellAt(rect.topLeft()), (HeatmapCell{row, column}));
            }
        }
        const QRectF all = layout.cells();
        QVERIFY(!layout.cellAt(all.topLeft() - QPointF(0.5, 0.0)));
        QVERIFY(!layout.cellAt(all.bottomRight() + QPointF(0.5, 0.5)));
    }

    void cellsAreEqualAndOnDevicePixels_data()
    {
        QTest::addColumn<double>("ratio");
        for (double ratio : {1.0, 1.25, 1.5, 2.0})
            QTest::addRow("scale %g", ratio) << ratio;
    }

    void cellsAreEqualAndOnDevicePixels()
    {
        QFETCH(double, ratio);
        const HeatmapLayout layout(QRectF(0, 0, 517, 499), causalMap(37), {}, Theme::light(),
                                   ratio);
        for (int index = 0; index < 37; ++index) {
            const QRectF rect = layout.cellRect({index, index});
            QVERIFY(std::abs(rect.x() * ratio - std::round(rect.x() * ratio)) < 1e-6);
            QVERIFY(std::abs(rect.width() * ratio - std::round(rect.width() * ratio)) < 1e-6);
        }
        QCOMPARE(layout.imageSize(), QSize(37, 37));
    }

    void cellsHaveTheColourOfTheirValue_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<double>("ratio");
        for (const bool dark : {false, true})
            for (const double ratio : {1.0, 1.5, 2.0})
                QTest::addRow("%s, scale %g", dark ? "dark" : "light", ratio) << dark << ratio;
    }

    void cellsHaveTheColourOfTheirValue()
    {
        QFETCH(bool, dark);
        QFETCH(double, ratio);
        const Theme theme = Theme::named(dark, bodyFont());
        const HeatmapContent content = causalMap(20);
        const ColourLookup lookup(content.scale, theme);
        for (const bool shapes : {false, true}) {
            HeatmapOptions options = bare();
            options.cellsAsShapes = shapes;
            HeatmapLayout layout;
            const QImage image = painted(content, options, theme, ratio, layout);
            for (int row = 0; row < 20; ++row)
                for (int column = 0; column < 20; ++column)
                    QCOMPARE(centreOf(image, layout, {row, column}, ratio),
                             column > row ? theme.masked.rgb()
                                          : lookup.colour(content.matrix.at({row, column})));
        }
    }

    void poolingKeepsALoneBrightCell()
    {
        constexpr int kSize = 1000;
        std::vector<float> values(kSize * kSize, 0.01F);
        values[321 * kSize + 123] = 1.0F;
        HeatmapContent content;
        content.matrix = HeatmapMatrix::copyOf(values, kSize, kSize);
        const Theme theme = Theme::light();
        const QImage image = heatmapImage(content, theme, QSize(90, 90));
        const ColourLookup lookup(content.scale, theme);
        QCOMPARE(image.pixel(123 * 90 / kSize, 321 * 90 / kSize), lookup.colour(1.0F));
        QCOMPARE(image.pixel(60, 60), lookup.colour(0.01F));
    }

    void aPartOfAnImageIsThatOfTheWhole_data()
    {
        QTest::addColumn<int>("pixels");
        for (const int pixels : {90, 333, 700}) // bins, and one pixel a cell
            QTest::addRow("%d pixels", pixels) << pixels;
    }

    void aPartOfAnImageIsThatOfTheWhole()
    {
        QFETCH(const int, pixels);
        HeatmapContent content = causalMap(700);
        content.mask = HeatmapMask{HeatmapMask::Kind::Window, 100, nullptr};
        const Theme theme = Theme::light();
        const QSize size(pixels, pixels);
        const QImage whole = heatmapImage(content, theme, size);
        for (const QRect part : {QRect(0, 0, 40, 30), QRect(17, 41, 33, 29),
                                 QRect(pixels - 20, pixels - 35, 20, 35), QRect(QPoint(), size)})
            QCOMPARE(heatmapImage(content, theme, size, part), whole.copy(part));
    }

    /// Every pixel is the largest cell of its own block of cells, and no cell is missing.
    void anOverviewIsTheMaximumOfBlocks()
    {
        constexpr int kSize = 2050; // the last block has two rows
        std::vector<float> values(std::size_t{kSize} * kSize, 0.01F);
        const std::vector<HeatmapCell> bright{{0, 0}, {1234, 777}, {2049, 2049}, {2048, 3}};
        for (const HeatmapCell cell : bright)
            values[static_cast<std::size_t>(cell.row) * kSize + cell.column] = 1.0F;
        HeatmapContent content;
        content.matrix = HeatmapMatrix::copyOf(std::move(values), kSize, kSize);
        content.overview = overviewOf(content);
        QVERIFY(content.overview != nullptr);
        const HeatmapMatrix& blocks = content.overview->blocks;
        QCOMPARE(blocks.rows, 513);
        int lit = 0;
        for (int row = 0; row < blocks.rows; ++row)
            for (int column = 0; column < blocks.columns; ++column)
                lit += blocks.at({row, column}) == 1.0F ? 1 : 0;
        QCOMPARE(lit, 4);
        for (const HeatmapCell cell : bright)
            QCOMPARE(blocks.at({cell.row / 4, cell.column / 4}), 1.0F);
        const Theme theme = Theme::light();
        const QImage image = heatmapImage(content, theme, QSize(100, 100));
        const QRgb colour = ColourLookup(content.scale, theme).colour(1.0F);
        lit = 0;
        for (int y = 0; y < 100; ++y)
            for (int x = 0; x < 100; ++x)
                lit += image.pixel(x, y) == colour ? 1 : 0;
        QCOMPARE(lit, 4);
        QCOMPARE(image.pixel(777 / 4 * 100 / 513, 1234 / 4 * 100 / 513), colour);
    }

    void anOverviewKeepsMaskAndSign()
    {
        constexpr int kSize = 2048;
        std::vector<float> values(std::size_t{kSize} * kSize, 0.1F);
        values[std::size_t{1000} * kSize + 500] = -0.9F;
        HeatmapContent content;
        content.matrix = HeatmapMatrix::copyOf(std::move(values), kSize, kSize);
        content.mask = HeatmapMask::causal();
        content.scale = ColourScale::difference();
        content.overview = overviewOf(content);
        const HeatmapMatrix& blocks = content.overview->blocks;
        QCOMPARE(blocks.at({250, 125}), -0.9F);
        QCOMPARE(blocks.at({3, 3}), 0.1F); // the diagonal is partly visible
        QVERIFY(std::isinf(blocks.at({3, 4})));
        QVERIFY(overviewOf(causalMap(300)) == nullptr); // its cells are read as fast
    }

    /// Painted from tiles, a zoomed map has the pixels of one image, and holds few of them.
    void tilesAreTheImage()
    {
        constexpr int kSize = 3000;
        std::vector<float> values(std::size_t{kSize} * kSize);
        for (std::size_t cell = 0; cell < values.size(); ++cell)
            values[cell] = static_cast<float>(cell * 7919 % 1000) / 1000.0F;
        HeatmapContent content;
        content.matrix = HeatmapMatrix::copyOf(std::move(values), kSize, kSize);
        content.mask = HeatmapMask::causal();
        content.overview = overviewOf(content);
        HeatmapWidget map;
        map.setZoomable(true);
        map.setOptions(bare());
        map.setContent(content);
        map.resize(500, 400);
        QImage screen(map.size(), QImage::Format_RGB32);
        for (const double factor : {1.0, 6.0, 2.0, 3.0}) {
            map.zoomBy(factor, QPointF(321, 234));
            for (int move = 0; move < 3; ++move) {
                map.render(&screen);
                QVERIFY2(map.imageByteCount() <= std::size_t{20} << 20,
                         qPrintable(QString::number(map.imageByteCount())));
                const HeatmapLayout& layout = map.layoutNow();
                QImage expected(map.size(), QImage::Format_RGB32);
                expected.fill(Theme::of(map).surface);
                QPainter painter(&expected);
                paintHeatmap(painter, layout,
                             heatmapImage(content, Theme::of(map), layout.imageSize()), content,
                             map.options(), Theme::of(map));
                painter.end();
                QCOMPARE(screen, expected);
                QWheelEvent wheel(QPointF(250, 200), QPointF(), {}, {-120, -240}, Qt::NoButton,
                                  Qt::NoModifier, Qt::NoScrollPhase, false);
                QCoreApplication::sendEvent(&map, &wheel);
            }
        }
        QVERIFY(HeatmapTiles::areNeeded(map.layoutNow()));
    }

    void poolingOfDifferencesKeepsTheSign()
    {
        std::vector<float> values(100 * 100, 0.1F);
        values[5050] = -0.9F;
        HeatmapContent content;
        content.matrix = HeatmapMatrix::copyOf(values, 100, 100);
        content.scale = ColourScale::difference();
        const QImage image = heatmapImage(content, Theme::light(), QSize(10, 10));
        QCOMPARE(image.pixel(5, 5), ColourLookup(content.scale, Theme::light()).colour(-0.9F));
    }

    void aBinIsMaskedOnlyWhenAllItsCellsAre()
    {
        HeatmapContent content = causalMap(100);
        const Theme theme = Theme::light();
        const QImage image = heatmapImage(content, theme, QSize(10, 10));
        QCOMPARE(image.pixel(9, 0), theme.masked.rgb());
        QCOMPARE(image.pixel(5, 5), ColourLookup(content.scale, theme).colour(0.75F));
    }

    void strangeValuesAreDrawn()
    {
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        HeatmapContent content;
        content.matrix = HeatmapMatrix::copyOf({std::nanf(""), kInfinity, -kInfinity, 0.5F}, 2, 2);
        content.current = HeatmapCell{0, 0};
        HeatmapLayout layout;
        const Theme theme = Theme::light();
        HeatmapOptions options = bare();
        options.numbers = true;
        const QImage image = painted(content, options, theme, 1.0, layout);
        QCOMPARE(image.pixel((layout.cellRect({1, 0}).topLeft() + QPointF(6, 6)).toPoint()),
                 theme.masked.rgb());
        QVERIFY(describeCell(content, {0, 0}).contains("not a number"));
        QVERIFY(describeCell(content, {1, 0}).contains("hidden"));
    }

    void masksHideWhatTheySay()
    {
        const HeatmapMatrix square = causalMap(6).matrix;
        QVERIFY(HeatmapMask::causal().hides({2, 3}, square));
        QVERIFY(!HeatmapMask::causal().hides({2, 2}, square));
        const HeatmapMask window{HeatmapMask::Kind::Window, 2, nullptr};
        QVERIFY(window.hides({4, 2}, square));
        QVERIFY(!window.hides({4, 3}, square));
        QVERIFY(window.hides({4, 5}, square));
        auto cells = std::make_shared<std::vector<std::uint8_t>>(36, 1);
        (*cells)[7] = 0;
        const HeatmapMask chosen{HeatmapMask::Kind::Cells, 0, cells};
        QVERIFY(chosen.hides({1, 1}, square));
        QVERIFY(!chosen.hides({1, 2}, square));
        const HeatmapMatrix step =
            HeatmapMatrix::copyOf(std::vector<float>(12, 0.1F), 2, 6); // cached decoding
        QVERIFY(!HeatmapMask::causal().hides({0, 4}, step));
        QVERIFY(HeatmapMask::causal().hides({0, 5}, step));
    }

    void queryRowAndCurrentCellAreFramed()
    {
        HeatmapContent content = causalMap(8);
        content.queryRow = 5;
        content.current = HeatmapCell{5, 2};
        const Theme theme = Theme::light();
        HeatmapLayout layout;
        const QImage image = painted(content, bare(), theme, 1.0, layout, {320, 320});
        const QRectF row = layout.cellRect({5, 6});
        QCOMPARE(image.pixel(qRound(row.center().x()), qRound(row.y()) - 1), theme.accent.rgb());
        const QRectF cell = layout.cellRect({5, 2});
        QCOMPARE(image.pixel(qRound(cell.x()) - 1, qRound(cell.center().y())), theme.text.rgb());
        QCOMPARE(image.pixel(qRound(cell.x()) + 1, qRound(cell.center().y())), theme.surface.rgb());
    }

    void aNumberUnderTheMapIsWholeAtItsEnds()
    {
        HeatmapContent content;
        content.matrix = HeatmapMatrix::copyOf(std::vector<float>(6, -0.51F), 1, 6);
        content.scale = ColourScale::difference(1.0F);
        HeatmapOptions options = bare();
        options.keyNumber = true;
        const Theme theme = Theme::light();
        const auto numberWidth = [&](int column) {
            content.current = HeatmapCell{0, column};
            HeatmapLayout layout;
            const QImage image = painted(content, options, theme, 1.0, layout, {60, 60});
            const int below = static_cast<int>(std::ceil(layout.cells().bottom())) + 9;
            int first = image.width();
            int last = -1;
            for (int y = below; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    if (image.pixelColor(x, y) == theme.surface)
                        continue;
                    first = std::min(first, x);
                    last = std::max(last, x);
                }
            }
            return last - first;
        };
        const int whole = numberWidth(3);
        QVERIFY(whole > 15);
        for (const int column : {0, 5})
            QVERIFY2(std::abs(numberWidth(column) - whole) <= 1,
                     qPrintable(QString::number(numberWidth(column))));
    }

    void aNumberWiderThanItsCellIsNotDrawn_data()
    {
        QTest::addColumn<float>("value");
        QTest::addColumn<bool>("fits");
        QTest::newRow("fits") << 0.51F << true;
        QTest::newRow("too wide") << -1234.56F << false;
    }

    void aNumberWiderThanItsCellIsNotDrawn()
    {
        QFETCH(float, value);
        QFETCH(bool, fits);
        HeatmapContent content;
        content.matrix = HeatmapMatrix::copyOf({value}, 1, 1);
        content.scale = ColourScale::difference(2000.0F);
        HeatmapOptions options = bare();
        options.largestCell = 30;
        const Theme theme = Theme::light();
        HeatmapLayout layout;
        const QImage plain = painted(content, options, theme, 1.0, layout, {120, 60});
        options.numbers = true;
        const QImage numbered = painted(content, options, theme, 1.0, layout, {120, 60});
        QCOMPARE(numbered != plain, fits);
    }

    void outsideOfTheMatrixThrows()
    {
        const HeatmapMatrix matrix = causalMap(3).matrix;
        QVERIFY_THROWS_EXCEPTION(headscope::ShapeError, matrix.at({3, 0}));
        QVERIFY_THROWS_EXCEPTION(headscope::ShapeError, HeatmapMatrix::copyOf({1.0F}, 2, 2));
    }

    void pointerAndKeysReportCells()
    {
        HeatmapWidget map;
        map.resize(500, 500);
        map.setContent(causalMap(6));
        map.show();
        QVERIFY(QTest::qWaitForWindowExposed(&map));
        QSignalSpy hovered(&map, &HeatmapWidget::cellHovered);
        QSignalSpy activated(&map, &HeatmapWidget::cellActivated);
        QSignalSpy opened(&map, &HeatmapWidget::cellOpened);

        QTest::mouseMove(&map, map.cellRect({3, 1}).center().toPoint());
        QTRY_COMPARE(hovered.size(), 1);
        QCOMPARE(hovered[0][0].value<std::optional<HeatmapCell>>(), (HeatmapCell{3, 1}));

        QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellRect({3, 1}).center().toPoint());
        QCOMPARE(activated.size(), 1);
        QCOMPARE(map.content().current, (HeatmapCell{3, 1}));
        QTest::keyClick(&map, Qt::Key_Right);
        QTest::keyClick(&map, Qt::Key_Down);
        QCOMPARE(activated.last()[0].value<HeatmapCell>(), (HeatmapCell{4, 2}));
        QTest::keyClick(&map, Qt::Key_Home);
        QCOMPARE(map.content().current, (HeatmapCell{4, 0}));
        QTest::keyClick(&map, Qt::Key_End);
        QCOMPARE(map.content().current, (HeatmapCell{4, 5}));
        QTest::keyClick(&map, Qt::Key_Right); // stays inside
        QCOMPARE(map.content().current, (HeatmapCell{4, 5}));
        QTest::keyClick(&map, Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].value<HeatmapCell>(), (HeatmapCell{4, 5}));
    }

    void anEmptyMapTakesKeysAndPaints()
    {
        HeatmapWidget map;
        map.resize(300, 300);
        map.setContent({});
        QSignalSpy activated(&map, &HeatmapWidget::cellActivated);
        QVERIFY(!map.grab().isNull());
        QTest::keyClick(&map, Qt::Key_Right);
        QTest::mouseClick(&map, Qt::LeftButton, {}, QPoint(100, 100));
        QCOMPARE(activated.size(), 0);
    }

    void themeChangeRecoloursTheMap()
    {
        HeatmapWidget map;
        map.resize(300, 300);
        map.setContent(causalMap(5));
        map.show();
        const QImage light = map.grab().toImage();
        applyTheme(*qApp, Theme::darkTheme());
        const QImage dark = map.grab().toImage();
        applyTheme(*qApp, Theme::light());
        const QPoint masked = map.cellRect({0, 4}).center().toPoint();
        QCOMPARE(light.pixel(masked), Theme::light().masked.rgb());
        QCOMPARE(dark.pixel(masked), Theme::darkTheme().masked.rgb());
    }

    void screenReadersHearTheCell()
    {
        HeatmapWidget map;
        HeatmapContent content = causalMap(4);
        content.rowLabels = content.columnLabels = {"the", "cat", "saw", "it"};
        content.current = HeatmapCell{3, 3};
        map.setContent(content);
        QAccessibleInterface* table = QAccessible::queryAccessibleInterface(&map);
        QVERIFY(table);
        QCOMPARE(table->role(), QAccessible::Table);
        QVERIFY(!table->text(QAccessible::Name).isEmpty());
        QCOMPARE(table->text(QAccessible::Value),
                 QStringLiteral("query it, 3; key it, 3; weight 0.750; largest in its row"));
        QCOMPARE(table->tableInterface()->rowCount(), 4);
        QCOMPARE(table->tableInterface()->columnDescription(1), QStringLiteral("cat"));
        QAccessibleInterface* cell = table->tableInterface()->cellAt(2, 1);
        QVERIFY(cell);
        QCOMPARE(cell->role(), QAccessible::Cell);
        QCOMPARE(cell->text(QAccessible::Name),
                 QStringLiteral("query saw, 2; key cat, 1; weight 0.125"));
        QCOMPARE(table->indexOfChild(cell), 9);
        QCOMPARE(table->child(9), cell);
        QVERIFY(!table->tableInterface()->cellAt(4, 0));
        QCOMPARE(table->focusChild()->text(QAccessible::Name), table->text(QAccessible::Value));
        map.setContent(causalMap(2));
        QVERIFY(!cell->isValid());
    }
};

HEADSCOPE_WINDOW_TEST(TstHeatmap)
#include "tst_heatmap.moc"
