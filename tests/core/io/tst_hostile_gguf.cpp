// program: its own, because it counts every allocation of the program
#include "core/base/error.h"
#include "core/io/gguf/gguf_file.h"
#include "tests/support/counted_allocations.h"
#include "tests/support/gguf_builder.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr std::uint64_t kHuge = std::uint64_t{1} << 63;
constexpr long kMemoryLimit = 1 << 20; ///< for files of some hundred bytes

GgufFile parse(const std::string& bytes)
{
    return GgufFile::fromMemory(std::as_bytes(std::span(bytes)), "m.gguf");
}

/// Every kind of value and three tensors, in as few bytes as possible.
std::string smallFile()
{
    GgufBuilder builder;
    builder.alignment = 8;
    builder.number("general.alignment", 8U).number("f", 1.5F).flag("b", true).text("s", "text");
    builder.texts("t", {"a", "", "bc"}).array<std::int16_t>("i", 3, {1, -2, 3});
    builder.entry("u8", 0, "\x07").entry("i64", 11, bytesOf(std::int64_t{-9}));
    builder.entry("f64", 12, bytesOf(0.25));
    builder.tensor("one", {2, 3}, 0, std::string(24, '\1'));
    builder.tensor("two", {1, 32}, 8, std::string(34, '\2'));
    builder.tensor("three", {2}, 1, std::string(4, '\3'));
    return builder.bytes();
}

/// Reads whatever the file promises, so that a sanitizer sees a lie.
std::size_t readEverything(const GgufFile& file)
{
    std::size_t sum = 0;
    for (const GgufTensor& tensor : file.tensors())
        for (const std::byte byte : tensor.bytes)
            sum += std::to_integer<std::size_t>(byte);
    for (const auto& [key, value] : file.metadata().values()) {
        const auto* const array = std::get_if<GgufArray>(&value.data);
        if (array == nullptr)
            continue;
        if (array->type == GgufValueType::String)
            sum += file.metadata().texts(key).size();
        else
            sum += file.metadata().numbers(key).size();
    }
    return sum;
}

} // namespace

class TstHostileGguf : public QObject
{
    Q_OBJECT

private slots:
    void hostileFilesAreRefusedWithPathAndByte_data();
    void hostileFilesAreRefusedWithPathAndByte();
    void theSmallFileIsRead();
    void aTensorMayFillItsFile();
    void everyDamagedByteIsReadOrRefused();
    void everyShorterFileIsRefused();
    void otherFormatsAreNamed();
};

void TstHostileGguf::hostileFilesAreRefusedWithPathAndByte_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("reported");
    const auto row = [](const char* name, const std::string& bytes, const char* reported) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(reported);
    };
    using Change = std::function<void(GgufBuilder&)>;
    const auto file = [&](const char* name, const char* reported, const Change& change) {
        GgufBuilder builder;
        change(builder);
        row(name, builder.bytes(), reported);
    };
    const std::string f32(64, '\1');

    row("empty file", "", "4 bytes were expected");
    row("magic alone", "GGUF", "the version: 4 bytes were expected");
    file("another magic", "begins with \"GGUX\"", [](GgufBuilder& b) { b.magic = "GGUX"; });
    file("version 0", "version 0, but 2 or 3", [](GgufBuilder& b) { b.version = 0; });
    file("version 1", "version 1, but 2 or 3", [](GgufBuilder& b) { b.version = 1; });
    file("version 4", "Use a newer version of Headscope", [](GgufBuilder& b) { b.version = 4; });
    file("version 2^31", "big-endian", [](GgufBuilder& b) { b.version = 0x80000000U; });
    file("big-endian", "big-endian", [](GgufBuilder& b) { b.version = 0x03000000U; });
    file("2^63 tensors", "9223372036854775808 tensors do not fit into a file of 24 bytes",
         [](GgufBuilder& b) { b.claimedTensors = kHuge; });
    file("tensors times their size wraps", "tensors do not fit into a file of",
         [](GgufBuilder& b) { b.claimedTensors = ~std::uint64_t{0} / 8 + 2; });
    file("2^63 entries", "metadata entries do not fit into a file of",
         [](GgufBuilder& b) { b.claimedEntries = kHuge; });
    file("one entry more than there is", "bytes were expected",
         [](GgufBuilder& b) { b.text("s", "some text that is long enough").claimedEntries = 2; });
    file("one tensor more than there is", "a tensor without a name", [&](GgufBuilder& b) {
        b.alignment = 0;
        b.info("a", {1}, 0, 0).data(std::string(20, '\0')).claimedTensors = 2;
    });
    // A file of 43 bytes whose only value is a string of 2^63 bytes.
    row("43 bytes with a string of 2^63",
        "GGUF" + bytesOf(3U) + bytesOf<std::uint64_t>(0) + bytesOf<std::uint64_t>(1) +
            ggufText("key") + bytesOf(8U) + bytesOf(kHuge).substr(0, 4),
        "8 bytes were expected, but the file has only 4 more");
    file("a key of 2^63 bytes", "at most 65535 were expected", [](GgufBuilder& b) {
        b.claimedEntries = 1;
        b.data(bytesOf(kHuge) + "key");
    });
    file("an empty key", "an empty metadata key", [](GgufBuilder& b) { b.number("", 1U); });
    file("the same key twice", "\"a\" occurs more than once",
         [](GgufBuilder& b) { b.number("a", 1U).number("a", 1U); });
    file("a value of type 13", "the type of \"a\" is 13, but 0 to 12",
         [](GgufBuilder& b) { b.entry("a", 13, "12345678"); });
    file("a string of 2^63 bytes", "9223372036854775808 bytes were expected",
         [](GgufBuilder& b) { b.entry("a", 8, bytesOf(kHuge) + "text"); });
    file("a BOOL of 2", "\"a\" is 2, but a BOOL is 0 or 1",
         [](GgufBuilder& b) { b.entry("a", 7, "\x02"); });
    file("an array of arrays", "an array of arrays", [](GgufBuilder& b) {
        b.entry("a", 9, bytesOf(9U) + bytesOf<std::uint64_t>(1) + bytesOf(4U));
    });
    file("an array of 2^63 numbers", "9223372036854775808 elements",
         [](GgufBuilder& b) { b.entry("a", 9, bytesOf(4U) + bytesOf(kHuge) + "1234"); });
    file("an array whose size wraps", "elements of 4 bytes", [](GgufBuilder& b) {
        b.entry("a", 9, bytesOf(4U) + bytesOf((std::uint64_t{1} << 62) + 1) + "1234");
    });
    file("an array of 2^61 strings", "elements of 8 bytes or more", [](GgufBuilder& b) {
        b.entry("a", 9, bytesOf(8U) + bytesOf(std::uint64_t{1} << 61) + ggufText("x"));
    });
    file("an array of elements of type 99", "the type of the elements in the value of \"a\" is 99",
         [](GgufBuilder& b) { b.entry("a", 9, bytesOf(99U) + bytesOf<std::uint64_t>(1) + "x"); });
    file("an array whose last string is cut", "bytes were expected", [](GgufBuilder& b) {
        b.entry("a", 9, bytesOf(8U) + bytesOf<std::uint64_t>(1) + bytesOf<std::uint64_t>(9) + "x");
    });
    const auto alignment = [&](const char* name, std::uint32_t value, const char* reported) {
        file(name, reported, [=](GgufBuilder& b) { b.number("general.alignment", value); });
    };
    alignment("alignment 0", 0, "general.alignment is 0, but a power of two");
    alignment("alignment 24", 24, "general.alignment is 24, but a power of two");
    alignment("alignment 2^31", 1U << 31, "up to 1048576");
    file("alignment of another type", "of type U64, but U32 was expected",
         [](GgufBuilder& b) { b.entry("general.alignment", 10, bytesOf<std::uint64_t>(32)); });
    file("alignment as a string", "of type STRING",
         [](GgufBuilder& b) { b.text("general.alignment", "32"); });

    const auto tensor = [&](const char* name, const std::vector<std::uint64_t>& dimensions,
                            std::uint32_t type, std::uint64_t offset, const char* reported) {
        file(name, reported,
             [&](GgufBuilder& b) { b.info("a", dimensions, type, offset).data(f32); });
    };
    tensor("no dimensions", {}, 0, 0, "0 dimensions, but 1 to 4");
    tensor("five dimensions", {1, 1, 1, 1, 1}, 0, 0, "5 dimensions");
    tensor("a dimension of 0", {0, 4}, 0, 0, "a dimension of 0");
    tensor("a dimension of 2^63", {kHuge}, 0, 0, "a dimension of 9223372036854775808");
    tensor("a dimension of 2^42 + 1", {(std::uint64_t{1} << 42) + 1, 4}, 0, 0, "into a file of");
    tensor("dimensions whose product wraps", {1U << 31, 1U << 31, 4}, 0, 0, "into a file of");
    tensor("dimensions whose bytes wrap", {std::uint64_t{1} << 62}, 0, 0, "into a file of");
    // In a file of an odd size, so that no product of it ends in zeros.
    file("dimensions whose rows wrap", "into a file of", [&](GgufBuilder& b) {
        b.info("a", {1, std::uint64_t{1} << 62}, 0, 0).data(std::string(65, '\1'));
    });
    tensor("rows of half a block", {16, 2}, 8, 0, "rows of 16 elements are not");
    tensor("a type nobody knows", {4}, 99, 0, "unknown type 99");
    tensor("a type that was removed", {32}, 4, 0, "unknown type 4");
    tensor("data past the end", {16}, 0, 32, "64 bytes of data at byte");
    tensor("data that begin past the end", {16}, 0, 96, "64 bytes of data at byte");
    tensor("an offset of 2^64 - 32", {16}, 0, ~std::uint64_t{0} - 31, "bytes of data at byte");
    tensor("an offset that is not aligned", {4}, 0, 4, "a multiple of 32 was expected");
    file("the same tensor twice", "\"a\": it occurs more than once",
         [&](GgufBuilder& b) { b.info("a", {4}, 0, 0).info("a", {4}, 0, 32).data(f32); });
    file("data that overlap", "overlaps that of \"a\"",
         [&](GgufBuilder& b) { b.info("b", {4}, 0, 32).info("a", {12}, 0, 0).data(f32); });
    file("data in the same place", "overlaps that of",
         [&](GgufBuilder& b) { b.info("b", {4}, 0, 0).info("a", {12}, 0, 0).data(f32); });
    file("a tensor without a name", "without a name",
         [&](GgufBuilder& b) { b.info("", {4}, 0, 0).data(f32); });
    file("a name of 65 bytes", "of 65 bytes, but at most 64",
         [&](GgufBuilder& b) { b.info(std::string(65, 'n'), {4}, 0, 0).data(f32); });
    file("no data at all", "bytes of data at byte", [&](GgufBuilder& b) {
        b.alignment = 0;
        b.info("a", {4}, 0, 0);
    });
}

void TstHostileGguf::hostileFilesAreRefusedWithPathAndByte()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, reported);
    const std::string content = bytes.toStdString();
    const long before = allocatedBytes;
    try {
        parse(content);
        QFAIL("accepted");
    } catch (const FormatError& error) {
        QVERIFY(allocatedBytes - before < kMemoryLimit);
        const QString sentence = QString::fromStdString(error.what());
        QVERIFY2(sentence.contains(reported), qPrintable(sentence));
        QVERIFY2(sentence.contains("m.gguf, byte "), qPrintable(sentence));
        QVERIFY2(!error.advice().empty(), qPrintable(sentence));
    }
}

void TstHostileGguf::theSmallFileIsRead()
{
    const std::string valid = smallFile();
    const GgufFile file = parse(valid);
    QCOMPARE(file.tensors().size(), std::size_t{3});
    QCOMPARE(readEverything(file), std::size_t{24 * 1 + 34 * 2 + 4 * 3 + 3 + 3});
}

/// A thousand rows of 4 bytes are most of a file of some 4 kB.
void TstHostileGguf::aTensorMayFillItsFile()
{
    GgufBuilder builder;
    builder.tensor("a", {1000, 1}, 0, std::string(4000, '\1'));
    QVERIFY(builder.bytes().size() < 5000);
    QCOMPARE(readEverything(parse(builder.bytes())), std::size_t{4000});
}

void TstHostileGguf::everyDamagedByteIsReadOrRefused()
{
    const std::string valid = smallFile();
    int refused = 0;
    int accepted = 0;
    for (std::size_t place = 0; place < valid.size(); ++place) {
        for (int value = 0; value < 256; ++value) {
            std::string damaged = valid;
            damaged[place] = static_cast<char>(value);
            const long before = allocatedBytes;
            try {
                readEverything(parse(damaged));
                ++accepted;
            } catch (const FormatError&) {
                ++refused;
            }
            QVERIFY2(allocatedBytes - before < kMemoryLimit, qPrintable(QString::number(place)));
        }
    }
    QVERIFY(refused > 20000);
    QVERIFY(accepted > 20000);
}

void TstHostileGguf::everyShorterFileIsRefused()
{
    const std::string valid = smallFile();
    for (std::size_t length = 0; length < valid.size(); ++length)
        QVERIFY_THROWS_EXCEPTION(FormatError, parse(valid.substr(0, length)));
}

void TstHostileGguf::otherFormatsAreNamed()
{
    try {
        parse("PK\x03\x04 a zip file, and much more");
        QFAIL("accepted");
    } catch (const FormatError& error) {
        QVERIFY(std::string(error.what()).find("begins with \"PK") != std::string::npos);
    }
}

HEADSCOPE_TEST(TstHostileGguf)
#include "tst_hostile_gguf.moc"
