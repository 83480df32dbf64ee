// labels: golden
#include "core/base/error.h"
#include "core/io/hugging_face/quantised_weights.h"
#include "core/tensor/float8.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <list>

using namespace headscope;
using namespace headscope::test;

namespace {

using Extents = std::vector<std::int64_t>;

ModelTensor tensorOf(const std::string& name, DataType type, Extents shape,
                     std::span<const std::byte> bytes)
{
    ModelTensor tensor;
    tensor.name = name;
    tensor.type = toString(type);
    tensor.shape = shape;
    tensor.bytes = bytes;
    if (type == DataType::F32)
        tensor.format = BlockFormat::F32;
    else
        tensor.convertible = StoredTensor{type, std::move(shape), bytes};
    return tensor;
}

std::int64_t countOf(const Extents& shape)
{
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    return count;
}

/// A weight in 8 or 4 bits and its scales, all bytes 1 and all floats 2.
class Pair
{
public:
    void add(const std::string& name, DataType type, const Extents& shape)
    {
        const std::size_t size = static_cast<std::size_t>(countOf(shape)) * byteSize(type);
        std::vector<std::byte>& bytes = m_bytes.emplace_back(size, std::byte{1});
        if (type == DataType::F32)
            for (std::size_t i = 0; i < size; i += sizeof(float))
                std::memcpy(bytes.data() + i, &kScale, sizeof(float));
        m_model.tensors.push_back(tensorOf(name, type, shape, bytes));
    }

    std::string refusal(ScaleBlock block)
    {
        try {
            widenQuantised(m_model, block);
        } catch (const FormatError& error) {
            return error.what();
        }
        return {};
    }

    StoredModel& model() { return m_model; }

private:
    static constexpr float kScale = 2.0F;

    std::list<std::vector<std::byte>> m_bytes;
    StoredModel m_model;
};

std::vector<float> valuesOf(const ModelTensor& tensor)
{
    std::vector<float> values(static_cast<std::size_t>(tensor.rows() * tensor.columns()));
    unpack(*tensor.format, tensor.bytes, values);
    return values;
}

bool sameFloat(float a, float b)
{
    return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

} // namespace

class TstQuantisedWeights : public QObject
{
    Q_OBJECT

private slots:
    void everyCodeIsExact_data();
    void everyCodeIsExact();
    void blocksAtTheEdgesAreSmaller();
    void shapesSayWhatAScaleIsOf_data();
    void shapesSayWhatAScaleIsOf();
    void scalesBelongToTheirWeights();
    void nibblesOfGptOssBecomeBlocks();
    void scalesThatDoNotFitAreRefused_data();
    void scalesThatDoNotFitAreRefused();
};

void TstQuantisedWeights::everyCodeIsExact_data()
{
    QTest::addColumn<DataType>("type");
    QTest::addColumn<QString>("name");
    QTest::newRow("E4M3") << DataType::F8_E4M3 << "e4m3";
    QTest::newRow("E5M2") << DataType::F8_E5M2 << "e5m2";
}

void TstQuantisedWeights::everyCodeIsExact()
{
    QFETCH(const DataType, type);
    QFETCH(const QString, name);
    const GoldenFile file("hf/float8.safetensors");
    const std::string kind = name.toStdString();
    const StoredTensor& codes = file.file().tensor("in." + kind + ".codes");
    const std::vector<float> got = StoredTensor{type, codes.shape, codes.bytes}.toFloats();
    const Tensor expected = file.tensor("out." + kind);
    QCOMPARE(got.size(), std::size_t{256});
    for (std::size_t code = 0; code < got.size(); ++code)
        QVERIFY2(sameFloat(got[code], expected.values()[code]),
                 qPrintable(QString("code %1: %2").arg(code).arg(double{got[code]})));
}

void TstQuantisedWeights::blocksAtTheEdgesAreSmaller()
{
    const GoldenFile file("hf/float8.safetensors");
    const StoredTensor& codes = file.file().tensor("in.weight");
    const StoredTensor& scale = file.file().tensor("in.scale");
    StoredModel model;
    model.tensors = {tensorOf("a.weight", DataType::F8_E4M3, codes.shape, codes.bytes),
                     tensorOf("a.weight_scale_inv", DataType::F32, scale.shape, scale.bytes)};
    widenQuantised(model, {});
    const Tensor expected = file.tensor("out.weight");
    const std::vector<float> got = valuesOf(model.tensors.front());
    QCOMPARE(got, std::vector<float>(expected.values().begin(), expected.values().end()));
}

void TstQuantisedWeights::shapesSayWhatAScaleIsOf_data()
{
    QTest::addColumn<Extents>("weight");
    QTest::addColumn<Extents>("scale");
    QTest::newRow("a number") << Extents{3, 5} << Extents{};
    QTest::newRow("a list of one") << Extents{3, 5} << Extents{1};
    QTest::newRow("one by one") << Extents{3, 5} << Extents{1, 1};
    QTest::newRow("rows") << Extents{3, 5} << Extents{3, 1};
    QTest::newRow("a list of rows") << Extents{3, 5} << Extents{3};
    QTest::newRow("blocks") << Extents{9, 5} << Extents{3, 2};
    QTest::newRow("blocks of experts") << Extents{2, 9, 5} << Extents{2, 3, 2};
    QTest::newRow("rows of experts") << Extents{2, 9, 5} << Extents{2, 9, 1};
    QTest::newRow("nothing") << Extents{0, 5} << Extents{0, 1};
}

void TstQuantisedWeights::shapesSayWhatAScaleIsOf()
{
    QFETCH(const Extents, weight);
    QFETCH(const Extents, scale);
    Pair pair;
    pair.add("w", DataType::F8_E4M3, weight);
    pair.add("w_scale", DataType::F32, scale);
    QCOMPARE(pair.refusal({4, 3}), std::string());
    for (const float value : valuesOf(pair.model().tensors.front()))
        QCOMPARE(value, 2.0F * 0x1p-9F);
}

void TstQuantisedWeights::scalesBelongToTheirWeights()
{
    Pair pair;
    pair.add("a.weight", DataType::F8_E5M2, {2, 2});
    pair.add("a.weight_scale", DataType::F32, {});
    pair.add("a.input_scale", DataType::F32, {});
    pair.add("plain", DataType::F8_E5M2, {2, 2});
    pair.add("other_scale", DataType::F32, {});
    const QuantisationParts parts = widenQuantised(pair.model(), {});
    QCOMPARE(parts, (QuantisationParts{{"a.weight_scale", "a.weight"}, {"a.input_scale", ""}}));
    QCOMPARE(valuesOf(pair.model().tensors[0]).front(), 2.0F * 0x1p-16F);
    QCOMPARE(valuesOf(pair.model().tensors[3]).front(), 0x1p-16F);
}

/// Value i of a block is at byte i / 2 of the file and at byte i % 16 of ours.
void TstQuantisedWeights::nibblesOfGptOssBecomeBlocks()
{
    std::vector<std::byte> codes(32);
    for (std::size_t i = 0; i < codes.size(); ++i)
        codes[i] = static_cast<std::byte>(i * 29 + 7);
    const std::vector<std::byte> scales{std::byte{127}, std::byte{129}};
    StoredModel model;
    model.tensors = {tensorOf("e_blocks", DataType::U8, {1, 2, 1, 16}, codes),
                     tensorOf("e_scales", DataType::U8, {1, 2, 1}, scales)};
    widenQuantised(model, {});
    const ModelTensor& tensor = model.tensors.front();
    QCOMPARE(tensor.name, std::string("e"));
    QVERIFY(tensor.format == BlockFormat::MXFP4);
    QCOMPARE(tensor.shape, (Extents{1, 2, 32}));
    constexpr float kValues[] = {0.0F, 0.5F, 1.0F, 1.5F, 2.0F, 3.0F, 4.0F, 6.0F};
    const std::vector<float> got = valuesOf(tensor);
    for (std::size_t i = 0; i < got.size(); ++i) {
        const unsigned code = static_cast<unsigned>(codes[i / 2]) >> (i % 2 * 4) & 15U;
        const float magnitude = kValues[code & 7U] * (i < 32 ? 1.0F : 4.0F);
        QCOMPARE(got[i], code < 8 ? magnitude : -magnitude);
    }
}

void TstQuantisedWeights::scalesThatDoNotFitAreRefused_data()
{
    QTest::addColumn<DataType>("type");
    QTest::addColumn<QString>("name");
    QTest::addColumn<Extents>("weight");
    QTest::addColumn<QString>("scaleName");
    QTest::addColumn<DataType>("scaleType");
    QTest::addColumn<Extents>("scale");
    QTest::addColumn<QString>("reported");
    const auto float8 = [](const char* row, const Extents& weight, const Extents& scale,
                           const char* reported) {
        QTest::newRow(row) << DataType::F8_E4M3 << "w" << weight << "w_scale_inv" << DataType::F32
                           << scale << reported;
    };
    float8("too many blocks", {9, 5}, {4, 2}, "the scale \"w_scale_inv\" has the shape [4, 2]");
    float8("too few blocks", {9, 5}, {2, 2}, "has the shape [2, 2]");
    float8("turned", {9, 5}, {2, 3}, "\"w\" has [9, 5]");
    float8("rows of columns", {9, 5}, {1, 5}, "has the shape [1, 5]");
    float8("one for all experts", {2, 9, 5}, {1}, "has the shape [1]");
    float8("no scale at all", {9, 5}, {0}, "has the shape [0]");
    float8("a vector", {9}, {9}, "has 1 axes and a scale");
    float8("four axes", {1, 1, 9, 5}, {}, "has 4 axes and a scale");
    QTest::newRow("a scale in 8 bits") << DataType::F8_E4M3 << "w" << Extents{4, 4} << "w_scale"
                                       << DataType::F8_E5M2 << Extents{1} << "a scale in F8_E5M2";
    const auto blocks = [](const char* row, const Extents& codes, const char* scaleName,
                           DataType scaleType, const Extents& scale, const char* reported) {
        QTest::newRow(row) << DataType::U8 << "w_blocks" << codes << scaleName << scaleType << scale
                           << reported;
    };
    blocks("blocks without scales", {2, 3, 16}, "other", DataType::U8, {2, 3}, "no scales");
    blocks("scales of fewer blocks", {2, 3, 16}, "w_scales", DataType::U8, {2, 2}, "\"w_scales\"");
    blocks("scales in floats", {2, 3, 16}, "w_scales", DataType::F32, {2, 3}, "no scales");
    blocks("blocks of 15 bytes", {2, 3, 15}, "w_scales", DataType::U8, {2, 3}, "16 bytes");
    blocks("a matrix of bytes", {3, 16}, "w_scales", DataType::U8, {3}, "[3, 16]");
}

void TstQuantisedWeights::scalesThatDoNotFitAreRefused()
{
    QFETCH(const DataType, type);
    QFETCH(const QString, name);
    QFETCH(const Extents, weight);
    QFETCH(const QString, scaleName);
    QFETCH(const DataType, scaleType);
    QFETCH(const Extents, scale);
    QFETCH(const QString, reported);
    for (const bool scaleFirst : {false, true}) {
        Pair pair;
        if (scaleFirst)
            pair.add(scaleName.toStdString(), scaleType, scale);
        pair.add(name.toStdString(), type, weight);
        if (!scaleFirst)
            pair.add(scaleName.toStdString(), scaleType, scale);
        const std::string refusal = pair.refusal({4, 3});
        if (scaleFirst && scaleType == DataType::F8_E5M2)
            continue; // has been widened itself by then
        QVERIFY2(refusal.find(reported.toStdString()) != std::string::npos, refusal.c_str());
        QVERIFY2(refusal.find('\n') == std::string::npos, refusal.c_str());
    }
}

HEADSCOPE_TEST(TstQuantisedWeights)
#include "tst_quantised_weights.moc"
