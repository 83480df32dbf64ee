// program: its own, because it counts every allocation of the program
// links: core/lessons fuzz/targets

#include "tests/fuzz/replay.h"
#include "tests/support/counted_allocations.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace headscope;

namespace {

/// Of all allocations for one seed together, the tokens and traces that are made of it included.
constexpr long kMemoryLimit = 256 << 20;

const fuzz::Target& targetOf(const QString& name)
{
    const auto targets = fuzz::targets();
    return *std::find_if(targets.begin(), targets.end(),
                         [&](const fuzz::Target& target) { return name == target.name; });
}

} // namespace

/// What fuzzing found and what others stumbled over, read again by every build: the targets of
/// tests/fuzz without libFuzzer.
class TstFuzzCorpus : public QObject
{
    Q_OBJECT

private slots:

    void everyTargetHasSeedsOfBothKinds()
    {
        for (const fuzz::Target& target : fuzz::targets()) {
            const auto seeds = fuzz::seedsOf(target.name);
            const auto have = [&](const char* prefix) {
                return std::any_of(seeds.begin(), seeds.end(), [&](const auto& seed) {
                    return seed.filename().string().starts_with(prefix);
                });
            };
            QVERIFY2(have("ok_"), target.name);
            QVERIFY2(have("bad_") || target.read == fuzz::encodeText, target.name);
        }
    }

    void seedsAreReadOrRefusedAsPromised_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("seed");
        for (const fuzz::Target& target : fuzz::targets())
            for (const auto& seed : fuzz::seedsOf(target.name))
                QTest::addRow("%s/%s", target.name, seed.filename().c_str())
                    << target.name << QString::fromStdString(seed.string());
    }

    void seedsAreReadOrRefusedAsPromised()
    {
        QFETCH(QString, target);
        QFETCH(QString, seed);
        const long before = test::allocatedBytes;
        const std::string fault = fuzz::replay(targetOf(target), seed.toStdString());
        const long taken = test::allocatedBytes - before;
        QVERIFY2(fault.empty(), fault.c_str());
        QVERIFY2(taken < kMemoryLimit, qPrintable(QString("%1 bytes").arg(taken)));
    }

    void endlessNestsAreRefused_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QByteArray>("start");
        for (const char* target : {"tokenizer_json", "model_config", "training_config", "lesson",
                                   "vocabulary", "hugging_face"}) {
            QTest::addRow("%s, lists", target) << target << QByteArray("[");
            QTest::addRow("%s, objects", target) << target << QByteArray("{\"a\":");
        }
        QTest::addRow("safetensors, objects") << "safetensors" << QByteArray("{\"a\":");
    }

    void endlessNestsAreRefused()
    {
        QFETCH(QString, target);
        QFETCH(QByteArray, start);
        std::string file = start.repeated(100'000).toStdString();
        if (target == "safetensors") {
            const auto length = static_cast<std::uint64_t>(file.size());
            file.insert(0, reinterpret_cast<const char*>(&length), sizeof(length));
        }
        const std::string fault = fuzz::replay(targetOf(target), file, "bad_nest");
        if (target != "vocabulary") // which takes it for a token
            QVERIFY2(fault.empty(), fault.c_str());
    }
};

HEADSCOPE_TEST(TstFuzzCorpus)
#include "tst_fuzz_corpus.moc"
