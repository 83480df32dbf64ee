#include "core/base/error.h"
#include "core/base/file_fault.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/io/safetensors/stored_tensor.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

using namespace headscope;

namespace {

std::string fileOf(const std::string& header, std::size_t dataBytes,
                   std::optional<std::uint64_t> claimedLength = std::nullopt)
{
    const std::uint64_t length = claimedLength.value_or(header.size());
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    return bytes + header + std::string(dataBytes, '\1');
}

SafetensorsFile parse(const std::string& bytes)
{
    return SafetensorsFile::fromMemory(std::as_bytes(std::span(bytes)), "m.safetensors");
}

std::string tensorEntry(const std::string& name, const std::string& type, const std::string& shape,
                        const std::string& offsets)
{
    return "\"" + name + "\":{\"dtype\":" + type + ",\"shape\":" + shape +
           ",\"data_offsets\":" + offsets + "}";
}

std::string oneTensor(const std::string& type, const std::string& shape, const std::string& offsets)
{
    return "{" + tensorEntry("a", type, shape, offsets) + "}";
}

} // namespace

class TstSafetensors : public QObject
{
    Q_OBJECT

private slots:

    void aFileThatIsCutWhileOpenIsNoticed()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("large.safetensors").toStdString();
        Tensor large({1024, 1024});
        std::ranges::fill(large.values(), 2.0F);
        SafetensorsWriter writer;
        writer.add("large", large.view());
        writer.write(path);
        const SafetensorsFile file = SafetensorsFile::open(path);
        QCOMPARE(file.tensor("large").toFloats().back(), 2.0F);
        file.requireUnchanged();
        std::filesystem::resize_file(path, std::size_t{1} << 20);
        QVERIFY_THROWS_EXCEPTION(FormatError, file.requireUnchanged());
        parse(fileOf(oneTensor("\"U8\"", "[1]", "[0,1]"), 1)).requireUnchanged(); // memory stays
    }

    void manyTensorsTakeSeconds()
    {
        std::string header = "{";
        for (int i = 0; i < 200'000; ++i)
            header += tensorEntry(std::to_string(i), "\"F32\"", "[0]", "[0,0]") + ",";
        header.back() = '}';
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(parse(fileOf(header, 0)).tensors().size(), std::size_t{200'000});
        header.replace(header.rfind("[0]"), 3, "[1]"); // the last one is refused
        QVERIFY_THROWS_EXCEPTION(FormatError, parse(fileOf(header, 0)));
        QVERIFY2(timer.elapsed() < 60'000, qPrintable(QString::number(timer.elapsed())));
    }

    void anyValidFileIsRead()
    {
        const std::string bytes =
            fileOf("{\"__metadata__\":{\"k\":\"v\"}," + tensorEntry("b", "\"U8\"", "[3]", "[4,7]") +
                       "," + tensorEntry("a", "\"F32\"", "[1,1]", "[0,4]") + "," +
                       tensorEntry("none", "\"F32\"", "[0,5]", "[7,7]") + "}   ",
                   7);
        const SafetensorsFile file = parse(bytes);
        QCOMPARE(file.metadata().at("k"), std::string("v"));
        QCOMPARE(file.tensors().size(), std::size_t{3});
        QCOMPARE(file.tensor("b").toIntegers(), (std::vector<std::int64_t>{1, 1, 1}));
        QCOMPARE(file.tensor("none").elementCount(), std::int64_t{0});
        QVERIFY(file.contains("a") && !file.contains("c"));
        QVERIFY_THROWS_EXCEPTION(FormatError, file.tensor("c"));
    }

    void aFileWithoutTensorsIsRead() { QVERIFY(parse(fileOf("{}", 0)).tensors().empty()); }

    void hostileFilesAreRefusedWithPathAndByte_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("reported");
        const auto row = [](const char* name, const std::string& bytes, const char* reported) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(reported);
        };
        const auto header = [&](const char* name, const std::string& text, std::size_t data,
                                const char* reported) { row(name, fileOf(text, data), reported); };
        const auto tensor = [&](const char* name, const char* type, const char* shape,
                                const char* offsets, std::size_t data, const char* reported) {
            header(name, oneTensor(type, shape, offsets), data, reported);
        };
        const std::string f32 = "\"F32\"";

        row("empty file", "", "the file has 0");
        row("seven bytes", std::string(7, '\0'), "the file has 7");
        row("header length 0", fileOf("{}", 0, 0), "empty header");
        row("header length 2^64-1", fileOf("{}", 0, ~std::uint64_t{0}), "at most 100000000");
        row("header length over 100 MB", fileOf("{}", 0, 100'000'001), "at most 100000000");
        row("header longer than the file", fileOf("{}", 0, 3),
            "a header of 3 bytes does not fit into a file of 10");
        header("not an object", "[]", 0, "begins with '{'");
        header("space before the object", " {}", 0, "begins with '{'");
        header("byte order mark", "\xef\xbb\xbf{}", 0, "begins with '{'");
        header("cut JSON", "{\"a\":", 0, "invalid JSON");
        header("not UTF-8", "{\"\xff\":1}", 0, "UTF-8");
        header("something after", "{}x", 0, "invalid JSON");
        header("deep JSON", "{\"a\":" + std::string(100'000, '['), 0, "nested deeper");
        header("duplicate tensor",
               "{" + tensorEntry("a", f32, "[1]", "[0,4]") + "," +
                   tensorEntry("a", f32, "[1]", "[0,4]") + "}",
               4, "\"a\" more");
        header("duplicate key in a tensor",
               "{\"a\":{\"dtype\":\"F32\",\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,4]}}",
               4, "\"dtype\" more");
        header("tensor that is a number", "{\"a\":1}", 0, "were expected");
        header("tensor without shape", "{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4,
               "were expected");
        header("metadata that is a list", "{\"__metadata__\":[]}", 0, "must be an object");
        header("metadata value that is a number", "{\"__metadata__\":{\"a\":1}}", 0,
               "must be a string");
        tensor("unknown type", "\"F77\"", "[1]", "[0,4]", 4, "\"F77\" is not supported");
        tensor("type that is a number", "3", "[1]", "[0,4]", 4, "not supported");
        tensor("shape that is a number", "\"F32\"", "4", "[0,16]", 16, "array");
        tensor("negative extent", "\"F32\"", "[-1]", "[0,4]", 4, "not an extent");
        tensor("fractional extent", "\"F32\"", "[1.5]", "[0,6]", 6, "not an extent");
        tensor("extent of 2^64", "\"F32\"", "[18446744073709551616]", "[0,4]", 4, "not an extent");
        tensor("extent of 2^63", "\"U8\"", "[9223372036854775808]", "[0,4]", 4, "not an extent");
        tensor("too many axes", "\"U8\"",
               "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,1]", 1,
               "at most 32");
        tensor("product that wraps", "\"F32\"", "[4194305,4194305,211106198978564]", "[0,16]", 16,
               "exceeds any memory");
        tensor("product that wraps to 0", "\"U8\"", "[4294967296,4294967296]", "[0,0]", 0,
               "exceeds any memory");
        tensor("product that wraps beside a zero", "\"U8\"", "[0,4294967296,4294967296]", "[0,0]",
               0, "exceeds any memory");
        tensor("negative offset", "\"F32\"", "[1]", "[-4,0]", 4, "non-negative");
        tensor("fractional offset", "\"F32\"", "[1]", "[0,4.0]", 4, "non-negative");
        tensor("three offsets", "\"F32\"", "[1]", "[0,4,8]", 8, "numbers");
        tensor("end before begin", "\"F32\"", "[1]", "[4,0]", 4, "before it begins");
        tensor("end past the file", "\"F32\"", "[1]", "[0,4]", 3, "data up to byte 4");
        tensor("end of 2^64-1", "\"F32\"", "[1]", "[0,18446744073709551615]", 4, "exceeds 4");
        tensor("fewer bytes than the shape needs", "\"F32\"", "[2]", "[0,4]", 4, "needs 8");
        tensor("more bytes than the shape needs", "\"F32\"", "[1]", "[0,8]", 8, "needs 4");
        tensor("bytes for no value", "\"F32\"", "[0]", "[0,4]", 4, "needs 0");
        tensor("hole at the beginning", "\"F32\"", "[1]", "[4,8]", 8, "a gap");
        tensor("hole at the end", "\"F32\"", "[1]", "[0,4]", 6, "belong to no tensor");
        header("hole in the middle",
               "{" + tensorEntry("a", f32, "[1]", "[0,4]") + "," +
                   tensorEntry("b", f32, "[1]", "[8,12]") + "}",
               12, "a gap");
        header("overlap",
               "{" + tensorEntry("a", f32, "[2]", "[0,8]") + "," +
                   tensorEntry("b", f32, "[2]", "[4,12]") + "}",
               12, "overlap");
        header("the same bytes twice",
               "{" + tensorEntry("a", f32, "[1]", "[0,4]") + "," +
                   tensorEntry("b", f32, "[1]", "[0,4]") + "}",
               4, "overlap");
        header("a tensor without bytes inside another",
               "{" + tensorEntry("a", f32, "[2]", "[0,8]") + "," +
                   tensorEntry("b", f32, "[0]", "[4,4]") + "}",
               8, "overlap");
    }

    void hostileFilesAreRefusedWithPathAndByte()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, reported);
        try {
            parse(bytes.toStdString());
            QFAIL("accepted");
        } catch (const FormatError& error) {
            const QString sentence = QString::fromStdString(error.what());
            QVERIFY2(sentence.contains(reported), qPrintable(sentence));
            QVERIFY2(sentence.contains("m.safetensors, byte "), qPrintable(sentence));
        }
    }

    void everyTypeIsConverted()
    {
        const auto tensor = [](DataType type, const auto& values) {
            return StoredTensor{type,
                                {static_cast<std::int64_t>(std::size(values))},
                                std::as_bytes(std::span(values))};
        };
        const std::uint16_t half[] = {0x3C00, 0xC000, 0x0001, 0x7C00, 0x8000, 0x3555, 0x03FF};
        QCOMPARE(tensor(DataType::F16, half).toFloats(),
                 (std::vector<float>{1.0F, -2.0F, 0x1p-24F, INFINITY, -0.0F, 0x1.554p-2F,
                                     1023 * 0x1p-24F}));
        const std::uint16_t notANumber[] = {0x7E00};
        QVERIFY(std::isnan(tensor(DataType::F16, notANumber).toFloats()[0]));
        const std::uint16_t brain[] = {0x3F80, 0xC000, 0xFF80};
        QCOMPARE(tensor(DataType::BF16, brain).toDoubles(),
                 (std::vector<double>{1.0, -2.0, -std::numeric_limits<double>::infinity()}));
        const double wide[] = {0.1};
        QCOMPARE(tensor(DataType::F64, wide).toDoubles()[0], 0.1);
        const std::int64_t large[] = {std::int64_t{1} << 62, -5};
        QCOMPARE(tensor(DataType::I64, large).toIntegers()[0], std::int64_t{1} << 62);
        const std::int8_t small[] = {-128};
        QCOMPARE(tensor(DataType::I8, small).toIntegers()[0], std::int64_t{-128});
        const std::int16_t medium[] = {-300};
        QCOMPARE(tensor(DataType::I16, medium).toFloats()[0], -300.0F);
        const std::int32_t normal[] = {70000};
        QCOMPARE(tensor(DataType::I32, normal).toIntegers()[0], std::int64_t{70000});
        const std::uint8_t flag[] = {0, 1};
        QCOMPARE(tensor(DataType::Bool, flag).toIntegers(), (std::vector<std::int64_t>{0, 1}));
        QVERIFY_THROWS_EXCEPTION(Error, tensor(DataType::F64, wide).toIntegers());
    }

    void unalignedDataAreRead()
    {
        const std::string bytes = fileOf("{" + tensorEntry("a", "\"U8\"", "[1]", "[0,1]") + "," +
                                             tensorEntry("b", "\"F64\"", "[1]", "[1,9]") + "}",
                                         9);
        double expected = 0.0;
        std::memcpy(&expected, "\1\1\1\1\1\1\1\1", 8);
        for (std::size_t shift = 0; shift < 8; ++shift) {
            const std::string moved = std::string(shift, ' ') + bytes;
            const auto file = SafetensorsFile::fromMemory(
                std::as_bytes(std::span(moved)).subspan(shift), "shifted");
            QCOMPARE(file.tensor("b").toDoubles()[0], expected);
        }
    }

    void moreAxesThanATensorHasAreAShapeError()
    {
        const std::string bytes = fileOf(oneTensor("\"U8\"", "[1,1,1,1,1,1]", "[0,1]"), 1);
        QCOMPARE(parse(bytes).tensor("a").toFloats().size(), std::size_t{1});
        QVERIFY_THROWS_EXCEPTION(ShapeError, parse(bytes).tensor("a").toTensor());
    }

    void whatWasWrittenIsRead()
    {
        Tensor values({2, 3, 4});
        for (std::size_t i = 0; i < values.size(); ++i)
            values.data()[i] = static_cast<float>(i);
        TensorView transposed = values.view(); // [4, 3, 2], nothing contiguous
        transposed.shape = {4, 3, 2};
        transposed.strides = {1, 4, 12};
        const std::vector<std::int64_t> ids{1, -2, std::int64_t{1} << 60};
        SafetensorsWriter writer;
        writer.setMetadata("quote", "a \"b\" \n \xc3\xa9");
        writer.setMetadata("broken", "x\xffy");
        writer.add("values", values.view());
        writer.add("turned", transposed);
        writer.add("ids", ids, {3, 1});
        writer.add("none", TensorView(nullptr, {0, 7}));
        writer.write(path());

        const SafetensorsFile file = SafetensorsFile::open(path());
        QCOMPARE(file.metadata().at("quote"), std::string("a \"b\" \n \xc3\xa9"));
        QCOMPARE(file.metadata().at("broken"), std::string("x\xef\xbf\xbdy"));
        QCOMPARE(file.tensor("ids").toIntegers(), ids);
        QCOMPARE(file.tensor("ids").shape, (std::vector<std::int64_t>{3, 1}));
        QCOMPARE(file.tensor("none").shape, (std::vector<std::int64_t>{0, 7}));
        const Tensor read = file.tensor("values").toTensor();
        QVERIFY(read.shape() == values.shape());
        QVERIFY(std::equal(read.values().begin(), read.values().end(), values.values().begin()));
        const Tensor turned = file.tensor("turned").toTensor();
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 3; ++j)
                for (int k = 0; k < 2; ++k)
                    QCOMPARE(turned.view()(i, j, k), values.view()(k, j, i));
    }

    void everyValueIsAlignedInTheFile()
    {
        Tensor odd({3});
        SafetensorsWriter writer;
        writer.add("floats", odd.view());
        writer.add("ids", std::vector<std::int64_t>{1}, {1});
        writer.write(path());
        const SafetensorsFile file = SafetensorsFile::open(path());
        const auto offset = [&](const char* name) {
            return reinterpret_cast<std::uintptr_t>(file.tensor(name).bytes.data());
        };
        QCOMPARE(offset("ids") % 8, std::uintptr_t{0});
        QCOMPARE(offset("floats") % 4, std::uintptr_t{0});
    }

    void namesAndShapesAreCheckedBeforeWriting()
    {
        SafetensorsWriter writer;
        const Tensor one({1});
        writer.add("a", one.view());
        QVERIFY_THROWS_EXCEPTION(Error, writer.add("a", one.view()));
        QVERIFY_THROWS_EXCEPTION(Error, writer.add("__metadata__", one.view()));
        QVERIFY_THROWS_EXCEPTION(ShapeError, writer.add("b", TensorView(nullptr, {2})));
        QVERIFY_THROWS_EXCEPTION(ShapeError, writer.add("c", std::vector<std::int64_t>{1, 2}, {3}));
    }

    void aWriteThatFailsLeavesTheOldFile()
    {
        const Tensor large({100'000});
        const Tensor one({1});
        SafetensorsWriter first;
        first.add("old", one.view());
        first.write(path());
        SafetensorsWriter second;
        second.add("new", large.view());
        int failing = 0;
        for (bool failed = true; failed; ++failing) {
            int calls = 0;
            const ScopedFileFault fault(
                [&](std::string_view) { return calls++ == failing ? EIO : 0; });
            try {
                second.write(path());
                failed = false;
            } catch (const Error&) {
                QVERIFY(SafetensorsFile::open(path()).contains("old"));
                QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
            }
        }
        QVERIFY(failing > 5);
        QVERIFY(SafetensorsFile::open(path()).contains("new"));
    }

private:
    std::filesystem::path path() const
    {
        return (m_folder.path() + "/file.safetensors").toStdString();
    }

    QTemporaryDir m_folder;
};

HEADSCOPE_TEST(TstSafetensors)
#include "tst_safetensors.moc"
