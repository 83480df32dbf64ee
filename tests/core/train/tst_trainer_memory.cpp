// program: its own, because it counts every allocation of the program
#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/parallel.h"
#include "core/model/config/size_report.h"
#include "core/model/pass/activation_bytes.h"
#include "core/train/trainer.h"
#include "core/train/training_pass.h"
#include "tests/support/counted_allocations.h"
#include "tests/support/model_batches.h"
#include "tests/support/model_kinds.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

Trainer::Settings cpuSettings()
{
    Trainer::Settings settings;
    settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    return settings;
}

Trainer trainerOf(const ModelConfig& config, const Trainer::Settings& settings)
{
    return {config, {0, Model::initialised(config, 1).parameters(), {}, {}}, settings};
}

ModelConfig dynamicConfig()
{
    ModelConfig config = modelKinds().front().second;
    config.positions = Positions::Rope;
    config.rope.scaling = RopeSettings::Scaling::Dynamic;
    config.rope.factor = 2.0;
    config.rope.originalMaxLen = 5;
    return config;
}

} // namespace

class TstTrainerMemory : public QObject
{
    Q_OBJECT

private slots:

    void aSteadyStepAllocatesNothing_data() { kinds(); }

    void aSteadyStepAllocatesNothing()
    {
        QFETCH(ModelConfig, config);
        Trainer trainer = trainerOf(config, cpuSettings());
        const Batch batch = randomBatch(config, {4, 12, 9}, 1);
        trainer.step(batch);
        trainer.step(batch);
        trainer.evaluate(batch);
        const long before = allocations;
        const long bytes = allocatedBytes;
        QVERIFY(before > 0);
        trainer.step(batch);
        trainer.evaluate(batch);
        trainer.step(batch);
        const long count = allocations - before;
        QVERIFY2(count == 0,
                 qPrintable(
                     QString("%1 allocations of %2 bytes").arg(count).arg(allocatedBytes - bytes)));
    }

    void smallerBatchesAllocateNothing_data() { kinds(); }

    void smallerBatchesAllocateNothing()
    {
        QFETCH(ModelConfig, config);
        if (config.positions == Positions::Rope &&
            config.rope.scaling == RopeSettings::Scaling::Dynamic)
            return; // another length, another table
        Trainer trainer = trainerOf(config, cpuSettings());
        const Batch large = randomBatch(config, {4, 12, 9}, 1);
        const Batch small = randomBatch(config, {2, 7, 5}, 2);
        trainer.step(large);
        trainer.step(small);
        const long before = allocations;
        trainer.step(small);
        trainer.step(large);
        QCOMPARE(allocations - before, 0L);
    }

    void activationsTakeWhatWasAnnounced_data() { kinds(); }

    /// One arena a worker and stack, of exactly the size that activationBytes counts.
    void activationsTakeWhatWasAnnounced()
    {
        QFETCH(ModelConfig, config);
        if (config.norm == Norm::Batch)
            return; // one worker takes all rows
        const ModelProgram program(config);
        const auto workers = static_cast<std::int64_t>(workerCount());
        const Batch batch = randomBatch(config, {2 * workers, 12, 9}, 1);
        const std::int64_t announced = activationBytes(program, batch.rows * 12, batch.rows * 9);
        const std::int64_t tokens = 2 * 12;
        const std::int64_t source = program.encoder ? 2 * 9 : 0;
        std::int64_t taken = 0;
        std::vector<std::int64_t> arenas{program.main.arenaSize({tokens, tokens, source}, true)};
        if (program.encoder)
            arenas.push_back(program.encoder->arenaSize({source, source, 0}, true));
        for (const std::int64_t floats : arenas) {
            Trainer trainer = trainerOf(config, cpuSettings());
            watchedAllocations = 0;
            watchedSize = static_cast<std::size_t>(4 * floats);
            trainer.step(batch);
            watchedSize = 0;
            QVERIFY2(watchedAllocations >= workers,
                     qPrintable(
                         QString("%1 arenas of %2 bytes").arg(watchedAllocations).arg(4 * floats)));
            taken += 4 * floats * workers;
        }
        QCOMPARE(taken, announced);
    }

    void tooLittleMemoryIsSaidBeforeAnyIsTaken()
    {
        const ModelConfig config = modelKinds().front().second;
        const ParameterSet parameters = Model::initialised(config, 1).parameters();
        const auto workers = static_cast<std::int64_t>(workerCount());
        const auto whole = static_cast<std::uint64_t>(trainingBytes(config, workers));
        const std::uint64_t needed = whole - parameters.values().size_bytes();
        std::uint64_t available = needed - 1;
        Trainer::Settings settings = cpuSettings();
        settings.freeMemory = [&available] { return available; };
        const auto make = [&] { return Trainer(config, {0, parameters, {}, {}}, settings); };
        QVERIFY_EXCEPTION_THROWN(make(), Error);
        available = needed;
        Trainer trainer = make();

        const Batch batch = randomBatch(config, {4, 12, 0}, 1);
        const Batch larger = randomBatch(config, {5, 12, 0}, 1);
        const auto activations =
            static_cast<std::uint64_t>(activationBytes(ModelProgram(config), 4 * 12));
        available = activations - 1;
        QVERIFY_EXCEPTION_THROWN(trainer.step(batch), Error);
        QCOMPARE(trainer.state().step, std::int64_t{0});
        available = activations;
        trainer.step(batch);
        available = 0; // its memory is there already
        trainer.step(batch);
        QVERIFY_EXCEPTION_THROWN(trainer.step(larger), Error);
        QCOMPARE(trainer.state().step, std::int64_t{2});
    }

private:
    void kinds()
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : modelKinds())
            if (config.languageHead)
                QTest::newRow(name.c_str()) << config;
        QTest::newRow("rope, dynamic, outgrown") << dynamicConfig();
    }
};

HEADSCOPE_TEST(TstTrainerMemory)
#include "tst_trainer_memory.moc"
