// labels: golden
#include "core/base/error.h"
#include "core/io/gguf/gguf_file.h"
#include "tests/support/gguf_builder.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

GgufFile parse(const std::string& bytes)
{
    return GgufFile::fromMemory(std::as_bytes(std::span(bytes)), "m.gguf");
}

template<class Action>
std::string refusalOf(Action action)
{
    try {
        action();
    } catch (const FormatError& error) {
        return error.what();
    }
    return {};
}

/// The metadata that other software read out of the same file.
void compareValue(const GgufFile& file, const std::string& key, const nlohmann::json& expected)
{
    if (expected.is_boolean())
        QCOMPARE(file.metadata().flag(key), expected.get<bool>());
    else if (expected.is_number_float())
        QCOMPARE(file.metadata().number(key), expected.get<double>());
    else if (expected.is_number())
        QCOMPARE(file.metadata().integer(key), expected.get<std::int64_t>());
    else if (expected.is_string())
        QCOMPARE(file.metadata().text(key), expected.get<std::string>());
    else if (expected[0].is_string())
        QCOMPARE(file.metadata().texts(key), expected.get<std::vector<std::string>>());
    else if (expected[0].is_number_float())
        QCOMPARE(file.metadata().numbers(key), expected.get<std::vector<float>>());
    else
        QCOMPARE(file.metadata().integers(key), expected.get<std::vector<std::int64_t>>());
}

} // namespace

class TstGguf : public QObject
{
    Q_OBJECT

private slots:

    void goldenMetadataAreRead()
    {
        const GoldenFile golden("gguf/tiny_expected.safetensors");
        const GgufFile file = GgufFile::open(goldenDir() / "gguf" / "tiny.gguf");
        QCOMPARE(file.version(), 3U);
        for (const auto& [key, value] : golden.params().at("metadata").items())
            if (!key.starts_with("GGUF."))
                compareValue(file, key, value);
    }

    void goldenTensorsAreWhereTheyAre()
    {
        const GoldenFile golden("gguf/tiny_expected.safetensors");
        const std::filesystem::path path = goldenDir() / "gguf" / "tiny.gguf";
        const GgufFile file = GgufFile::open(path);
        QVERIFY(file.map());
        const nlohmann::json& types = golden.params().at("types");
        QCOMPARE(file.tensors().size(), types.size());
        for (const auto& [name, expected] : types.items()) {
            const GgufTensor* const tensor = file.find(name);
            QVERIFY2(tensor != nullptr, name.c_str());
            QCOMPARE(std::string(tensor->type->name), expected[0].get<std::string>());
            std::vector<std::int64_t> dimensions(tensor->shape.rbegin(), tensor->shape.rend());
            QCOMPARE(dimensions, expected[1].get<std::vector<std::int64_t>>());
            QCOMPARE(tensor->bytes.data() - file.map()->bytes().data(),
                     expected[2].get<std::ptrdiff_t>());
            QCOMPARE(tensor->elementCount() / tensor->type->blockElements *
                         tensor->type->blockBytes,
                     static_cast<std::int64_t>(tensor->bytes.size()));
        }
        QVERIFY(file.find("output") == nullptr);
    }

    void version2AndOtherAlignmentsAreRead()
    {
        GgufBuilder builder;
        builder.version = 2;
        builder.alignment = 8;
        builder.number("general.alignment", 8U);
        builder.tensor("a", {1}, 0, bytesOf(1.5F)).tensor("b", {2}, 0, bytesOf(2.0) /* 8 bytes */);
        const std::string bytes = builder.bytes();
        const GgufFile file = parse(bytes);
        QCOMPARE(file.find("b")->bytes.data() - file.find("a")->bytes.data(), std::ptrdiff_t{8});
        QVERIFY(!file.map());
        GgufBuilder empty;
        QVERIFY(parse(empty.bytes()).tensors().empty());
    }

    void valuesOfAnotherKindAreRefusedByKeyAndPlace()
    {
        GgufBuilder builder;
        builder.text("t", "x").number("n", 7U).number("f", 0.5F);
        builder.entry("large", 10, bytesOf(std::uint64_t{1} << 63));
        builder.entry("negative", 11, bytesOf(std::int64_t{-3}));
        builder.array<std::uint64_t>("wide", 10, {1, std::uint64_t{1} << 63});
        builder.array<std::int32_t>("ints", 5, {1, -2});
        const std::string bytes = builder.bytes();
        const GgufFile file = parse(bytes);
        const auto says = [](const std::string& reported, const char* part) {
            return reported.find(part) != std::string::npos &&
                   reported.find("m.gguf, byte ") != std::string::npos;
        };
        QVERIFY(says(refusalOf([&] { file.metadata().integer("t"); }), "t is \"x\""));
        QVERIFY(says(refusalOf([&] { file.metadata().integer("f"); }), "f is 0.5"));
        QVERIFY(says(refusalOf([&] { file.metadata().integer("large"); }),
                     "large is 9223372036854775808"));
        QVERIFY(says(refusalOf([&] { file.metadata().text("n"); }), "n is 7"));
        QVERIFY(says(refusalOf([&] { file.metadata().flag("n"); }), "A BOOL"));
        QVERIFY(says(refusalOf([&] { file.metadata().number("t"); }), "A number"));
        QVERIFY(
            says(refusalOf([&] { file.metadata().texts("ints"); }), "ints is an array of 2 I32"));
        QVERIFY(says(refusalOf([&] { file.metadata().texts("n"); }), "n is 7"));
        QVERIFY(says(refusalOf([&] { file.metadata().integers("wide"); }), "below 2^63"));
        QCOMPARE(file.metadata().integer("negative"), std::int64_t{-3});
        QCOMPARE(file.metadata().number("n"), 7.0);
        QCOMPARE(file.metadata().numbers("ints"), (std::vector<float>{1.0F, -2.0F}));
        QVERIFY(refusalOf([&] { file.metadata().integer("missing"); }).find("lacks \"missing\"") !=
                std::string::npos);
        QCOMPARE(file.metadata().integer("missing", 5), std::int64_t{5});
        QVERIFY(file.metadata().texts("missing").empty());
    }
};

HEADSCOPE_TEST(TstGguf)
#include "tst_gguf.moc"
