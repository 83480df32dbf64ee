// labels: threads
#include "tests/support/qt_under_tsan.h"

#include "core/attention/cpu_attention.h"
#include "core/base/error.h"
#include "core/base/random.h"
#include "core/cluster/data_parallel.h"
#include "core/cluster/ring_attention.h"
#include "core/cluster/thread_group.h"
#include "core/train/data/sequence_task.h"
#include "core/train/trainer.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <mutex>

using namespace headscope;

namespace {

std::unique_ptr<AttentionBackend> cpu()
{
    return std::make_unique<CpuAttention>();
}

Tensor randomTensor(const Shape& shape, std::uint64_t seed)
{
    Tensor tensor(shape);
    Random random(seed);
    for (float& value : tensor.values())
        value = static_cast<float>(random.normal());
    return tensor;
}

/// The tokens of a part out of [batch, heads, tokens, width].
TensorView tokensOf(const Tensor& tensor, const RingPart& part)
{
    TensorView view = tensor.view();
    view.data += part.first * view.stride(2);
    view.shape = {tensor.shape()[0], tensor.shape()[1], part.tokens, tensor.shape()[3]};
    return view;
}

ModelConfig smallConfig(bool experts)
{
    ModelConfig config;
    config.vocabularySize = 20;
    config.dModel = 16;
    config.heads = 2;
    config.layers = 2;
    config.dFf = 32;
    config.maxLen = 8;
    config.dropout = 0.1;
    if (experts) {
        config.experts.count = 3;
        config.experts.topK = 1;
    }
    return config;
}

/// Rows with different numbers of targets that count.
Batch batchOf(std::int64_t rows, std::uint64_t seed)
{
    Random random(seed);
    Batch batch;
    batch.rows = rows;
    batch.length = 8;
    for (std::int64_t i = 0; i < rows * batch.length; ++i) {
        batch.inputs.push_back(static_cast<TokenId>(random.below(20)));
        const bool counts = i % 8 >= i / 8;
        batch.targets.push_back(counts ? static_cast<TokenId>(random.below(20)) : kIgnoredTarget);
    }
    return batch;
}

Trainer::Settings settingsOf(std::shared_ptr<BatchPart> batchPart)
{
    Trainer::Settings settings;
    settings.optimizer.learningRate = 1e-2;
    settings.makeBackend = cpu;
    settings.seed = 5;
    settings.accumulate = 2;
    settings.batchPart = std::move(batchPart);
    return settings;
}

struct Losses
{
    std::vector<double> losses;
    std::vector<double> norms;
    double validation = 0.0;
    std::int64_t right = 0;
};

Losses train(const ModelConfig& config, std::int64_t rows, std::shared_ptr<BatchPart> batchPart)
{
    Trainer trainer(config, initialState(config, 5), settingsOf(std::move(batchPart)));
    Losses result;
    for (std::uint64_t step = 0; step < 6; ++step) {
        const StepReport report = trainer.step(batchOf(rows, step));
        result.losses.push_back(report.loss);
        result.norms.push_back(report.gradientNorm);
    }
    const TargetCounts counts = trainer.measure(batchOf(rows, 99));
    result.validation = counts.loss;
    result.right = counts.right;
    return result;
}

void compareRelative(double one, double other, double tolerance)
{
    QVERIFY2(
        std::abs(one - other) <= tolerance * std::abs(other),
        qPrintable(QStringLiteral("%1 against %2").arg(one, 0, 'g', 12).arg(other, 0, 'g', 12)));
}

} // namespace

class TestCluster : public QObject
{
    Q_OBJECT

private slots:
    void manyProcessesTrainAsOneDoes_data();
    void manyProcessesTrainAsOneDoes();
    void aFailingFollowerEndsTheRun();
    void ringAttentionEqualsFullAttention_data();
    void ringAttentionEqualsFullAttention();
    void aCausalRingSkipsWhatLiesAhead();
    void shapesThatDoNotFitAreRefused();
};

void TestCluster::manyProcessesTrainAsOneDoes_data()
{
    QTest::addColumn<int>("processes");
    QTest::addColumn<int>("rows");
    QTest::addColumn<bool>("experts");
    QTest::newRow("two") << 2 << 6 << false;
    QTest::newRow("three, uneven") << 3 << 7 << false;
    QTest::newRow("more processes than rows") << 4 << 3 << false;
    QTest::newRow("experts and their balance") << 2 << 6 << true;
}

void TestCluster::manyProcessesTrainAsOneDoes()
{
    QFETCH(int, processes);
    QFETCH(int, rows);
    QFETCH(bool, experts);
    const ModelConfig config = smallConfig(experts);
    const Losses alone = train(config, rows, nullptr);
    Losses together;
    runThreadGroup(processes, [&](Communicator& group) {
        if (group.rank() == 0)
            together = train(config, rows, std::make_shared<LeadingRank>(group));
        else
            followTraining(group, cpu);
    });
    QCOMPARE(together.losses.size(), alone.losses.size());
    for (std::size_t step = 0; step < alone.losses.size(); ++step) {
        compareRelative(together.losses[step], alone.losses[step], 1e-5);
        compareRelative(together.norms[step], alone.norms[step], 1e-4);
    }
    compareRelative(together.validation, alone.validation, 1e-5);
    QCOMPARE(together.right, alone.right);
    QVERIFY(alone.losses.front() != alone.losses.back());
}

void TestCluster::aFailingFollowerEndsTheRun()
{
    const auto lead = [](Communicator& group) {
        if (group.rank() == 0)
            train(smallConfig(false), 4, std::make_shared<LeadingRank>(group));
        else
            followTraining(group, []() -> std::unique_ptr<AttentionBackend> {
                throw Error("no device here");
            });
    };
    QVERIFY_EXCEPTION_THROWN(runThreadGroup(2, lead), Error);
}

void TestCluster::ringAttentionEqualsFullAttention_data()
{
    QTest::addColumn<int>("processes");
    QTest::addColumn<int>("tokens");
    QTest::addColumn<int>("keyHeads");
    QTest::addColumn<bool>("causal");
    for (const bool causal : {true, false}) {
        const char* const kind = causal ? "causal" : "full";
        QTest::addRow("%s, alone", kind) << 1 << 9 << 4 << causal;
        QTest::addRow("%s, two", kind) << 2 << 32 << 4 << causal;
        QTest::addRow("%s, three, uneven, shared keys", kind) << 3 << 50 << 2 << causal;
        QTest::addRow("%s, one token each", kind) << 5 << 5 << 1 << causal;
    }
}

void TestCluster::ringAttentionEqualsFullAttention()
{
    QFETCH(int, processes);
    QFETCH(int, tokens);
    QFETCH(int, keyHeads);
    QFETCH(bool, causal);
    const Tensor queries = randomTensor({2, 4, tokens, 16}, 1);
    const Tensor keys = randomTensor({2, keyHeads, tokens, 16}, 2);
    const Tensor values = randomTensor({2, keyHeads, tokens, 8}, 3);
    AttentionInputs whole;
    whole.queries = queries.view();
    whole.keys = keys.view();
    whole.values = values.view();
    whole.scale = 0.7F;
    whole.mask.causal = causal;
    Tensor expected({2, 4, tokens, 8});
    AttentionOutputs outputs;
    outputs.context = expected.view();
    CpuAttention().forward(whole, outputs);

    std::mutex mutex;
    double largest = 0.0;
    runThreadGroup(processes, [&](Communicator& group) {
        const RingPart part = ringPart(tokens, group.rank(), group.size());
        RingInputs inputs{tokensOf(queries, part),
                          tokensOf(keys, part),
                          tokensOf(values, part),
                          tokens,
                          0.7F,
                          causal};
        Tensor context({2, 4, part.tokens, 8});
        CpuAttention backend;
        ringAttention(group, backend, inputs, context.view());
        const std::lock_guard lock(mutex);
        const TensorView own = tokensOf(expected, part);
        const TensorView found = std::as_const(context).view();
        for (std::int64_t b = 0; b < 2; ++b)
            for (std::int64_t h = 0; h < 4; ++h)
                for (std::int64_t t = 0; t < part.tokens; ++t)
                    for (std::int64_t d = 0; d < 8; ++d)
                        largest = std::max(largest, static_cast<double>(std::abs(found(b, h, t, d) -
                                                                                 own(b, h, t, d))));
    });
    QVERIFY2(largest <= 1e-5, qPrintable(QString::number(largest)));
}

void TestCluster::aCausalRingSkipsWhatLiesAhead()
{
    const Tensor all = randomTensor({1, 1, 12, 4}, 1);
    std::mutex mutex;
    std::int64_t computed = 0;
    std::int64_t skipped = 0;
    runThreadGroup(4, [&](Communicator& group) {
        const RingPart part = ringPart(12, group.rank(), 4);
        const TensorView own = tokensOf(all, part);
        Tensor context({1, 1, part.tokens, 4});
        CpuAttention backend;
        ringAttention(group, backend, {own, own, own, 12, 1.0F, true}, context.view(),
                      [&](const RingStep& step) {
                          const std::lock_guard lock(mutex);
                          (step.isSkipped ? skipped : computed) += 1;
                          if (step.isSkipped)
                              QVERIFY(step.keys.first > part.first);
                      });
    });
    QCOMPARE(computed, 10); // 1 + 2 + 3 + 4 blocks
    QCOMPARE(skipped, 6);
}

void TestCluster::shapesThatDoNotFitAreRefused()
{
    const Tensor one = randomTensor({1, 1, 1, 4}, 1);
    Tensor context({1, 1, 1, 4});
    const auto tooManyProcesses = [&](Communicator& group) {
        CpuAttention backend;
        ringAttention(group, backend, {one.view(), one.view(), one.view(), 1, 1.0F, true},
                      context.view());
    };
    QVERIFY_EXCEPTION_THROWN(runThreadGroup(2, tooManyProcesses), ShapeError);
    QVERIFY_EXCEPTION_THROWN(runThreadGroup(0, [](Communicator&) {}), Error);
}

HEADSCOPE_TEST(TestCluster)
#include "tst_cluster.moc"
