// links: core/io
#include "core/base/error.h"
#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/safetensors_writer.h"
#include "core/train/data/batch_file.h"
#include "core/train/data/prepared_data.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <numeric>

using namespace headscope;

namespace {

using Ids = std::vector<std::int64_t>;

struct Stored
{
    Ids inputs = Ids(2 * 3 * 4);
    Ids targets = Ids(2 * 3 * 4, 1);
    std::vector<std::int64_t> inputShape{2, 3, 4};
    std::vector<std::int64_t> targetShape{2, 3, 4};

    Stored() { std::iota(inputs.begin(), inputs.end(), 0); }

    std::filesystem::path write(const QTemporaryDir& folder) const
    {
        const std::filesystem::path path = folder.filePath("batches.safetensors").toStdString();
        SafetensorsWriter writer;
        if (!inputs.empty())
            writer.add("inputs", inputs, inputShape);
        if (!targets.empty())
            writer.add("targets", targets, targetShape);
        writer.write(path);
        return path;
    }
};

} // namespace

class TstBatchFile : public QObject
{
    Q_OBJECT

private slots:

    void batchesAreUsedInOrder()
    {
        const QTemporaryDir folder;
        Stored stored;
        stored.targets[13] = kIgnoredTarget;
        const BatchFile file(stored.write(folder), 24);
        QCOMPARE(file.steps(), std::int64_t{2});
        QCOMPARE(file.trainingBatch(0, 0).rows, std::int64_t{3});
        QCOMPARE(file.length(), std::int64_t{4});
        for (const std::uint64_t seed : {0, 7}) {
            const Batch second = file.trainingBatch(seed, 1);
            QCOMPARE(second.inputs.front(), TokenId{12});
            QCOMPARE(second.inputs.back(), TokenId{23});
            QCOMPARE(second.targets[1], kIgnoredTarget);
            QCOMPARE(second.targets[0], TokenId{1});
        }
        QVERIFY_EXCEPTION_THROWN(file.trainingBatch(0, 2), Error);
        QVERIFY_EXCEPTION_THROWN(file.trainingBatch(0, -1), Error);
        QVERIFY_EXCEPTION_THROWN(file.validationBatch(0), Error);
    }

    void hostileFilesAreRefused()
    {
        const auto refused = [](auto spoil) {
            const QTemporaryDir folder;
            Stored stored;
            spoil(stored);
            const auto path = stored.write(folder);
            try {
                const BatchFile file(path, 24);
            } catch (const FormatError&) {
                return true;
            }
            return false;
        };
        QVERIFY(!refused([](Stored&) {}));
        QVERIFY(refused([](Stored& s) { s.inputs[5] = 24; }));
        QVERIFY(refused([](Stored& s) { s.inputs[5] = -1; }));
        QVERIFY(refused([](Stored& s) { s.inputs[5] = kIgnoredTarget; }));
        QVERIFY(refused([](Stored& s) { s.inputs[5] = std::int64_t{1} << 40; }));
        QVERIFY(refused([](Stored& s) { s.targets[5] = 24; }));
        QVERIFY(refused([](Stored& s) { s.targets[5] = -99; }));
        QVERIFY(refused([](Stored& s) { s.inputShape = s.targetShape = {6, 4}; }));
        QVERIFY(refused([](Stored& s) { s.targetShape = {3, 2, 4}; }));
        QVERIFY(refused([](Stored& s) { s.targets.clear(); }));
        QVERIFY(refused([](Stored& s) { s.inputs.clear(); }));
    }

    void aFileThatIsCutWhileOpenIsNoticed()
    {
        const QTemporaryDir folder;
        Stored stored;
        stored.inputShape = stored.targetShape = {100, 32, 64};
        stored.inputs = Ids(std::size_t{100} * 32 * 64, 5);
        stored.targets = Ids(std::size_t{100} * 32 * 64, 6);
        const auto path = stored.write(folder);
        const BatchFile file(path, 24);
        QCOMPARE(file.trainingBatch(0, 99).inputs.back(), TokenId{5});
        std::filesystem::resize_file(path, std::size_t{1} << 20);
        for (const std::int64_t step : {0, 99}) { // before and beyond the new end
            try {
                file.trainingBatch(0, step);
                QFAIL("a batch of a file that was cut");
            } catch (const FormatError& error) {
                const QByteArray text = error.what();
                QVERIFY2(text.contains("has 1048576 now") && text.contains("batches.safetensors") &&
                             text.contains("resume the training run"),
                         text.constData());
            }
        }
    }

    void floatsAreRefused()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("floats.safetensors").toStdString();
        const Tensor values(Shape{2, 3, 4});
        SafetensorsWriter writer;
        writer.add("inputs", values.view());
        writer.add("targets", values.view());
        writer.write(path);
        QVERIFY_EXCEPTION_THROWN(BatchFile(path, 24), FormatError);
    }

    void aConfigurationMustFitItsFile()
    {
        const QTemporaryDir folder;
        TrainingConfig config;
        config.data.batches = Stored().write(folder).string();
        config.steps = 2;
        QVERIFY_EXCEPTION_THROWN(prepareData(config), Error); // no vocabulary
        config.model.vocabularySize = 24;
        QCOMPARE(prepareData(config).batches->trainingBatch(0, 0).rows, std::int64_t{3});
        QVERIFY(prepareData(config).tokenizer == nullptr);
        config.steps = 3;
        QVERIFY_EXCEPTION_THROWN(prepareData(config), Error);
        config.steps = 2;
        config.model.maxLen = 3;
        QVERIFY_EXCEPTION_THROWN(prepareData(config), Error);
    }
};

HEADSCOPE_TEST(TstBatchFile)
#include "tst_batch_file.moc"
