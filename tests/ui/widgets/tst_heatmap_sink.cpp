#include "tests/support/test_program.h"
#include "ui/widgets/heatmap/heatmap_paint.h"
#include "ui/widgets/heatmap/heatmap_sink.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QtTest>

#include <cmath>

using namespace headscope::ui;

namespace {

/// A causal map whose rows give half of their weight, the first one more, to an attention sink.
HeatmapContent mapWithSink(int size)
{
    std::vector<float> values(static_cast<std::size_t>(size) * size, 0.0F);
    HeatmapContent content;
    for (int row = 0; row < size; ++row) {
        content.sink.push_back(row == 0 ? 0.625F : 0.5F);
        for (int column = 0; column <= row; ++column)
            values[static_cast<std::size_t>(row) * size + column] =
                (1.0F - content.sink.back()) / static_cast<float>(row + 1);
        content.rowLabels.append(QStringLiteral("w%1").arg(row));
    }
    content.matrix = HeatmapMatrix::copyOf(std::move(values), size, size);
    content.mask = HeatmapMask::causal();
    content.columnLabels = content.rowLabels;
    return content;
}

HeatmapContent withoutSink(HeatmapContent content)
{
    content.sink.clear();
    return content;
}

QImage painted(const HeatmapContent& content, const Theme& theme, HeatmapLayout& layout)
{
    constexpr QSize kSize{600, 600};
    HeatmapOptions options;
    options.rowLabels = options.columnLabels = options.corner = options.numbers = false;
    QImage image(kSize, QImage::Format_RGB32);
    image.fill(theme.surface);
    layout = HeatmapLayout(QRectF(QPointF(), QSizeF(kSize)), content, options, theme);
    QPainter painter(&image);
    paintHeatmap(painter, layout, heatmapImage(content, theme, layout.imageSize()), content,
                 options, theme);
    return image;
}

} // namespace

class TstHeatmapSink : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase() { applyTheme(*qApp, Theme::light()); }

    void theSinkIsAColumnApart_data()
    {
        QTest::addColumn<int>("tokens");
        for (int tokens : {1, 5, 14, 60, 300, 900})
            QTest::addRow("%d tokens", tokens) << tokens;
    }

    void theSinkIsAColumnApart()
    {
        QFETCH(int, tokens);
        const HeatmapContent content = mapWithSink(tokens);
        const QRectF area(0.0, 0.0, 500.0, 500.0);
        const HeatmapLayout layout(area, content, HeatmapOptions(), Theme::light());
        const HeatmapLayout without(area, withoutSink(content), HeatmapOptions(), Theme::light());
        QVERIFY(!without.hasSink() && without.sinkRect(0).isEmpty());
        for (int row = 0; row < tokens; ++row) {
            const QRectF sink = layout.sinkRect(row);
            QVERIFY(sink.x() >= layout.viewport().right() + 8.0); // not one of the keys
            QVERIFY(sink.right() <= area.right());
            QCOMPARE(sink.y(), layout.cellRect({row, 0}).y());
            QCOMPARE(sink.height(), layout.cellSize().height());
            QVERIFY(!layout.cellAt(sink.center()));
            if (sink.height() >= 1.0)
                QCOMPARE(layout.sinkAt(sink.center()), std::optional(row));
        }
        QVERIFY(!layout.sinkAt(layout.cellRect({0, tokens - 1}).center()));
        QVERIFY(!layout.sinkAt({layout.sinkRect(0).center().x(), 1.0}));
    }

    void theSinkIsPaintedOnTheScaleOfTheCells()
    {
        HeatmapContent content = mapWithSink(6);
        content.sink[4] = std::nanf("");
        HeatmapLayout layout;
        const Theme theme = Theme::light();
        const QImage image = painted(content, theme, layout);
        const ColourLookup lookup(content.scale, theme);
        const auto at = [&](int row) {
            return image.pixel(layout.sinkRect(row).center().toPoint());
        };
        QCOMPARE(at(0), lookup.colour(0.625F));
        QCOMPARE(at(3), lookup.colour(0.5F));
        QCOMPARE(at(4), theme.masked.rgb());
        content.sinkShades = {1.0F, 0.0F, 0.0F, 0.25F, 0.0F, 0.0F};
        QCOMPARE(painted(content, theme, layout).pixel(layout.sinkRect(3).center().toPoint()),
                 lookup.colour(0.25F));
    }

    void theCursorReachesTheSinkAndNoTokenIsReported()
    {
        HeatmapWidget map;
        map.resize(500, 500);
        HeatmapContent content = mapWithSink(4);
        content.current = HeatmapCell{2, 3};
        map.setContent(content);
        QSignalSpy activated(&map, &HeatmapWidget::cellActivated);
        QSignalSpy opened(&map, &HeatmapWidget::cellOpened);
        QSignalSpy pointed(&map, &HeatmapWidget::sinkPointed);
        QTest::keyClick(&map, Qt::Key_Right);
        QCOMPARE(map.sinkRow(), std::optional(2));
        QTest::keyClick(&map, Qt::Key_Right); // the last column
        QTest::keyClick(&map, Qt::Key_Down);
        QCOMPARE(map.sinkRow(), std::optional(3));
        QTest::keyClick(&map, Qt::Key_Return);
        QCOMPARE(opened.size(), 0);
        QCOMPARE(activated.size(), 0);
        QCOMPARE(pointed.last()[0].value<std::optional<int>>(), std::optional(3));
        map.setContent(content); // new numbers, the same pair
        QCOMPARE(map.sinkRow(), std::optional(3));
        QTest::keyClick(&map, Qt::Key_Left);
        QCOMPARE(map.sinkRow(), std::optional<int>());
        QCOMPARE(activated.last()[0].value<HeatmapCell>(), (HeatmapCell{3, 3}));
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.layoutNow().sinkRect(1).center().toPoint());
        QCOMPARE(map.sinkRow(), std::optional(1));
        QCOMPARE(activated.size(), 1);
        map.setCurrentCell(HeatmapCell{0, 0});
        QCOMPARE(map.sinkRow(), std::optional<int>());
    }

    void screenReadersHearTheSink()
    {
        HeatmapWidget map;
        HeatmapContent content = mapWithSink(4);
        content.current = HeatmapCell{2, 3};
        content.sink[1] = std::nanf("");
        map.setContent(content);
        QAccessibleInterface* table = QAccessible::queryAccessibleInterface(&map);
        QCOMPARE(table->tableInterface()->columnCount(), 5);
        QCOMPARE(table->tableInterface()->columnDescription(4), QStringLiteral("sink"));
        QCOMPARE(table->tableInterface()->cellAt(0, 4)->text(QAccessible::Name),
                 QStringLiteral("query w0, 0; attention sink; weight 0.625"));
        QVERIFY(table->tableInterface()
                    ->cellAt(1, 4)
                    ->text(QAccessible::Name)
                    .contains(QStringLiteral("not defined")));
        QTest::keyClick(&map, Qt::Key_Right);
        QCOMPARE(table->text(QAccessible::Value),
                 QStringLiteral("query w2, 2; attention sink; weight 0.500"));
    }
};

HEADSCOPE_WINDOW_TEST(TstHeatmapSink)
#include "tst_heatmap_sink.moc"
