// labels: golden
#include "core/tensor/block_format.h"

#include "core/base/error.h"
#include "core/io/safetensors/stored_tensor.h"
#include "core/tensor/half.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

using namespace headscope;
using namespace headscope::test;

class TstBlockFormat : public QObject
{
    Q_OBJECT

private slots:
    void goldenBlocksUnpackExactly_data();
    void goldenBlocksUnpackExactly();
    void blocksMayLieAtAnyAddress();
    void everyHalfIsExact();
    void everyFormatHasItsOwnNumber();
    void bytesAreCountedWithoutWrapping();
    void rowsAreWholeBlocks();
    void wrongSizesAreRefused();
};

void TstBlockFormat::goldenBlocksUnpackExactly_data()
{
    QTest::addColumn<BlockFormat>("format");
    for (const BlockLayout& layout : kBlockLayouts)
        if (layout.format != BlockFormat::F32)
            QTest::newRow(std::string(layout.name).c_str()) << layout.format;
}

void TstBlockFormat::goldenBlocksUnpackExactly()
{
    QFETCH(BlockFormat, format);
    const GoldenFile file("gguf/block_formats.safetensors");
    const std::string name(layoutOf(format).name);
    const StoredTensor& bytes = file.file().tensor("in." + name + ".bytes");
    const Tensor expected = file.tensor("out." + name);
    const std::int64_t rows = expected.shape()[0];
    const std::int64_t columns = expected.shape()[1];
    QCOMPARE(byteCount(format, rows, columns),
             std::optional(static_cast<std::int64_t>(bytes.bytes.size())));
    Tensor got(expected.shape());
    const std::size_t rowBytes = bytes.bytes.size() / static_cast<std::size_t>(rows);
    for (std::int64_t row = 0; row < rows; ++row)
        unpack(format, bytes.bytes.subspan(static_cast<std::size_t>(row) * rowBytes, rowBytes),
               {got.data() + row * columns, static_cast<std::size_t>(columns)});
    for (std::size_t i = 0; i < got.size(); ++i)
        QVERIFY2(got.values()[i] == expected.values()[i],
                 qPrintable(QString("value %1: %2 is not %3")
                                .arg(i)
                                .arg(static_cast<double>(got.values()[i]), 0, 'g', 9)
                                .arg(static_cast<double>(expected.values()[i]), 0, 'g', 9)));
}

void TstBlockFormat::blocksMayLieAtAnyAddress()
{
    for (const BlockLayout& layout : kBlockLayouts) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(layout.bytes) + 1);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<std::byte>(i * 37 % 61);
        std::vector<std::byte> moved(bytes.begin() + 1, bytes.end());
        std::vector<float> here(static_cast<std::size_t>(layout.values));
        std::vector<float> there(here.size());
        unpack(layout.format, std::span(bytes).subspan(1), here);
        unpack(layout.format, moved, there);
        QCOMPARE(std::memcmp(here.data(), there.data(), here.size() * sizeof(float)), 0);
    }
}

/// As scales of Q8_0 blocks too, which are read without a branch.
void TstBlockFormat::everyHalfIsExact()
{
    for (unsigned bits = 0; bits < 65536; ++bits) {
        std::array<std::byte, 34> block{static_cast<std::byte>(bits),
                                        static_cast<std::byte>(bits >> 8), std::byte{1}};
        const int exponent = static_cast<int>(bits >> 10 & 31U);
        const double fraction = bits & 1023U;
        double expected = exponent == 0 ? std::ldexp(fraction, -24)
                                        : std::ldexp(1024.0 + fraction, exponent - 25);
        if (exponent == 31)
            expected = fraction == 0.0 ? std::numeric_limits<double>::infinity()
                                       : std::numeric_limits<double>::quiet_NaN();
        if ((bits & 0x8000U) != 0)
            expected = -expected;
        std::array<float, 32> values{};
        unpack(BlockFormat::Q8_0, block, values);
        const float half = halfToFloat(static_cast<std::uint16_t>(bits));
        for (const float got : {half, values[0]})
            QVERIFY2(std::isnan(expected) ? std::isnan(got)
                                          : static_cast<double>(got) == expected &&
                                                std::signbit(got) == std::signbit(expected),
                     qPrintable(QString::number(bits, 16)));
    }
}

void TstBlockFormat::everyFormatHasItsOwnNumber()
{
    std::set<std::uint32_t> numbers;
    for (const BlockLayout& layout : kBlockLayouts) {
        QCOMPARE(layoutOf(layout.format).name, layout.name);
        QCOMPARE(blockFormatOfGgml(layout.ggmlType), std::optional(layout.format));
        numbers.insert(layout.ggmlType);
    }
    QCOMPARE(numbers.size(), kBlockFormats);
    QVERIFY(!blockFormatOfGgml(4)); // Q4_2, gone long ago
    QVERIFY(!blockFormatOfGgml(0xFFFFFFFFU));
}

void TstBlockFormat::bytesAreCountedWithoutWrapping()
{
    constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
    QCOMPARE(byteCount(BlockFormat::Q4_1, 576, 1536), std::optional<std::int64_t>(576 * 48 * 20));
    QCOMPARE(byteCount(BlockFormat::F32, 0, 7), std::optional<std::int64_t>(0));
    QVERIFY(!byteCount(BlockFormat::F32, -1, 4));
    QVERIFY(!byteCount(BlockFormat::F32, 4, -1));
    QVERIFY(!byteCount(BlockFormat::F32, kLargest, 1));
    QVERIFY(!byteCount(BlockFormat::F32, std::int64_t{1} << 31, std::int64_t{1} << 32));
    QVERIFY(!byteCount(BlockFormat::Q8_0, kLargest / 2, 64));
    QVERIFY(!byteCount(BlockFormat::Q6_K, std::int64_t{1} << 62, 1024));
    // 4194305 * 4194305 * 211106198978564 is 4 modulo 2^64
    QVERIFY(!byteCount(BlockFormat::F16, std::int64_t{4194305} * 4194305, 211106198978564));
}

void TstBlockFormat::rowsAreWholeBlocks()
{
    for (const BlockLayout& layout : kBlockLayouts) {
        QCOMPARE(byteCount(layout.format, 3, 2 * layout.values), std::optional(6 * layout.bytes));
        if (layout.values > 1)
            QVERIFY(!byteCount(layout.format, 3, 2 * layout.values - 1));
        if (layout.values > 32)
            QVERIFY(!byteCount(layout.format, 8, 32));
    }
}

void TstBlockFormat::wrongSizesAreRefused()
{
    const std::vector<std::byte> bytes(40);
    std::vector<float> values(64);
    unpack(BlockFormat::Q4_1, bytes, values);
    QVERIFY_EXCEPTION_THROWN(unpack(BlockFormat::Q4_1, std::span(bytes).first(39), values),
                             ShapeError);
    QVERIFY_EXCEPTION_THROWN(unpack(BlockFormat::Q4_1, bytes, std::span(values).first(63)),
                             ShapeError);
    QVERIFY_EXCEPTION_THROWN(unpack(BlockFormat::Q4_1, bytes, std::span(values).first(32)),
                             ShapeError);
    unpack(BlockFormat::F32, {}, {});
}

HEADSCOPE_TEST(TstBlockFormat)
#include "tst_block_format.moc"
