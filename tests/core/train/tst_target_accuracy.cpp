#include "core/attention/cpu_attention.h"
#include "core/train/data/sequence_task.h"
#include "core/train/measures/target_accuracy.h"
#include "core/train/training_progress.h"
#include "tests/support/test_program.h"
#include "tests/support/tolerances.h"

#include <QtTest>

#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

ModelConfig encoderDecoder()
{
    ModelConfig config;
    config.architecture = Architecture::EncoderDecoder;
    config.vocabularySize = 259;
    config.dModel = 16;
    config.heads = 2;
    config.layers = 1;
    config.dFf = 32;
    config.maxLen = 8;
    return config;
}

SequenceTask copies()
{
    SequenceTaskSettings settings;
    settings.kind = SequenceTaskKind::Copy;
    settings.rows = 4;
    settings.shortest = 1;
    settings.longest = 3;
    settings.validationBatches = 2;
    return SequenceTask(*sequenceTokenizer(), 8, settings);
}

/// Rows whose only target is one token, whatever the source.
class OneTarget final : public BatchSource
{
public:
    Batch trainingBatch(std::uint64_t, std::int64_t) const override { return validationBatch(0); }

    std::int64_t validationBatchCount() const override { return 1; }

    Batch validationBatch(std::int64_t) const override
    {
        Batch batch = batchRows(copies().validationBatch(0), 0, 2);
        batch.targets.assign(batch.targets.size(), kIgnoredTarget);
        batch.targets[0] = batch.targets[1] = target;
        batch.targets[static_cast<std::size_t>(batch.length)] = other;
        return batch;
    }

    TokenId target = 0, other = 0;
};

/// Three pairs of texts, two of which follow each other; no token is masked.
class Pairs final : public BatchSource
{
public:
    Batch trainingBatch(std::uint64_t, std::int64_t) const override { return validationBatch(0); }

    std::int64_t validationBatchCount() const override { return 1; }

    Batch validationBatch(std::int64_t) const override
    {
        Batch batch;
        batch.rows = 3;
        batch.length = 4;
        batch.inputs.assign(12, 1);
        batch.targets.assign(12, kIgnoredTarget);
        batch.segments = {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1};
        batch.nextSentence = {0, 1, 0};
        return batch;
    }
};

/// An encoder whose next-sentence logits are its bias alone.
Model pairModel(float follows, float doesNot)
{
    ModelConfig config;
    config.architecture = Architecture::Encoder;
    config.vocabularySize = 4;
    config.dModel = 8;
    config.heads = 2;
    config.layers = 1;
    config.dFf = 8;
    config.maxLen = 8;
    config.tokenTypes = 2;
    config.nextSentence = true;
    ParameterSet parameters(config);
    parameters.view("next_sentence.bias")(0) = follows;
    parameters.view("next_sentence.bias")(1) = doesNot;
    return Model(config, std::move(parameters));
}

} // namespace

class TstTargetAccuracy : public QObject
{
    Q_OBJECT

private slots:

    void lossesAreThoseOfTheTrainer()
    {
        Trainer::Settings settings;
        settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
        TrainingState state;
        ModelConfig config = encoderDecoder();
        config.initStd = 0.5; // so that the loss depends on what each token attends to
        state.parameters = Model::initialised(config, 3).parameters();
        Trainer trainer(config, std::move(state), settings);
        for (int step = 0; step < 3; ++step)
            trainer.step(copies().trainingBatch(1, step));
        CpuAttention backend;
        const TargetAccuracy got = measureTargets(*trainer.snapshot(), copies(), backend);
        HS_COMPARE((std::vector<double>{got.loss}),
                   (std::vector<double>{*validationLoss(trainer, copies())}), kModelOutputs);
        QVERIFY(got.targets > 16 && got.tokens < 1.0);
    }

    void pairsAreRightWhereTheirLabelHasTheLargerLogit()
    {
        CpuAttention backend;
        const TargetAccuracy follows = measureTargets(pairModel(1.0F, 0.0F), Pairs(), backend);
        QCOMPARE(follows.pairs, 3);
        QCOMPARE(follows.pairsRight, 2.0 / 3.0);
        QCOMPARE(follows.targets, 0); // no token is masked, and pairs count all the same
        QCOMPARE(measureTargets(pairModel(0.0F, 1.0F), Pairs(), backend).pairsRight, 1.0 / 3.0);
        OneTarget sources;
        QCOMPARE(measureTargets(Model::initialised(encoderDecoder(), 3), sources, backend).pairs,
                 0);
    }

    void rowsCountWhenAllTheirTargetsAreRight()
    {
        const Model model = Model::initialised(encoderDecoder(), 3);
        CpuAttention backend;
        OneTarget batches;
        const Batch batch = batches.validationBatch(0);
        const auto best = [&](std::int64_t row, std::size_t position) {
            const auto shown = [&](std::int64_t from, const std::vector<std::uint8_t>& mask) {
                std::size_t count = 0;
                while (count < static_cast<std::size_t>(batch.length) &&
                       mask[static_cast<std::size_t>(from) + count] != 0)
                    ++count;
                return count;
            };
            const std::int64_t first = row * batch.length;
            KvCache cache(model.config());
            model.encode(
                std::span(batch.sources)
                    .subspan(static_cast<std::size_t>(first), shown(first, batch.sourceKeyMask)),
                backend, cache);
            const Tensor logits = model.forward(
                std::span(batch.inputs).subspan(static_cast<std::size_t>(first), position + 1),
                backend, cache);
            const float* const scores = &logits.view()(position, 0);
            return static_cast<TokenId>(std::max_element(scores, scores + 259) - scores);
        };
        batches.target = best(0, 0);
        batches.other = best(1, 0);
        const TargetAccuracy got = measureTargets(model, batches, backend);
        QCOMPARE(got.targets, 3);
        const double second = best(0, 1) == batches.target ? 1.0 : 0.0;
        QCOMPARE(got.tokens, (2.0 + second) / 3.0);
        QCOMPARE(got.rows, (1.0 + second) / 2.0);
    }
};

HEADSCOPE_TEST(TstTargetAccuracy)
#include "tst_target_accuracy.moc"
