#include "core/model/weights/integer_linear_kernels.h"
#include "core/model/weights/mapped_linear_kernels.h"
#include "core/model/weights/packed_linear.h"
#include "core/model/weights/rounded_input.h"
#include "core/ops/kernels.h"
#include "tests/support/each_isa.h"
#include "tests/support/stored_weights.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace headscope;
using namespace headscope::test;

namespace {

std::vector<const IntegerKernels*> kernelsHere()
{
    std::vector<const IntegerKernels*> all;
    for (const char* name : {"avx2", "avxvnni", "avx512", "avx512vnni"})
        if (const IntegerKernels* kernels = integerKernelsFor(name))
            all.push_back(kernels);
    return all;
}

using Multiply = MultiplyIntegers IntegerKernels::*;

/// The product by one kernel of one set.
Tensor multiplied(const IntegerKernels& kernels, const StoredParameter& stored, const Tensor& in,
                  const Tensor& bias, Multiply multiply = &IntegerKernels::multiply)
{
    RoundedInput memory;
    IntegerProduct product;
    product.in = memory.round(in.view(), kernels.round);
    product.rows = in.shape()[0];
    product.columns = stored.rows;
    std::vector<const unsigned char*> weights;
    const auto* bytes = reinterpret_cast<const unsigned char*>(stored.bytes.data());
    for (std::int64_t row = 0; row < stored.rows || row % kTileColumns != 0; ++row)
        weights.push_back(bytes + std::min(row, stored.rows - 1) *
                                      (std::ssize(stored.bytes) / stored.rows));
    product.weights = weights.data();
    product.bias = bias.data();
    Tensor out({product.rows, product.columns});
    product.out = out.data();
    product.outStride = product.columns;
    Tensor panel({integerPanelBytes(stored.columns) / 4});
    product.panel = reinterpret_cast<unsigned char*>(panel.data());
    return (kernels.*multiply)(stored.format, product) ? out : Tensor();
}

Tensor applied(const StoredParameter& stored, const Tensor& in, Products products)
{
    const PackedLinear linear({stored}, {});
    Tensor out({in.shape()[0], stored.rowCount()});
    linear.apply(in.view(), out.view(), {}, products);
    return out;
}

Tensor rowOf(const Tensor& in, std::int64_t row)
{
    Tensor one({1, in.shape()[1]});
    std::copy_n(in.view()[row].data, one.size(), one.data());
    return one;
}

bool sameBits(const Tensor& a, const Tensor& b)
{
    return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// One row, rounded as RoundedRows documents it.
std::vector<double> rounded(const float* in, std::int64_t depth)
{
    std::vector<double> values;
    for (std::int64_t first = 0; first < depth; first += kRoundedBlock) {
        float largest = 0.0F;
        for (std::int64_t k = first; k < first + kRoundedBlock; ++k)
            largest = std::max(largest, std::abs(in[k]));
        for (std::int64_t k = first; k < first + kRoundedBlock; ++k)
            values.push_back(largest == 0.0F
                                 ? 0.0
                                 : static_cast<double>(std::nearbyint(in[k] * (127.0F / largest))) *
                                       static_cast<double>(largest / 127.0F));
    }
    return values;
}

/// Byte of the codes of largest magnitude.
std::byte largestCode(BlockFormat format)
{
    return format == BlockFormat::Q8_0     ? std::byte{0x80} // -128
           : format == BlockFormat::IQ4_NL ? std::byte{0x00} // -127
                                           : std::byte{0xFF};
}

/// Replaces the codes of blocks, and leaves their scales and minimums.
void useCodes(BlockFormat format, std::span<std::byte> bytes, std::byte code)
{
    const auto isCode = [format](std::int64_t place) {
        switch (format) {
        case BlockFormat::Q6_K:
            return place < 192;
        case BlockFormat::Q4_K:
        case BlockFormat::Q5_K:
            return place >= 16;
        case BlockFormat::Q4_1:
        case BlockFormat::Q5_1:
            return place >= 4;
        default:
            return place >= 2;
        }
    };
    for (std::size_t at = 0; at < bytes.size(); ++at)
        if (isCode(static_cast<std::int64_t>(at) % layoutOf(format).bytes))
            bytes[at] = code;
}

/// What an output is, and what it may differ by.
struct Expected
{
    double value = 0.0;
    double magnitude = 0.0; ///< Sum of magnitudes of the products, for errors of the sum.
    double rounding = 0.0;  ///< Sum of |weight| * half a step of the row's rounding.
};

Expected expected(const Tensor& in, std::int64_t row, const Tensor& weight, std::int64_t column,
                  bool rounds)
{
    const std::int64_t depth = in.shape()[1];
    const float* const x = in.view()[row].data;
    const std::vector<double> values = rounded(x, depth);
    Expected sum;
    for (std::int64_t k = 0; k < depth; ++k) {
        const auto at = static_cast<std::size_t>(k);
        const double w = static_cast<double>(weight.view()(column, k));
        const double product = w * (rounds ? values[at] : static_cast<double>(x[k]));
        sum.value += product;
        sum.magnitude += std::abs(product);
        double largest = 0.0;
        for (std::int64_t j = k / 32 * 32; j < k / 32 * 32 + 32; ++j)
            largest = std::max(largest, std::abs(static_cast<double>(x[j])));
        sum.rounding += std::abs(w) * largest / 127.0 * 0.5;
    }
    return sum;
}

/// True when the rows of `out` are the products of the rounded rows.
bool isProduct(const Tensor& out, const Tensor& in, const Tensor& weight)
{
    for (std::int64_t row = 0; row < out.shape()[0]; ++row)
        for (std::int64_t column = 0; column < out.shape()[1]; ++column) {
            const Expected sum = expected(in, row, weight, column, true);
            if (!(std::abs(static_cast<double>(out.view()(row, column)) - sum.value) <=
                  4e-6 * sum.magnitude))
                return false;
        }
    return true;
}

} // namespace

class TstIntegerProducts : public QObject
{
    Q_OBJECT

private slots:
    void rowsAreRoundedInBlocks();
    void everySetComputesTheReference_data();
    void everySetComputesTheReference();

    void theErrorIsThatOfTheRounding_data() { everySetComputesTheReference_data(); }

    void theErrorIsThatOfTheRounding();

    void aRowAloneHasTheBitsOfARowAmongOthers_data() { everySetComputesTheReference_data(); }

    void aRowAloneHasTheBitsOfARowAmongOthers();

    void extremeCodesDoNotOverflow_data() { everySetComputesTheReference_data(); }

    void extremeCodesDoNotOverflow();
    void rangesOfColumnsHaveTheSameBits();
    void otherFormatsStayExact();
    void infinityAndNanAreNotHidden();
    void vnniIsChosenByName();
    void narrowerInstructionSetsAgree();
};

void TstIntegerProducts::rowsAreRoundedInBlocks()
{
    Tensor in = randomTensor({2, 96}, 1);
    std::fill_n(in.data() + 32, 32, 0.0F);   // no magnitude
    std::fill_n(in.data() + 64, 32, 1e-40F); // too small to divide by
    for (const IntegerKernels* kernels : kernelsHere()) {
        RoundedInput memory;
        const RoundedRows rows = memory.round(in.view(), kernels->round);
        for (std::int64_t row = 0; row < 2; ++row) {
            const std::vector<double> values = rounded(in.view()[row].data, 96);
            for (std::int64_t k = 0; k < 96; ++k) {
                const auto scale = static_cast<double>(rows.scales[row * 3 + k / 32]);
                const double value = scale * rows.codes[row * 96 + k];
                QCOMPARE(value, row == 0 && k >= 32 ? 0.0 : values[static_cast<std::size_t>(k)]);
            }
        }
        for (std::int64_t block = 0; block < 6; ++block) {
            int sum = 0;
            for (int i = 0; i < 32; ++i)
                sum += rows.codes[block * 32 + i];
            for (int part = 0; part < 4; ++part) { // [half, pair of each four]
                int some = 0;
                for (int i = 0; i < 32; ++i)
                    if (i / 16 == part / 2 && i % 4 / 2 == part % 2)
                        some += rows.codes[block * 32 + i];
                QCOMPARE(rows.codeSums[4 * block + part], some);
            }
            QCOMPARE(rows.sums[block], rows.scales[block] * static_cast<float>(sum));
        }
    }
}

void TstIntegerProducts::everySetComputesTheReference_data()
{
    QTest::addColumn<BlockFormat>("format");
    for (const BlockLayout& layout : kBlockLayouts)
        if (multipliesIntegers(layout.format))
            QTest::newRow(std::string(layout.name).c_str()) << layout.format;
}

/// The sums of integers are exact, so only sums over blocks are rounded: the same bits everywhere.
void TstIntegerProducts::everySetComputesTheReference()
{
    QFETCH(BlockFormat, format);
    for (const std::int64_t columns : {1, 4, 7, 21}) {
        const StoredParameter stored = randomBlocks(format, columns, 768, 2, 1.0);
        const Tensor weight = floatsOf(stored);
        const Tensor bias = randomTensor({1, columns}, 3);
        for (const std::int64_t rows : {1, 2, 3, 5}) {
            const Tensor in = randomTensor({rows, 768}, 4);
            Tensor first;
            for (const IntegerKernels* kernels : kernelsHere()) {
                const Tensor out = multiplied(*kernels, stored, in, bias);
                QCOMPARE(out.shape(), (Shape{rows, columns}));
                for (std::int64_t row = 0; row < rows; ++row)
                    for (std::int64_t column = 0; column < columns; ++column) {
                        const Expected sum = expected(in, row, weight, column, true);
                        const double value = static_cast<double>(out.view()(row, column)) -
                                             static_cast<double>(bias.data()[column]);
                        QVERIFY2(std::abs(value - sum.value) <= 4e-6 * (sum.magnitude + 1.0),
                                 kernels->name);
                    }
                if (first.empty())
                    first = out;
                QVERIFY2(sameBits(out, first), kernels->name);
                QVERIFY2(
                    sameBits(multiplied(*kernels, stored, in, bias, &IntegerKernels::multiplyMany),
                             first),
                    kernels->name);
            }
        }
    }
}

void TstIntegerProducts::theErrorIsThatOfTheRounding()
{
    QFETCH(BlockFormat, format);
    if (integerKernels() == nullptr)
        QSKIP("this instruction set has no integer products");
    const StoredParameter stored = randomBlocks(format, 70, 768, 5, 1.0);
    const Tensor weight = floatsOf(stored);
    constexpr std::int64_t rows = 2 * kManyRoundedRows + 1;
    const Tensor in = randomTensor({rows, 768}, 6);
    const Tensor out = applied(stored, in, Products::Integer);
    double largest = 0.0;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < 70; ++column) {
            const Expected sum = expected(in, row, weight, column, false);
            const double error = std::abs(static_cast<double>(out.view()(row, column)) - sum.value);
            QVERIFY(error <= sum.rounding + 1e-5 * sum.magnitude);
            largest = std::max(largest, error / sum.magnitude);
        }
    QVERIFY(largest > 1e-5); // else the product was exact, and this test says nothing
}

/// In every kernel, so that text decoded with a cache gets the products of the same text at once.
void TstIntegerProducts::aRowAloneHasTheBitsOfARowAmongOthers()
{
    QFETCH(BlockFormat, format);
    const StoredParameter stored = randomBlocks(format, 150, 768, 7, 1.0);
    for (const std::int64_t rows : {2, 3, 4, 5, 7, 12, 33}) {
        const Tensor in = randomTensor({rows, 768}, 8);
        const Tensor all = applied(stored, in, Products::Integer);
        for (std::int64_t row = 0; row < rows; ++row)
            QVERIFY2(sameBits(applied(stored, rowOf(in, row), Products::Integer), rowOf(all, row)),
                     qPrintable(QString("row %1 of %2").arg(row).arg(rows)));
    }
}

/// Kernels add up products in 16 bits as long as they fit.
void TstIntegerProducts::extremeCodesDoNotOverflow()
{
    QFETCH(BlockFormat, format);
    StoredParameter stored = randomBlocks(format, 4, 256, 17, 1.0);
    std::vector<std::byte> bytes(stored.bytes.begin(), stored.bytes.end());
    stored.bytes = bytes;
    const Tensor bias({1, 4});
    Tensor in({4, 256});
    for (const std::byte code : {largestCode(format), std::byte{0}})
        for (const float value : {1.0F, -1.0F}) {
            useCodes(format, bytes, code);
            std::fill_n(in.data(), in.size(), value);
            const Tensor weight = floatsOf(stored);
            for (const IntegerKernels* kernels : kernelsHere())
                for (const Multiply multiply :
                     {&IntegerKernels::multiply, &IntegerKernels::multiplyMany})
                    QVERIFY2(
                        isProduct(multiplied(*kernels, stored, in, bias, multiply), in, weight),
                        kernels->name);
        }
}

/// However threads share the columns.
void TstIntegerProducts::rangesOfColumnsHaveTheSameBits()
{
    if (integerKernels() == nullptr)
        QSKIP("this instruction set has no integer products");
    const StoredParameter stored = randomBlocks(BlockFormat::Q4_1, 150, 512, 9, 1.0);
    const MappedLinear linear({stored});
    const Tensor in = randomTensor({2, 512}, 10);
    RoundedInput memory;
    const RoundedRows rows = memory.round(in.view(), integerKernels()->round);
    Tensor all({2, 150});
    linear.apply(in.view(), {}, all.view(), 0, 150, &rows);
    Tensor parts({2, 150});
    for (std::int64_t first = 0; first < 150; first += 33)
        linear.apply(in.view(), {}, parts.view(), first, std::min<std::int64_t>(first + 33, 150),
                     &rows);
    QVERIFY(sameBits(all, parts));
    QVERIFY(sameBits(all, applied(stored, in, Products::Integer)));
}

void TstIntegerProducts::otherFormatsStayExact()
{
    const StoredParameter stored = randomBlocks(BlockFormat::Q4_1, 40, 512, 11, 1.0);
    const Tensor one = randomTensor({1, 512}, 13);
    for (const Tensor& in : {one, randomTensor({40, 512}, 12)})
        QCOMPARE(
            sameBits(applied(stored, in, Products::Exact), applied(stored, in, Products::Integer)),
            integerKernels() == nullptr);
    for (const BlockFormat format : {BlockFormat::F32, BlockFormat::F16, BlockFormat::Q2_K}) {
        const StoredParameter other = randomBlocks(format, 40, 512, 14, 1.0);
        QVERIFY(
            sameBits(applied(other, one, Products::Exact), applied(other, one, Products::Integer)));
    }
}

void TstIntegerProducts::infinityAndNanAreNotHidden()
{
    const StoredParameter stored = randomBlocks(BlockFormat::Q8_0, 5, 64, 15, 1.0);
    for (const float value :
         {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
          std::numeric_limits<float>::quiet_NaN()}) {
        Tensor in = randomTensor({2, 64}, 16);
        in.data()[40] = value;
        const Tensor out = applied(stored, in, Products::Integer);
        for (std::int64_t column = 0; column < 5; ++column) {
            QVERIFY(!std::isfinite(out.view()(0, column)));
            QVERIFY(std::isfinite(out.view()(1, column)));
        }
    }
}

void TstIntegerProducts::vnniIsChosenByName()
{
    const IntegerKernels* const chosen = integerKernels();
    const QByteArray isa = qgetenv("HEADSCOPE_ISA");
    if (isa == "baseline")
        QCOMPARE(chosen, nullptr);
    else if (isa == "avx2")
        QCOMPARE(chosen, integerKernelsFor("avx2"));
    else if (chosen != nullptr && hasVnni(kernels().name))
        QVERIFY(QByteArray(chosen->name).endsWith("vnni"));
    QCOMPARE(integerKernelsFor("baseline"), nullptr);
    QCOMPARE(integerKernelsFor("avxvnni") != nullptr, hasVnni("avx2"));
}

void TstIntegerProducts::narrowerInstructionSetsAgree()
{
    const QString problem = narrowerIsaProblem();
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

HEADSCOPE_TEST(TstIntegerProducts)
#include "tst_integer_products.moc"
