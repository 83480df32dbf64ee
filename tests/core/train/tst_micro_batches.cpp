#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/ops/cross_entropy.h"
#include "core/train/data/sequence_task.h"
#include "core/train/trainer.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

using namespace headscope;
using namespace headscope::test;

namespace {

ModelConfig smallModel()
{
    ModelConfig config;
    config.vocabularySize = 13;
    config.dModel = 16;
    config.heads = 2;
    config.layers = 2;
    config.dFf = 32;
    config.maxLen = 6;
    return config;
}

/// Rows with ever fewer targets that count.
Batch unevenBatch()
{
    Batch batch{5, 6, {}, {}};
    Random random(3);
    for (std::int64_t i = 0; i < batch.rows * batch.length; ++i) {
        batch.inputs.push_back(static_cast<TokenId>(random.below(13)));
        batch.targets.push_back(i % 6 <= i / 6 ? static_cast<TokenId>(random.below(13))
                                               : kIgnoredTarget);
    }
    return batch;
}

Trainer trainer(std::int64_t accumulate)
{
    Trainer::Settings settings;
    settings.accumulate = accumulate;
    settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    return Trainer(smallModel(), initialState(smallModel(), 4), settings);
}

/// `count` parts of nearly equal size, in order.
std::vector<Batch> microBatches(const Batch& batch, std::int64_t count)
{
    std::vector<Batch> parts;
    for (std::int64_t i = 0; i < count; ++i)
        parts.push_back(batchRows(batch, batch.rows * i / count, batch.rows * (i + 1) / count));
    return parts;
}

} // namespace

class TstMicroBatches : public QObject
{
    Q_OBJECT

private slots:

    void rowsKeepAllThatBelongsToThem()
    {
        const auto tokenizer = sequenceTokenizer();
        SequenceTaskSettings settings;
        settings.rows = 5;
        Batch batch = SequenceTask(*tokenizer, 32, settings).trainingBatch(1, 0);
        for (std::int32_t i = 0; i < 5 * 11; ++i)
            batch.segments.push_back(i);
        batch.nextSentence = {0, 1, 0, 1, kIgnoredTarget};
        batch.mask = std::vector<std::uint8_t>(121, 1);
        const std::vector<Batch> parts = microBatches(batch, 2);
        QCOMPARE(parts.size(), std::size_t{2});
        QCOMPARE(parts[0].rows, std::int64_t{2});
        QCOMPARE(parts[1].rows, std::int64_t{3});
        Batch joined;
        for (const Batch& part : parts) {
            const auto append = [](auto& to, const auto& from) {
                to.insert(to.end(), from.begin(), from.end());
            };
            append(joined.inputs, part.inputs);
            append(joined.targets, part.targets);
            append(joined.keyMask, part.keyMask);
            append(joined.segments, part.segments);
            append(joined.nextSentence, part.nextSentence);
            append(joined.sources, part.sources);
            append(joined.sourceKeyMask, part.sourceKeyMask);
            QVERIFY(part.mask == batch.mask);
            QCOMPARE(part.length, batch.length);
            QCOMPARE(part.sourceLength, batch.sourceLength);
        }
        QVERIFY(joined.inputs == batch.inputs && joined.targets == batch.targets);
        QVERIFY(joined.keyMask == batch.keyMask && joined.segments == batch.segments);
        QVERIFY(joined.sources == batch.sources && joined.sourceKeyMask == batch.sourceKeyMask);
        QVERIFY(joined.nextSentence == batch.nextSentence);
    }

    void theLossIsTheMeanWeightedByTargets()
    {
        const Batch batch = unevenBatch();
        Trainer whole = trainer(1);
        double sum = 0.0;
        for (const Batch& part : microBatches(batch, 3))
            sum += whole.evaluate(part) * static_cast<double>(keptTargets(part.targets));
        const std::vector<double> got{sum / static_cast<double>(keptTargets(batch.targets))};
        HS_COMPARE(std::span<const double>(got), (std::vector<double>{whole.evaluate(batch)}),
                   kModelOutputs);
    }

    void accumulatedGradientsAreThoseOfTheWholeBatch()
    {
        const Batch batch = unevenBatch();
        ParameterSet expected;
        const double loss = trainer(1).lossAndGradients(batch, expected);
        for (const std::int64_t parts : {2, 3, 5}) {
            ParameterSet gradients;
            const std::vector<double> got{trainer(parts).lossAndGradients(batch, gradients)};
            HS_COMPARE(std::span<const double>(got), (std::vector<double>{loss}), kModelOutputs);
            const std::vector<double> reference(expected.values().begin(), expected.values().end());
            HS_COMPARE(std::span<const float>(gradients.values()), reference, kModelGradients);
        }
    }

    void accumulatedStepsAreThoseOfTheWholeBatch()
    {
        Trainer whole = trainer(1);
        Trainer parts = trainer(5);
        for (int step = 0; step < 5; ++step) {
            const StepReport expected = whole.step(unevenBatch());
            const StepReport got = parts.step(unevenBatch());
            HS_COMPARE((std::vector<double>{got.loss, got.gradientNorm}),
                       (std::vector<double>{expected.loss, expected.gradientNorm}), kTrainingCurve);
        }
    }
};

HEADSCOPE_TEST(TstMicroBatches)
#include "tst_micro_batches.moc"
