#include "core/tensor/half.h"

#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace headscope;

/// Conversions between float, binary16 and bfloat16.
class TstHalf : public QObject
{
    Q_OBJECT

private slots:
    void everyNumberComesBack();
    void halvesRoundToTheNearest();
    void bfloatsRoundToTheNearest();
    void theLargestHalfIs65504();
};

void TstHalf::everyNumberComesBack()
{
    for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float fromHalf = halfToFloat(half);
        const float fromBfloat = bfloatToFloat(half);
        if (std::isnan(fromHalf))
            QVERIFY(std::isnan(halfToFloat(floatToHalf(fromHalf))));
        else
            QCOMPARE(floatToHalf(fromHalf), half);
        if (std::isnan(fromBfloat))
            QVERIFY(std::isnan(bfloatToFloat(floatToBfloat(fromBfloat))));
        else
            QCOMPARE(floatToBfloat(fromBfloat), half);
    }
}

/// Between two neighbours: below the middle down, above it up, and in the middle to the even one.
template<class ToFloat, class ToBits>
void roundsBetween(std::uint16_t lower, ToFloat toFloat, ToBits toBits)
{
    const auto upper = static_cast<std::uint16_t>(lower + 1);
    const double middle =
        (static_cast<double>(toFloat(lower)) + static_cast<double>(toFloat(upper))) / 2.0;
    const float exact = static_cast<float>(middle);
    QCOMPARE(static_cast<double>(exact), middle); // a float has digits enough
    const std::uint16_t even = lower % 2 == 0 ? lower : upper;
    QCOMPARE(toBits(exact), even);
    QCOMPARE(toBits(std::nextafter(exact, 0.0F)), lower);
    QCOMPARE(toBits(std::nextafter(exact, std::numeric_limits<float>::max())), upper);
    QCOMPARE(toBits(-exact), static_cast<std::uint16_t>(even | 0x8000U));
}

void TstHalf::halvesRoundToTheNearest()
{
    for (std::uint16_t lower = 0; lower < 0x7BFF; ++lower) // subnormal ones from 0 to 0x3FF
        roundsBetween(lower, halfToFloat, floatToHalf);
}

void TstHalf::bfloatsRoundToTheNearest()
{
    for (std::uint16_t lower = 0; lower < 0x7F7F; ++lower)
        roundsBetween(lower, bfloatToFloat, floatToBfloat);
}

void TstHalf::theLargestHalfIs65504()
{
    QCOMPARE(halfToFloat(floatToHalf(65519.0F)), 65504.0F);
    QVERIFY(std::isinf(halfToFloat(floatToHalf(65520.0F))));
    QCOMPARE(floatToHalf(-std::numeric_limits<float>::infinity()), std::uint16_t{0xFC00});
    QCOMPARE(bfloatToFloat(floatToBfloat(1e30F)) / 1e30F > 0.99F, true);
}

HEADSCOPE_TEST(TstHalf)
#include "tst_half.moc"
