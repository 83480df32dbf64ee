#include "tests/support/test_program.h"
#include "ui/widgets/style/colour_map.h"

#include <QtTest>

#include <limits>

using namespace headscope::ui;

namespace {

constexpr MapName kMaps[] = {MapName::Depth, MapName::Viridis, MapName::Cividis,
                             MapName::Magma, MapName::Grey,    MapName::Balance};

} // namespace

class TstColourMap : public QObject
{
    Q_OBJECT

private slots:

    void zeroIsThePage()
    {
        for (const bool dark : {false, true}) {
            const Theme theme = Theme::named(dark, bodyFont());
            QCOMPARE(ColourLookup(ColourScale::weights(), theme).colour(0.0F), theme.surface.rgb());
            QCOMPARE(ColourLookup(ColourScale::difference(), theme).colour(0.0F),
                     theme.surface.rgb());
            QCOMPARE(ColourLookup(ColourScale::difference(0.25F), theme).colour(0.0F),
                     theme.surface.rgb());
            QCOMPARE(ColourLookup({MapName::Balance, -1, 1, 0.7}, theme).colour(0.0F),
                     theme.surface.rgb());
            QCOMPARE(ColourLookup({MapName::Grey, 0, 1, 1}, theme).colour(0.0F),
                     theme.surface.rgb());
        }
    }

    void endsAreThoseOfTheTable()
    {
        const ColourLookup depth(ColourScale::weights(), Theme::light());
        QCOMPARE(depth.colour(1.0F), qRgb(0x1B, 0x17, 0x45));
        const ColourLookup balance(ColourScale::difference(), Theme::light());
        QCOMPARE(balance.colour(-1.0F), qRgb(0x4B, 0x23, 0x82));
        QCOMPARE(balance.colour(1.0F), qRgb(0x8F, 0x3F, 0x00));
        const ColourLookup dark(ColourScale::weights(), Theme::darkTheme());
        QCOMPARE(dark.colour(1.0F), qRgb(0xF4, 0xFB, 0xDC));
        QCOMPARE(ColourLookup({MapName::Viridis, 0, 1, 1}, Theme::light()).colour(0.0F),
                 qRgb(0x44, 0x01, 0x54));
    }

    void strangeValuesHaveAColour()
    {
        const Theme theme = Theme::light();
        const ColourLookup lookup(ColourScale::weights(), theme);
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        QCOMPARE(lookup.colour(5.0F), lookup.colour(1.0F));
        QCOMPARE(lookup.colour(kInfinity), lookup.colour(1.0F));
        QCOMPARE(lookup.colour(-5.0F), lookup.colour(0.0F));
        QCOMPARE(lookup.colour(-kInfinity), theme.masked.rgb());
        QCOMPARE(lookup.colour(std::nanf("")), theme.error.rgb());
        const ColourLookup flat({MapName::Depth, 1.0F, 1.0F, 1.0}, theme); // an empty range
        QCOMPARE(flat.colour(0.3F), theme.surface.rgb());
    }

    void levelsAreTheSameScale()
    {
        const Theme theme = Theme::light();
        const ColourLookup lookup(ColourScale::difference(), theme);
        QCOMPARE(lookup.level(0), lookup.colour(-1.0F));
        QCOMPARE(lookup.level(127), lookup.colour(0.0F));
        QCOMPARE(lookup.level(254), lookup.colour(1.0F));
        QCOMPARE(lookup.level(255), theme.masked.rgb());
    }

    void depthGetsDarkerWithWeightAndLighterInTheDark()
    {
        const ColourLookup light(ColourScale::weights(), Theme::light());
        const ColourLookup dark(ColourScale::weights(), Theme::darkTheme());
        for (int step = 1; step <= 64; ++step) {
            const float weight = static_cast<float>(step) / 64.0F;
            const float before = weight - 1.0F / 64.0F;
            QVERIFY(relativeLuminance(light.colour(weight)) <
                    relativeLuminance(light.colour(before)));
            QVERIFY(relativeLuminance(dark.colour(weight)) >
                    relativeLuminance(dark.colour(before)));
        }
    }

    void cellTextIsReadableOnEveryColour()
    {
        for (const bool dark : {false, true}) {
            for (const MapName map : kMaps) {
                const ColourLookup lookup({map, -1.0F, 1.0F, 1.0}, Theme::named(dark, bodyFont()));
                for (int level = 0; level < 255; ++level) {
                    const QRgb cell = lookup.level(static_cast<std::uint8_t>(level));
                    const QColor text = cellTextColour(cell);
                    QVERIFY(text != QColor(Qt::black)); // lost by SVG files
                    QVERIFY2(contrastRatio(text.rgb(), cell) >= 4.5, qPrintable(displayName(map)));
                }
            }
        }
    }
};

HEADSCOPE_WINDOW_TEST(TstColourMap)
#include "tst_colour_map.moc"
