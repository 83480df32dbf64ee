#include "core/attention/cpu_attention.h"
#include "core/train/trainer.h"

#include <QtTest>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> allocations{0};
std::atomic<long> allocatedBytes{0};

void* take(std::size_t size, std::size_t alignment)
{
    ++allocations;
    allocatedBytes += static_cast<long>(size);
    const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
    if (void* const memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded))
        return memory;
    throw std::bad_alloc();
}

} // namespace

// Counts every allocation of the process, those inside libraries that use operator new included.
void* operator new(std::size_t size)
{
    return take(size, alignof(std::max_align_t));
}

void* operator new(std::size_t size, std::align_val_t alignment)
{
    return take(size, static_cast<std::size_t>(alignment));
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::align_val_t) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t, std::align_val_t) noexcept
{
    std::free(memory);
}

using namespace headscope;

class TstTrainerMemory : public QObject
{
    Q_OBJECT

private slots:

    void aSteadyStepAllocatesNothing_data()
    {
        QTest::addColumn<double>("dropout");
        QTest::newRow("plain") << 0.0;
        QTest::newRow("with dropout") << 0.1;
    }

    void aSteadyStepAllocatesNothing()
    {
        QFETCH(double, dropout);
        ModelConfig config;
        config.vocabularySize = 97;
        config.dModel = 32;
        config.heads = 4;
        config.layers = 2;
        config.dFf = 64;
        config.maxLen = 24;
        config.dropout = dropout;
        Trainer::Settings settings;
        settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
        Trainer trainer(config, {0, Model::initialised(config, 1).parameters(), {}, {}}, settings);
        Batch batch{4, 24, {}, {}};
        for (int i = 0; i < 96; ++i) {
            batch.inputs.push_back(i % 97);
            batch.targets.push_back((i + 1) % 97);
        }
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
};

QTEST_GUILESS_MAIN(TstTrainerMemory)
#include "tst_trainer_memory.moc"
