#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/random.h"
#include "core/io/checkpoint.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/io/trace_file.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_model.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <functional>

using namespace headscope;

namespace {

/// What a reader makes of `bytes`: it may accept or refuse them; anything but an Error is a bug.
using Reader = std::function<void(const std::string& bytes)>;

struct Outcome
{
    int accepted = 0;
    int refused = 0;
};

void tryOne(const Reader& read, const std::string& bytes, Outcome& outcome)
{
    try {
        read(bytes);
        ++outcome.accepted;
    } catch (const Error&) {
        ++outcome.refused;
    }
}

/// Values that parsers stumble over, in place of each byte.
Outcome replaceEveryByte(const Reader& read, const std::string& valid)
{
    Outcome outcome;
    for (std::size_t i = 0; i < valid.size(); ++i) {
        for (const int value : {0x00, 0xFF, 0x7F, 0x80, int{'"'}, int{'9'}, int{'-'}, int{'}'}}) {
            std::string damaged = valid;
            damaged[i] = static_cast<char>(value);
            tryOne(read, damaged, outcome);
        }
        std::string flipped = valid;
        flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
        tryOne(read, flipped, outcome);
    }
    return outcome;
}

Outcome cutEverywhere(const Reader& read, const std::string& valid)
{
    Outcome outcome;
    for (std::size_t length = 0; length < valid.size(); ++length)
        tryOne(read, valid.substr(0, length), outcome);
    return outcome;
}

Outcome mixUp(const Reader& read, const std::string& valid, int rounds)
{
    Outcome outcome;
    Random random(20240607);
    for (int round = 0; round < rounds; ++round) {
        std::string damaged = valid;
        for (std::uint64_t edits = 1 + random.below(4); edits > 0; --edits) {
            const std::size_t from = random.below(damaged.size());
            const std::size_t length = 1 + random.below(16);
            const std::size_t to = random.below(damaged.size());
            const std::string piece = damaged.substr(from, length);
            if (random.below(2) == 0)
                damaged.insert(to, piece);
            else
                damaged.erase(to, std::min<std::size_t>(length, damaged.size() - 1));
        }
        tryOne(read, damaged, outcome);
    }
    return outcome;
}

/// Touches every value that the file promises, so that a sanitizer sees a lie.
void readEverything(const std::string& bytes)
{
    const auto file = SafetensorsFile::fromMemory(std::as_bytes(std::span(bytes)), "damaged");
    for (const auto& [name, tensor] : file.tensors()) {
        const std::vector<float> values = tensor.toFloats();
        if (static_cast<std::int64_t>(values.size()) != tensor.elementCount())
            throw std::logic_error("a tensor with another number of values than its shape says");
    }
}

} // namespace

class TstDamagedFiles : public QObject
{
    Q_OBJECT

private slots:

    void initTestCase()
    {
        const LoadedModel tiny = test::tinyModel();
        saveCheckpoint(path("model"), *tiny.model);
        const TokenSequence tokens = tiny.tokenizer->encode("ab");
        auto pattern = std::make_shared<Tensor>(Shape{1, 2, 2});
        Trace::Activations activations{{TraceKey{Site::Pattern, 0}, pattern}};
        saveTrace(path("trace"), Trace(tokens, activations, {}), *tiny.tokenizer);
        const TokenSequence source = tiny.tokenizer->encode("cab");
        activations = {
            {TraceKey{Site::Pattern, 0, Stack::Decoder}, pattern},
            {TraceKey{Site::CrossPattern, 0, Stack::Decoder},
             std::make_shared<Tensor>(Shape{1, 2, static_cast<std::int64_t>(source.size())})}};
        saveTrace(path("two-stacks"), Trace(tokens, activations, {}, source), *tiny.tokenizer);
        m_tokenizer = test::tinyTokenizerJson();
    }

    void damagedFilesAreReadOrRefused_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("safetensors") << "safetensors";
        QTest::newRow("trace") << "trace";
        QTest::newRow("encoder-decoder's trace") << "two-stacks";
        QTest::newRow("checkpoint") << "model";
    }

    void damagedFilesAreReadOrRefused()
    {
        QFETCH(QString, file);
        const std::string valid = validFile(file);
        const Reader read = reader(file);
        read(valid);
        const std::string header = valid.substr(0, std::min<std::size_t>(valid.size(), 2500));
        const Reader readHeader = [&](const std::string& bytes) {
            read(bytes + valid.substr(header.size()));
        };
        const Outcome bytes = replaceEveryByte(readHeader, header);
        QVERIFY(bytes.refused > 1000);
        const Outcome mixed = mixUp(readHeader, header, 3000);
        QVERIFY(mixed.refused > 1000);
        QCOMPARE(cutEverywhere(read, valid.substr(0, 6000)).accepted, 0);
    }

private:
    std::string validFile(const QString& file) const
    {
        if (file == "safetensors")
            return readFile(test::goldenDir() / "ops/embedding.safetensors", 1 << 20);
        return readFile(path(file.toUtf8()), 1 << 20);
    }

    Reader reader(const QString& file) const
    {
        if (file == "safetensors")
            return readEverything;
        if (file == "trace" || file == "two-stacks")
            return [this](const std::string& bytes) {
                std::ofstream(path("damaged"), std::ios::binary) << bytes;
                openTraceFile(path("damaged"));
            };
        return [this](const std::string& bytes) {
            loadCheckpoint(std::as_bytes(std::span(bytes)), m_tokenizer, "damaged");
        };
    }

    std::filesystem::path path(const char* name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

    QTemporaryDir m_folder;
    std::string m_tokenizer;
};

HEADSCOPE_TEST(TstDamagedFiles)
#include "tst_damaged_files.moc"
