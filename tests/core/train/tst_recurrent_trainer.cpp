#include "core/base/error.h"
#include "core/train/data/recall_task.h"
#include "core/train/recurrent_trainer.h"
#include "tests/support/numeric_gradient.h"
#include "tests/support/tensors.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace headscope;
using namespace headscope::test;

namespace {

RecurrentConfig smallConfig(RecurrentKind kind, std::int64_t vocabulary)
{
    RecurrentConfig config;
    config.kind = kind;
    config.vocabularySize = vocabulary;
    config.hidden = 6;
    config.layers = 2;
    return config;
}

RecallTask shortRecall()
{
    RecallTaskSettings settings;
    settings.length = 2;
    settings.queries = 2;
    settings.symbols = 4;
    return RecallTask(settings);
}

RecurrentTrainer trainerOf(RecurrentKind kind, const RecallTask& task, std::int64_t hidden)
{
    RecurrentConfig config = smallConfig(kind, task.vocabularySize());
    config.hidden = hidden;
    config.layers = 1;
    RecurrentTrainer::Settings settings;
    settings.optimizer.learningRate = 1e-2;
    settings.optimizer.weightDecay = 0.0;
    return RecurrentTrainer(RecurrentModel::initialised(config, 3), settings);
}

} // namespace

class TstRecurrentTrainer : public QObject
{
    Q_OBJECT

private slots:

    void gradientsOfAWholeModelAgreeWithDifferences_data() { kinds(); }

    void gradientsOfAWholeModelAgreeWithDifferences()
    {
        QFETCH(int, kind);
        const Batch batch{
            3, 4, {1, 2, 3, 4, 0, 0, 4, 2, 3, 3, 1, 2}, {2, -100, 4, 1, 0, 4, -100, 3, 3, 1, 2, 0}};
        RecurrentModel model =
            RecurrentModel::initialised(smallConfig(static_cast<RecurrentKind>(kind), 5), 1);
        Tensor gradients(Shape{std::ssize(model.values())});
        RecurrentTrainer(model, {}).lossAndGradients(batch, gradients.values());
        const auto value = [&] {
            RecurrentTrainer trainer(model, {});
            return trainer.measure(batch).loss;
        };
        HS_COMPARE_GRADIENT(value, model.values(), floats(gradients));
    }

    /// Both learn to recall either of two symbols, twice the same to the bit.
    void shortRecallIsLearnedAndRepeatsToTheBit_data() { kinds(); }

    void shortRecallIsLearnedAndRepeatsToTheBit()
    {
        QFETCH(int, kind);
        const RecallTask task = shortRecall();
        std::vector<float> first;
        for (int round = 0; round < 2; ++round) {
            RecurrentTrainer trainer = trainerOf(static_cast<RecurrentKind>(kind), task, 16);
            const double before = trainer.measure(task.validationBatch(0)).loss;
            for (std::int64_t step = 0; step < 300; ++step)
                trainer.step(task.trainingBatch(1, step));
            const TargetCounts counts = trainer.measure(task.validationBatch(0));
            QCOMPARE(counts.targets, std::int64_t{64});
            QVERIFY(counts.right >= 60 && counts.loss < 0.3 * before);
            const auto values = trainer.model().values();
            if (round == 0)
                first.assign(values.begin(), values.end());
            else
                QVERIFY(std::ranges::equal(first, values));
        }
    }

    void batchesOfMoreThanOneTextAreRefused()
    {
        Batch batch{1, 2, {0, 1}, {1, 0}};
        RecurrentTrainer trainer(
            RecurrentModel::initialised(smallConfig(RecurrentKind::Elman, 5), 1), {});
        trainer.step(batch);
        batch.keyMask = {1, 0};
        QVERIFY_THROWS_EXCEPTION(ShapeError, trainer.step(batch));
        QVERIFY_THROWS_EXCEPTION(ShapeError, trainer.step({1, 2, {0, 7}, {1, 0}}));
    }

    /// Each query's target is the symbol so many places before the first query; nothing else has a
    /// target.
    void everyQueryAsksForOneSymbol()
    {
        RecallTaskSettings settings;
        settings.rows = 64;
        settings.length = 16;
        const RecallTask task(settings);
        QCOMPARE(task.vocabularySize(), std::int64_t{8 + 16});
        const Batch batch = task.trainingBatch(1, 0);
        QCOMPARE(batch.length, std::int64_t{16 + 8});
        std::vector<int> asked(17, 0);
        for (std::int64_t row = 0; row < batch.rows; ++row) {
            const TokenId* const ids = batch.inputs.data() + row * batch.length;
            const TokenId* const targets = batch.targets.data() + row * batch.length;
            QCOMPARE(std::count(targets, targets + 16, kIgnoredTarget), 16);
            for (std::int64_t i = 16; i < batch.length; ++i) {
                const std::int64_t back = ids[i] - 8 + 1;
                QVERIFY(back >= 1 && back <= 16);
                QCOMPARE(targets[i], ids[16 - back]);
                ++asked[static_cast<std::size_t>(back)];
            }
        }
        for (std::size_t back = 1; back <= 16; ++back)
            QVERIFY(asked[back] > 0);
        QVERIFY(asked[1] > 4 * asked[16]); // short distances are asked for more often
        QVERIFY(task.trainingBatch(1, 3).inputs == task.trainingBatch(1, 3).inputs);
        QVERIFY(task.trainingBatch(1, 3).inputs != task.trainingBatch(1, 4).inputs);
        QVERIFY(task.trainingBatch(1, 3).inputs != task.trainingBatch(2, 3).inputs);
    }

    void heldOutRowsCanAskForOneDistance()
    {
        const RecallTask task({});
        for (const std::int64_t distance : {1, 5, 64}) {
            const Batch batch = task.validationBatchAt(distance, 2);
            QCOMPARE(batch.length, std::int64_t{65});
            for (std::int64_t row = 0; row < batch.rows; ++row)
                QCOMPARE(batch.targets[static_cast<std::size_t>(row * 65 + 64)],
                         batch.inputs[static_cast<std::size_t>(row * 65 + 64 - distance)]);
        }
        QVERIFY_THROWS_EXCEPTION(Error, task.validationBatchAt(65, 0));
        QVERIFY_THROWS_EXCEPTION(Error, task.validationBatch(4));
        RecallTaskSettings none;
        none.length = 0;
        QVERIFY_THROWS_EXCEPTION(Error, RecallTask{none});
    }

private:
    static void kinds()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("Elman") << static_cast<int>(RecurrentKind::Elman);
        QTest::newRow("LSTM") << static_cast<int>(RecurrentKind::Lstm);
    }
};

HEADSCOPE_TEST(TstRecurrentTrainer)
#include "tst_recurrent_trainer.moc"
