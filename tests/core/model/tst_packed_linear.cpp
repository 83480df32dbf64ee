#include "core/model/weights/packed_linear.h"

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/model/weights/packed_linear_kernels.h"
#include "core/ops/kernels.h"
#include "core/tensor/half.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <mutex>

using namespace headscope;
using namespace headscope::test;

namespace {

Tensor randomTensor(const Shape& shape, std::uint64_t seed, double deviation = 1.0)
{
    Random random(seed);
    Tensor tensor(shape);
    for (float& value : tensor.values())
        value = static_cast<float>(deviation * random.normal());
    return tensor;
}

float roundedTo(WeightPrecision precision, float value)
{
    return precision == WeightPrecision::Float16 ? halfToFloat(floatToHalf(value))
                                                 : bfloatToFloat(floatToBfloat(value));
}

/// Standard deviation of weights that leaves that of the input as it is.
double keepingScale(std::int64_t depth)
{
    return 1.0 / std::sqrt(static_cast<double>(depth));
}

std::vector<double> plainProduct(const Tensor& in, const Tensor& weight, const Tensor& bias)
{
    std::vector<double> out;
    for (std::int64_t row = 0; row < in.shape()[0]; ++row)
        for (std::int64_t column = 0; column < weight.shape()[0]; ++column) {
            double sum = static_cast<double>(bias.data()[column]);
            for (std::int64_t k = 0; k < in.shape()[1]; ++k)
                sum += static_cast<double>(in.view()(row, k)) *
                       static_cast<double>(weight.view()(column, k));
            out.push_back(sum);
        }
    return out;
}

} // namespace

class TstPackedLinear : public QObject
{
    Q_OBJECT

private slots:
    void equalsThePlainProduct();
    void everyInstructionSetAgrees();
    void rowAloneHasTheBitsOfCompany();
    void everyColumnIsAnnouncedOnce();
    void wrongShapesAreRefused();
    void halvesMultiplyAsTheSameFloats_data();
    void halvesMultiplyAsTheSameFloats();
    void weightsBeyondFloat16AreRefused();
    void storedHalvesKeepTheirBits_data();
    void storedHalvesKeepTheirBits();
};

void TstPackedLinear::equalsThePlainProduct()
{
    for (const std::int64_t columns : {1, 31, 32, 33, 65, 100})
        for (const std::int64_t depth : {1, 7, 64, 530})
            for (std::int64_t rows = 0; rows <= 14; ++rows) {
                const Tensor in = randomTensor({rows, depth}, 1);
                const Tensor weight = randomTensor({columns, depth}, 2, keepingScale(depth));
                const Tensor bias = randomTensor({columns}, 3);
                Tensor out({rows, columns});
                PackedLinear(weight.view(), bias.view()).apply(in.view(), out.view());
                HS_COMPARE(out.values(), plainProduct(in, weight, bias), kOps);
            }
}

void TstPackedLinear::everyInstructionSetAgrees()
{
    std::vector<void (*)(const PackedProduct&)> versions{baseline::multiplyPanels};
#ifdef HEADSCOPE_ISA_DISPATCH
    if (kernelsFor("avx2"))
        versions.push_back(avx2::multiplyPanels);
    if (kernelsFor("avx512"))
        versions.push_back(avx512::multiplyPanels);
#endif
    // One depth that any first-level cache holds, one that all sets take in several parts.
    for (const std::int64_t depth : {50, 1100}) {
        const Tensor panels = randomTensor({3, depth, kPanelColumns}, 4, keepingScale(depth));
        const Tensor bias = randomTensor({3 * kPanelColumns}, 5);
        for (std::int64_t rows = 1; rows <= 26; ++rows) {
            const Tensor in = randomTensor({rows, depth}, 6);
            std::vector<double> first;
            for (const auto multiply : versions) {
                Tensor out({rows, 90});
                multiply({in.data(), depth, rows, panels.data(), bias.data(), depth, 90, out.data(),
                          90, 0, 3});
                if (first.empty())
                    first.assign(out.values().begin(), out.values().end());
                HS_COMPARE(out.values(), first, kOps);
            }
        }
    }
}

void TstPackedLinear::rowAloneHasTheBitsOfCompany()
{
    constexpr std::int64_t kRows = 27;
    for (const std::int64_t depth : {96, 1100}) {
        const PackedLinear linear(randomTensor({200, depth}, 7).view(),
                                  randomTensor({200}, 8).view());
        const Tensor in = randomTensor({kRows, depth}, 9);
        Tensor all({kRows, 200});
        linear.apply(in.view(), all.view());
        for (std::int64_t count = 1; count < kRows; ++count) {
            const std::int64_t first = kRows - count;
            Tensor some({count, 200});
            linear.apply(TensorView(in.view()[first].data, {count, depth}), some.view());
            QCOMPARE(std::memcmp(some.data(), all.view()[first].data, some.size() * sizeof(float)),
                     0);
        }
    }
}

void TstPackedLinear::everyColumnIsAnnouncedOnce()
{
    // Large enough for all threads.
    const PackedLinear linear(randomTensor({1000, 512}, 10).view(), {});
    const Tensor in = randomTensor({16, 512}, 11);
    Tensor out({16, 1000});
    std::vector<int> seen(1000);
    std::mutex mutex;
    linear.apply(in.view(), out.view(), [&](std::int64_t begin, std::int64_t end) {
        const std::lock_guard lock(mutex);
        for (std::int64_t column = begin; column < end; ++column)
            ++seen[static_cast<std::size_t>(column)];
    });
    QVERIFY(seen == std::vector<int>(1000, 1));
}

void TstPackedLinear::wrongShapesAreRefused()
{
    const PackedLinear linear(randomTensor({5, 4}, 12).view(), {});
    Tensor out({2, 5});
    const Tensor narrow({2, 3});
    const Tensor fewer({1, 4});
    QVERIFY_EXCEPTION_THROWN(linear.apply(narrow.view(), out.view()), ShapeError);
    QVERIFY_EXCEPTION_THROWN(linear.apply(fewer.view(), out.view()), ShapeError);
}

void TstPackedLinear::halvesMultiplyAsTheSameFloats_data()
{
    QTest::addColumn<WeightPrecision>("precision");
    QTest::newRow("f16") << WeightPrecision::Float16;
    QTest::newRow("bf16") << WeightPrecision::BFloat16;
}

/// Bit for bit the product with the rounded numbers as floats.
void TstPackedLinear::halvesMultiplyAsTheSameFloats()
{
    QFETCH(WeightPrecision, precision);
    for (const std::int64_t depth : {7, 96, 1100}) {
        const Tensor weight = randomTensor({100, depth}, 14, keepingScale(depth));
        const Tensor bias = randomTensor({100}, 15);
        Tensor rounded(weight.shape());
        for (std::size_t i = 0; i < weight.size(); ++i)
            rounded.values()[i] = roundedTo(precision, weight.values()[i]);
        QVERIFY(std::memcmp(rounded.data(), weight.data(), weight.size() * sizeof(float)) != 0);
        const PackedLinear halves(weight.view(), bias.view(), precision);
        const PackedLinear floats(rounded.view(), bias.view());
        for (std::int64_t rows = 1; rows <= 14; ++rows) {
            const Tensor in = randomTensor({rows, depth}, 16);
            Tensor out({rows, 100});
            Tensor expected({rows, 100});
            halves.apply(in.view(), out.view());
            floats.apply(in.view(), expected.view());
            QCOMPARE(std::memcmp(out.data(), expected.data(), out.size() * sizeof(float)), 0);
        }
    }
}

void TstPackedLinear::weightsBeyondFloat16AreRefused()
{
    Tensor weight = randomTensor({5, 4}, 17);
    weight.values()[7] = 65519.0F; // rounds to 65504
    PackedLinear(weight.view(), {}, WeightPrecision::Float16);
    weight.values()[7] = -65520.0F; // rounds to 65536, which is none
    QVERIFY_EXCEPTION_THROWN(PackedLinear(weight.view(), {}, WeightPrecision::Float16), Error);
    PackedLinear(weight.view(), {}, WeightPrecision::BFloat16);
}

void TstPackedLinear::storedHalvesKeepTheirBits_data()
{
    QTest::addColumn<BlockFormat>("format");
    QTest::newRow("F16") << BlockFormat::F16;
    QTest::newRow("BF16") << BlockFormat::BF16;
}

/// Halves that a file stores as [in, out] are packed as halves: no rounding, half the memory.
void TstPackedLinear::storedHalvesKeepTheirBits()
{
    QFETCH(BlockFormat, format);
    const auto precision =
        format == BlockFormat::F16 ? WeightPrecision::Float16 : WeightPrecision::BFloat16;
    const Tensor numbers = randomTensor({40, 33}, 18);
    std::vector<std::uint16_t> halves;
    Tensor weight({33, 40});
    for (std::int64_t in = 0; in < 40; ++in)
        for (std::int64_t out = 0; out < 33; ++out) {
            const float number = numbers.view()(in, out);
            halves.push_back(format == BlockFormat::F16 ? floatToHalf(number)
                                                        : floatToBfloat(number));
            weight.view()(out, in) = roundedTo(precision, number);
        }
    StoredParameter stored;
    stored.bytes = std::as_bytes(std::span(halves));
    stored.format = format;
    stored.rows = 40;
    stored.columns = 33;
    stored.transposed = true;
    const PackedLinear fromFile({stored}, {});
    QVERIFY(!fromFile.isInPlace());
    const Tensor in = randomTensor({3, 40}, 19);
    Tensor out({3, 33});
    Tensor expected({3, 33});
    fromFile.apply(in.view(), out.view());
    PackedLinear(weight.view(), {}).apply(in.view(), expected.view());
    QCOMPARE(std::memcmp(out.data(), expected.data(), out.size() * sizeof(float)), 0);
}

HEADSCOPE_TEST(TstPackedLinear)
#include "tst_packed_linear.moc"
