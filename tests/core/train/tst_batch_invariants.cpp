#include "core/attention/cpu_attention.h"
#include "core/base/parallel.h"
#include "core/train/trainer.h"
#include "tests/support/model_batches.h"
#include "tests/support/run_record.h"
#include "tests/support/test_program.h"
#include "tests/support/traced_kinds.h"

#include <QCoreApplication>
#include <QProcess>
#include <QtTest>

#include <cstdio>
#include <cstring>

using namespace headscope;
using namespace headscope::test;

Q_DECLARE_METATYPE(headscope::ModelConfig)

namespace {

constexpr Exactness kRounding{2e-5};

struct Learned
{
    double loss = 0.0;
    ParameterSet gradients;
};

Trainer trainerOf(const ModelConfig& config)
{
    Trainer::Settings settings;
    settings.makeBackend = [] { return std::make_unique<CpuAttention>(); };
    return {config, {0, Model::initialised(config, 3).parameters(), {}, {}}, settings};
}

Learned learn(Trainer& trainer, const Batch& batch)
{
    Learned learned;
    learned.loss = trainer.lossAndGradients(batch, learned.gradients);
    return learned;
}

Learned learn(const ModelConfig& config, const Batch& batch)
{
    Trainer trainer = trainerOf(config);
    return learn(trainer, batch);
}

std::span<const float> valuesOf(const ParameterSet& set)
{
    return set.values();
}

ModelConfig withoutDropout(ModelConfig config)
{
    config.dropout = 0.0;
    config.attentionDropout.reset();
    config.embeddingDropout.reset();
    return config;
}

struct Numbers
{
    bool isLogits = true;
    std::vector<float> values;
};

/// Logits of a long text, then gradients of a batch: for every kind of model, one after the other.
std::vector<Numbers> numbersOfAllKinds()
{
    std::vector<Numbers> numbers;
    for (const auto& [name, kind] : tracedKinds()) {
        ModelConfig config = withoutDropout(kind);
        config.maxLen = 300;
        if (name == "learned") { // large enough for products and attention to be split
            config.dModel = 256;
            config.dFf = 1024;
            config.initStd = 0.05;
        }
        CpuAttention backend;
        const Model model = Model::initialised(config, 3);
        const RunText text = randomText(config, 5, 260);
        const Tensor logits = wholePass(model, text, 260, backend).logits;
        numbers.push_back({true, {logits.values().begin(), logits.values().end()}});
        if (!config.languageHead)
            continue;
        const Learned learned = learn(config, randomBatch(config, {4, 12, 9}, 6));
        const std::span<const float> gradients = valuesOf(learned.gradients);
        numbers.push_back({false, {gradients.begin(), gradients.end()}});
    }
    return numbers;
}

constexpr auto kPrintNumbers = "HEADSCOPE_PRINT_NUMBERS";

/// What this program prints when it is asked to, with so many threads.
std::vector<float> numbersWithThreads(int threads)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("HEADSCOPE_THREADS", QString::number(threads));
    environment.insert(kPrintNumbers, "1");
    process.setProcessEnvironment(environment);
    process.start(QCoreApplication::applicationFilePath(), {test::testName()});
    process.waitForFinished(-1);
    const QByteArray bytes = process.readAllStandardOutput();
    std::vector<float> numbers(static_cast<std::size_t>(bytes.size()) / sizeof(float));
    std::memcpy(numbers.data(), bytes.constData(), numbers.size() * sizeof(float));
    return numbers;
}

} // namespace

#define HS_SAME(problem)                                                                           \
    do {                                                                                           \
        const std::string problem_ = (problem);                                                    \
        QVERIFY2(problem_.empty(), problem_.c_str());                                              \
    } while (false)

/// Ways to compute a batch that must not matter.
class TstBatchInvariants : public QObject
{
    Q_OBJECT

public:
    /// As a child of itself: prints its numbers and nothing else.
    static void initMain()
    {
        if (!qEnvironmentVariableIsSet(kPrintNumbers))
            return;
        for (const Numbers& part : numbersOfAllKinds())
            std::fwrite(part.values.data(), sizeof(float), part.values.size(), stdout);
        std::exit(0);
    }

private slots:

    void theOrderOfSequencesDoesNotMatter_data() { kinds(); }

    void theOrderOfSequencesDoesNotMatter()
    {
        QFETCH(ModelConfig, config);
        const Batch batch = randomBatch(config, {4, 12, 9}, 1);
        Batch turned = batch;
        const auto turn = [](auto& values) {
            std::ranges::rotate(values, values.begin() + static_cast<long>(values.size() / 4));
        };
        turn(turned.inputs);
        turn(turned.targets);
        turn(turned.segments);
        turn(turned.nextSentence);
        turn(turned.sources);
        QVERIFY(turned.inputs != batch.inputs);
        const Learned got = learn(config, turned);
        const Learned expected = learn(config, batch);
        QVERIFY(std::abs(got.loss - expected.loss) < 1e-5);
        HS_SAME(difference(valuesOf(got.gradients), valuesOf(expected.gradients), kRounding));
    }

    void batchesOfOtherSizesLeaveNothingBehind_data() { kinds(); }

    void batchesOfOtherSizesLeaveNothingBehind()
    {
        QFETCH(ModelConfig, config);
        Trainer used = trainerOf(config);
        learn(used, randomBatch(config, {5, 14, 11}, 1));
        used.evaluate(randomBatch(config, {2, 9, 3}, 2));
        learn(used, randomBatch(config, {1, 3, 12}, 3));
        const Batch batch = randomBatch(config, {4, 9, 7}, 4);
        const Learned got = learn(used, batch);
        const Learned expected = learn(config, batch);
        QCOMPARE(got.loss, expected.loss);
        HS_SAME(difference(valuesOf(got.gradients), valuesOf(expected.gradients), {}));
    }

    void dropoutOfZeroEqualsNone()
    {
        const ModelConfig without = withoutDropout(tracedKinds().front().second);
        ModelConfig zero = without;
        zero.attentionDropout = 0.0;
        zero.embeddingDropout = 0.0;
        const Batch batch = randomBatch(without, {4, 12, 9}, 1);
        const Learned expected = learn(without, batch);
        HS_SAME(
            difference(valuesOf(learn(zero, batch).gradients), valuesOf(expected.gradients), {}));
        zero.attentionDropout = 0.3;
        QVERIFY(!difference(valuesOf(learn(zero, batch).gradients), valuesOf(expected.gradients),
                            kRounding)
                     .empty());
    }

    /// Logits bit for bit; gradients but for the order in which the workers' sums are added.
    void theNumberOfThreadsDoesNotMatter()
    {
        const std::vector<float> one = numbersWithThreads(1);
        for (const int threads : {2, 3}) {
            const std::vector<float> more = numbersWithThreads(threads);
            QCOMPARE(more.size(), one.size());
            std::size_t first = 0;
            for (const auto& [isLogits, part] : numbersOfAllKinds()) {
                const auto here = [&](const std::vector<float>& all) {
                    return std::span(all).subspan(first, part.size());
                };
                HS_SAME(difference(here(more), here(one), isLogits ? Exactness{} : kRounding));
                first += part.size();
            }
            QCOMPARE(first, one.size());
        }
    }

private:
    void kinds()
    {
        QTest::addColumn<ModelConfig>("config");
        for (const auto& [name, config] : tracedKinds())
            if (config.languageHead)
                QTest::newRow(name.c_str()) << withoutDropout(config);
    }
};

HEADSCOPE_TEST(TstBatchInvariants)
#include "tst_batch_invariants.moc"
