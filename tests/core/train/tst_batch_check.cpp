#include "core/base/error.h"
#include "core/train/data/batch_check.h"
#include "tests/support/model_kinds.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

namespace {

ModelConfig encoder()
{
    ModelConfig config = modelKinds().front().second;
    config.architecture = Architecture::Encoder;
    config.causal = false;
    config.tokenTypes = 2;
    config.nextSentence = true;
    return config;
}

ModelConfig encoderDecoder()
{
    ModelConfig config = modelKinds().front().second;
    config.architecture = Architecture::EncoderDecoder;
    return config;
}

/// Every field filled in that an encoder reads.
Batch fullBatch()
{
    Batch batch{2, 3, {1, 2, 3, 4, 5, 6}, {2, 3, kIgnoredTarget, 5, 6, 1}};
    batch.keyMask.assign(6, 1);
    batch.segments = {0, 0, 1, 0, 1, 1};
    batch.nextSentence = {0, kIgnoredTarget};
    batch.mask.assign(9, 1);
    return batch;
}

Batch withSource()
{
    Batch batch{2, 3, {1, 2, 3, 4, 5, 6}, {2, 3, 4, 5, 6, 1}};
    batch.sourceLength = 4;
    batch.sources = {1, 2, 3, 4, 5, 6, 7, 8};
    batch.sourceKeyMask.assign(8, 1);
    return batch;
}

std::string refusal(const ModelConfig& config, const Batch& batch)
{
    try {
        checkBatch(config, batch, "tst_batch_check");
    } catch (const ShapeError& error) {
        return error.what();
    }
    return {};
}

} // namespace

class TstBatchCheck : public QObject
{
    Q_OBJECT

private slots:

    void wholeBatchesAreAccepted()
    {
        QCOMPARE(refusal(encoder(), fullBatch()), std::string());
        QCOMPARE(refusal(encoderDecoder(), withSource()), std::string());
    }

    void optionalFieldsMayBeEmpty()
    {
        Batch batch = fullBatch();
        batch.keyMask.clear();
        batch.segments.clear();
        batch.nextSentence.clear();
        batch.mask.clear();
        QCOMPARE(refusal(encoder(), batch), std::string());
        Batch source = withSource();
        source.sourceKeyMask.clear();
        QCOMPARE(refusal(encoderDecoder(), source), std::string());
    }

    void fieldsOfAnotherSizeAreRefused_data()
    {
        QTest::addColumn<QString>("field");
        for (const char* field : {"input", "target", "key mask", "segment", "next-sentence", "mask",
                                  "source token", "source key mask"})
            QTest::newRow(field) << field;
    }

    void fieldsOfAnotherSizeAreRefused()
    {
        QFETCH(QString, field);
        for (const int change : {1, -1}) {
            const auto resize = [change](auto& values) { values.resize(values.size() + change); };
            Batch batch = fullBatch();
            Batch source = withSource();
            if (field == "input")
                resize(batch.inputs);
            else if (field == "target")
                resize(batch.targets);
            else if (field == "key mask")
                resize(batch.keyMask);
            else if (field == "segment")
                resize(batch.segments);
            else if (field == "next-sentence")
                resize(batch.nextSentence);
            else if (field == "mask")
                resize(batch.mask);
            else if (field == "source token")
                resize(source.sources);
            else
                resize(source.sourceKeyMask);
            const std::string problem = field.startsWith("source")
                                            ? refusal(encoderDecoder(), source)
                                            : refusal(encoder(), batch);
            QVERIFY2(problem.find(field.toStdString()) != std::string::npos, problem.c_str());
        }
    }

    void numbersOutsideTheirRangeAreRefused()
    {
        Batch batch = fullBatch();
        batch.inputs[4] = 37;
        QVERIFY(refusal(encoder(), batch).find("row 1, position 1") != std::string::npos);
        batch = fullBatch();
        batch.targets[0] = -1;
        QVERIFY(!refusal(encoder(), batch).empty());
        batch = fullBatch();
        batch.segments[5] = 2;
        QVERIFY(refusal(encoder(), batch).find("segment 2") != std::string::npos);
        batch = fullBatch();
        batch.nextSentence[0] = 2;
        QVERIFY(refusal(encoder(), batch).find("label 2") != std::string::npos);
        ModelConfig without = encoder();
        without.nextSentence = false;
        QVERIFY(!refusal(without, fullBatch()).empty());
        QVERIFY(!refusal(encoder(), withSource()).empty());
        Batch tooLong = withSource();
        tooLong.sourceLength = 21;
        tooLong.sources.assign(42, 1);
        tooLong.sourceKeyMask.clear();
        QVERIFY(refusal(encoderDecoder(), tooLong).find("1 to 20") != std::string::npos);
    }
};

HEADSCOPE_TEST(TstBatchCheck)
#include "tst_batch_check.moc"
