#include "core/base/error.h"
#include "core/base/random.h"
#include "core/text/files/tokenizer_file.h"
#include "core/text/files/tokenizer_json.h"
#include "core/text/files/tokenizer_json_writer.h"
#include "core/train/data/repeat_task.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace headscope;

namespace {

RepeatTaskSettings settingsFor(RepeatTaskSettings::Variant variant)
{
    RepeatTaskSettings settings;
    settings.variant = variant;
    settings.rows = 16;
    settings.length = 64;
    return settings;
}

constexpr auto kSnippets = RepeatTaskSettings::Variant::Snippets;
constexpr auto kSegment = RepeatTaskSettings::Variant::Segment;

bool same(const Batch& a, const Batch& b)
{
    return a.inputs == b.inputs && a.targets == b.targets;
}

} // namespace

class TstRepeatTask : public QObject
{
    Q_OBJECT

private slots:

    void typedTextIsSymbols_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("tokens");
        QTest::newRow("with spaces") << QByteArray("a k 7 q a k 7") << 7;
        QTest::newRow("ablated") << QByteArray("ak7qak7") << 7;
        QTest::newRow("words") << QByteArray("cat sat cat sat") << 12;
    }

    void typedTextIsSymbols()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, tokens);
        const auto tokenizer = symbolTokenizer();
        const auto symbols = symbolIds(*tokenizer);
        const auto ids = tokenizer->encode(text.toStdString(), false).ids();
        QCOMPARE(static_cast<int>(ids.size()), tokens);
        for (const TokenId id : ids)
            QVERIFY(std::find(symbols.begin(), symbols.end(), id) != symbols.end());
        QCOMPARE(tokenizer->decode(ids), text.toStdString());
    }

    void symbolTokenizerTakesAnyBytesAndAFile()
    {
        const auto tokenizer = symbolTokenizer();
        const auto again = std::dynamic_pointer_cast<const BpeTokenizer>(
            parseTokenizerJson(toTokenizerJson(*tokenizer), "tokenizer.json"));
        QVERIFY(again->vocabulary() == tokenizer->vocabulary());
        QCOMPARE(again->encode("a").tokens.front().id, *tokenizer->endOfText());
        Random random(1);
        std::string bytes(5000, '\0');
        for (char& byte : bytes)
            byte = static_cast<char>(random.below(256));
        QCOMPARE(tokenizer->decode(tokenizer->encode(bytes).ids(), true), bytes);
    }

    void batchesDependOnSeedAndStepAlone_data()
    {
        QTest::addColumn<int>("variant");
        QTest::newRow("snippets") << 0;
        QTest::newRow("segment") << 1;
    }

    void batchesDependOnSeedAndStepAlone()
    {
        QFETCH(int, variant);
        const auto tokenizer = symbolTokenizer();
        const auto settings = settingsFor(static_cast<RepeatTaskSettings::Variant>(variant));
        const RepeatTask task(*tokenizer, settings);
        const RepeatTask other(*tokenizer, settings);
        other.trainingBatch(9, 9);
        QVERIFY(same(task.trainingBatch(3, 7), other.trainingBatch(3, 7)));
        QVERIFY(!same(task.trainingBatch(3, 7), task.trainingBatch(3, 8)));
        QVERIFY(!same(task.trainingBatch(3, 7), task.trainingBatch(4, 7)));
        QVERIFY(same(task.validationBatch(1), other.validationBatch(1)));
        QVERIFY(!same(task.validationBatch(1), task.validationBatch(2)));
        QVERIFY_EXCEPTION_THROWN(task.validationBatch(settings.validationBatches), Error);
        QVERIFY_EXCEPTION_THROWN(task.validationBatch(-1), Error);
    }

    void everyTargetCanBeForetoldFromEarlierInTheRow_data()
    {
        batchesDependOnSeedAndStepAlone_data();
    }

    /// The token before a target stood in the row before, and always with this target after it.
    void everyTargetCanBeForetoldFromEarlierInTheRow()
    {
        QFETCH(int, variant);
        const auto tokenizer = symbolTokenizer();
        const RepeatTask task(*tokenizer,
                              settingsFor(static_cast<RepeatTaskSettings::Variant>(variant)));
        const auto symbols = symbolIds(*tokenizer);
        const std::set<TokenId> known(symbols.begin(), symbols.end());
        int targets = 0;
        int positions = 0;
        for (std::int64_t step = 0; step < 20; ++step) {
            const Batch batch = task.trainingBatch(1, step);
            QCOMPARE(batch.inputs.size(), static_cast<std::size_t>(batch.rows * batch.length));
            QCOMPARE(batch.targets.size(), batch.inputs.size());
            for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
                const std::size_t begin = i - i % static_cast<std::size_t>(batch.length);
                if (i == begin)
                    QCOMPARE(batch.inputs[i], *tokenizer->endOfText());
                else
                    QVERIFY(known.contains(batch.inputs[i]));
                ++positions;
                if (batch.targets[i] == kIgnoredTarget)
                    continue;
                ++targets;
                if (i + 1 < begin + static_cast<std::size_t>(batch.length))
                    QCOMPARE(batch.targets[i], batch.inputs[i + 1]);
                std::set<TokenId> followers;
                for (std::size_t j = begin; j < i; ++j) {
                    if (batch.inputs[j] == batch.inputs[i])
                        followers.insert(batch.inputs[j + 1]);
                }
                QVERIFY(followers.contains(batch.targets[i]));
                QVERIFY(followers.size() <= 1 || variant == 1);
            }
        }
        QVERIFY(targets > positions / 5);
        QVERIFY(targets < positions);
    }

    void rowsDoNotRepeatAtOneDistanceAlone()
    {
        const RepeatTask task(*symbolTokenizer(), settingsFor(kSnippets));
        const Batch batch = task.trainingBatch(1, 0);
        std::set<std::size_t> distances;
        for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
            const std::size_t begin = i - i % static_cast<std::size_t>(batch.length);
            for (std::size_t j = begin; j < i && batch.targets[i] != kIgnoredTarget; ++j) {
                if (batch.inputs[j] == batch.inputs[i])
                    distances.insert(i - j);
            }
        }
        QVERIFY(distances.size() > 30);
    }

    void impossibleSettingsAreRefused()
    {
        const auto tokenizer = symbolTokenizer();
        RepeatTaskSettings settings = settingsFor(kSegment);
        settings.length = 4;
        QVERIFY_EXCEPTION_THROWN(RepeatTask(*tokenizer, settings), Error);
        settings = settingsFor(kSegment);
        settings.rows = 0;
        QVERIFY_EXCEPTION_THROWN(RepeatTask(*tokenizer, settings), Error);
        BpeVocabulary bytesAlone = tokenizer->vocabulary();
        bytesAlone.merges.clear();
        bytesAlone.tokens.resize(257);
        QVERIFY_EXCEPTION_THROWN(RepeatTask(BpeTokenizer(bytesAlone)), Error);
        settings = settingsFor(kSegment);
        settings.length = 8;
        QCOMPARE(RepeatTask(*tokenizer, settings).trainingBatch(1, 1).length, std::int64_t{8});
    }
};

HEADSCOPE_TEST(TstRepeatTask)
#include "tst_repeat_task.moc"
