#include "tests/support/test_program.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

#include <QtTest>

using namespace headscope::ui;

class TstScaledWidgets : public QObject
{
    Q_OBJECT

public:
    /// Before the application exists: every widget of this test lives on a screen of scale 2.
    static void initMain() { qputenv("QT_SCALE_FACTOR", "2"); }

private slots:

    void initTestCase()
    {
        QCOMPARE(qApp->devicePixelRatio(), 2.0);
        applyTheme(*qApp, Theme::light());
    }

    void everyPixelOfACellIsEqual()
    {
        HeatmapWidget map;
        HeatmapOptions options;
        options.numbers = false;
        map.setOptions(options);
        map.resize(400, 400);
        HeatmapContent content;
        content.matrix =
            HeatmapMatrix::copyOf({0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F, 0.9F}, 3, 3);
        map.setContent(content);
        const QImage image = map.grab().toImage();
        QCOMPARE(image.size(), QSize(800, 800));
        const ColourLookup lookup(content.scale, Theme::light());
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                const QRectF cell = map.cellRect({row, column});
                const QRect inner =
                    QRectF(cell.topLeft() * 2, cell.size() * 2).toRect().adjusted(0, 0, -2, -2);
                for (int y = inner.top(); y <= inner.bottom(); ++y)
                    for (int x = inner.left(); x <= inner.right(); ++x)
                        QCOMPARE(image.pixel(x, y),
                                 lookup.colour(content.matrix.at({row, column})));
            }
        }
    }

    void thumbnailsHaveDevicePixels()
    {
        constexpr int kTokens = 30;
        std::vector<float> values(kTokens * kTokens, 0.0F);
        for (int index = 0; index < kTokens; ++index)
            values[static_cast<std::size_t>(index) * kTokens + index] = 1.0F;
        HeadGridContent content;
        content.layers = content.heads = 1;
        content.thumbnails.push_back(std::make_shared<const HeadThumbnail>(
            makeThumbnail(HeatmapMatrix::copyOf(values, kTokens, kTokens), HeatmapMask::causal())));
        HeadGridWidget grid;
        grid.resize(200, 200);
        grid.setContent(content);
        const QImage image = grid.grab().toImage();
        const QRectF head = grid.layoutNow().headRect({0, 0});
        QCOMPARE(head.width(), 32.0);
        const QRgb ink = ColourLookup(ColourScale::weights(), Theme::light()).colour(1.0F);
        for (int step = 0; step < 64; ++step) // the diagonal is unbroken at device resolution
            QCOMPARE(image.pixel((head.topLeft() * 2).toPoint() + QPoint(step, step)), ink);
    }
};

HEADSCOPE_WINDOW_TEST(TstScaledWidgets)
#include "tst_scaled_widgets.moc"
