#include "core/model/weights/mapped_linear.h"

#include "core/model/weights/mapped_linear_kernels.h"
#include "core/model/weights/packed_linear.h"
#include "tests/support/each_isa.h"
#include "tests/support/stored_weights.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QTest>

#include <cstring>
#include <mutex>

using namespace headscope;
using namespace headscope::test;

namespace {

/// The same numbers in F32, at an odd address if wanted.
StoredParameter unpacked(const StoredParameter& stored, bool odd = false)
{
    StoredParameter plain = storedFloats(floatsOf(stored));
    if (!odd)
        return plain;
    const auto bytes = std::make_shared<std::vector<std::byte>>(plain.bytes.size() + 1);
    std::memcpy(bytes->data() + 1, plain.bytes.data(), plain.bytes.size());
    plain.bytes = std::span<const std::byte>(*bytes).subspan(1);
    plain.owner = bytes;
    return plain;
}

Tensor product(const std::vector<StoredParameter>& parts, TensorView bias, const Tensor& in)
{
    const PackedLinear linear(parts, bias);
    std::int64_t rows = 0;
    for (const StoredParameter& part : parts)
        rows += part.rowCount();
    Tensor out({in.shape()[0], rows});
    linear.apply(in.view(), out.view());
    return out;
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

bool sameBits(const Tensor& a, const Tensor& b)
{
    return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

} // namespace

class TstMappedLinear : public QObject
{
    Q_OBJECT

private slots:
    void kernelsUnpackTheSameBits();
    void equalsThePlainProduct_data();
    void equalsThePlainProduct();
    void anyFormatGivesTheBitsOfItsFloats_data();
    void anyFormatGivesTheBitsOfItsFloats();
    void oddDepthsWork();
    void partsLieUnderEachOther();
    void rowsOfPartsAreFound();
    void turnedAndAbsentPartsAreUnpacked();
    void everyColumnIsAnnouncedOnce();
    void narrowerInstructionSetsAgree();
};

void TstMappedLinear::kernelsUnpackTheSameBits()
{
    std::vector<UnpackRow> versions{baseline::unpackRow};
#ifdef __x86_64__ // where headscope_isa_sources makes them
    if (kernelsFor("avx2"))
        versions.push_back(avx2::unpackRow);
    if (kernelsFor("avx512"))
        versions.push_back(avx512::unpackRow);
#endif
    for (const BlockLayout& layout : kBlockLayouts) {
        const std::int64_t columns = layout.values == 1 ? 531 : 3 * layout.values;
        const StoredParameter stored = randomBlocks(layout.format, 7, columns, 1);
        const Tensor expected = floatsOf(stored);
        for (const UnpackRow unpackRow : versions) {
            Tensor got({7, columns});
            for (std::int64_t row = 0; row < 7; ++row)
                unpackRow(layout.format,
                          reinterpret_cast<const unsigned char*>(stored.bytes.data()) +
                              row * static_cast<std::int64_t>(stored.bytes.size()) / 7,
                          columns, got.data() + row * columns);
            QVERIFY2(sameBits(got, expected), std::string(layout.name).c_str());
        }
    }
}

void TstMappedLinear::equalsThePlainProduct_data()
{
    QTest::addColumn<BlockFormat>("format");
    for (const BlockLayout& layout : kBlockLayouts)
        QTest::newRow(std::string(layout.name).c_str()) << layout.format;
}

void TstMappedLinear::equalsThePlainProduct()
{
    QFETCH(BlockFormat, format);
    for (const std::int64_t columns : {1, 4, 31, 100}) {
        const StoredParameter stored = randomBlocks(format, columns, 512, 2, 1.0);
        const Tensor bias = randomTensor({1, columns}, 3);
        for (const std::int64_t rows : {0, 1, 2, 3, 5, 7, 12, 13}) {
            const Tensor in = randomTensor({rows, 512}, 4);
            const Tensor out = product({stored}, {bias.data(), {columns}}, in);
            HS_COMPARE(out.values(), plainProduct(in, floatsOf(stored), bias),
                       (Tolerance{1e-4, 1e-5}));
        }
    }
}

void TstMappedLinear::anyFormatGivesTheBitsOfItsFloats_data()
{
    equalsThePlainProduct_data();
}

/// And a row alone those of a row in company.
void TstMappedLinear::anyFormatGivesTheBitsOfItsFloats()
{
    QFETCH(BlockFormat, format);
    constexpr std::int64_t kRows = 20;
    const StoredParameter stored = randomBlocks(format, 150, 768, 5, 1.0);
    const Tensor in = randomTensor({kRows, 768}, 6);
    const Tensor all = product({stored}, {}, in);
    QVERIFY(sameBits(all, product({unpacked(stored)}, {}, in)));
    QVERIFY(sameBits(all, product({unpacked(stored, true)}, {}, in)));
    for (std::int64_t count = 1; count < kRows; ++count) {
        Tensor last({count, 768});
        const std::int64_t first = kRows - count;
        std::copy_n(in.view()[first].data, last.size(), last.data());
        const Tensor some = product({stored}, {}, last);
        QCOMPARE(std::memcmp(some.data(), all.view()[first].data, some.size() * sizeof(float)), 0);
    }
}

void TstMappedLinear::oddDepthsWork()
{
    for (const BlockFormat format : {BlockFormat::F32, BlockFormat::F16, BlockFormat::BF16})
        for (const std::int64_t depth : {1, 3, 8, 15, 16, 17, 33}) {
            const StoredParameter stored = randomBlocks(format, 9, depth, 7, 1.0);
            const Tensor bias = randomTensor({1, 9}, 8);
            const Tensor in = randomTensor({7, depth}, 9);
            HS_COMPARE(product({stored}, {bias.data(), {9}}, in).values(),
                       plainProduct(in, floatsOf(stored), bias), kOps);
        }
}

void TstMappedLinear::partsLieUnderEachOther()
{
    const std::vector<StoredParameter> parts{randomBlocks(BlockFormat::Q4_K, 70, 256, 10, 1.0),
                                             randomBlocks(BlockFormat::F16, 33, 256, 11, 1.0),
                                             randomBlocks(BlockFormat::Q6_K, 6, 256, 12, 1.0)};
    const Tensor in = randomTensor({3, 256}, 13);
    const Tensor together = product(parts, {}, in);
    QCOMPARE(together.shape(), (Shape{3, 109}));
    std::int64_t first = 0;
    for (const StoredParameter& part : parts) {
        const Tensor alone = product({part}, {}, in);
        for (std::int64_t row = 0; row < 3; ++row)
            QCOMPARE(std::memcmp(alone.view()[row].data, together.view()[row].data + first,
                                 static_cast<std::size_t>(part.rows) * sizeof(float)),
                     0);
        first += part.rows;
    }
}

void TstMappedLinear::rowsOfPartsAreFound()
{
    QCOMPARE(rowsOfPart(2, 1, 3), (std::vector<std::int64_t>{2, 3}));
    QCOMPARE(rowsOfPart(4, 2, 3, 2), (std::vector<std::int64_t>{4, 5, 10, 11}));
    StoredParameter stored = randomBlocks(BlockFormat::Q8_0, 12, 64, 14, 1.0);
    const Tensor all = floatsOf(stored);
    stored.order = {0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11}; // halves of two heads
    const Tensor ordered = floatsOf(stored);
    for (std::size_t row = 0; row < 12; ++row)
        QCOMPARE(std::memcmp(ordered.data() + row * 64,
                             all.data() + static_cast<std::size_t>(stored.order[row]) * 64,
                             64 * sizeof(float)),
                 0);
    const Tensor in = randomTensor({2, 64}, 15);
    QVERIFY(sameBits(product({stored}, {}, in), product({unpacked(stored)}, {}, in)));
}

void TstMappedLinear::turnedAndAbsentPartsAreUnpacked()
{
    StoredParameter turned = randomBlocks(BlockFormat::F16, 24, 60, 16, 1.0);
    turned.transposed = true;
    turned.order = rowsOfPart(20, 1, 3);
    StoredParameter absent;
    absent.rows = 4;
    absent.columns = 24;
    const Tensor weight = floatsOf(turned);
    QCOMPARE(weight.shape(), (Shape{20, 24}));
    QCOMPARE(weight.view()(3, 5), floatsOf(unpacked(turned)).view()(3, 5));
    const Tensor in = randomTensor({5, 24}, 17);
    const Tensor got = product({turned, absent}, {}, in);
    const PackedLinear prepared({turned, absent}, {});
    prepared.prepare();
    Tensor again({5, 24});
    prepared.apply(in.view(), again.view());
    QVERIFY(sameBits(got, again));
    Tensor expected({24, 24});
    std::copy_n(weight.data(), weight.size(), expected.data());
    Tensor out({5, 24});
    PackedLinear(expected.view(), {}).apply(in.view(), out.view());
    QVERIFY(sameBits(got, out));
}

void TstMappedLinear::everyColumnIsAnnouncedOnce()
{
    // Large enough for all threads.
    const PackedLinear linear({randomBlocks(BlockFormat::Q4_1, 1000, 512, 18)}, {});
    const Tensor in = randomTensor({16, 512}, 19);
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

void TstMappedLinear::narrowerInstructionSetsAgree()
{
    const QString problem = narrowerIsaProblem();
    QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

HEADSCOPE_TEST(TstMappedLinear)
#include "tst_mapped_linear.moc"
