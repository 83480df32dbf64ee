// labels: threads
#include "core/attention/attention_kernels.h"
#include "core/attention/attention_operands.h"
#include "core/attention/cpu_attention.h"
#include "core/base/parallel.h"
#include "tests/support/attention_cases.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstring>
#include <thread>

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr const char* kLevels[] = {"baseline", "avx2", "avx512"};

struct Results
{
    Tensor context;
    Tensor pattern;
    Tensor logSumExp;
    Tensor queries;
    Tensor keys;
    Tensor values;

    bool operator==(const Results& other) const
    {
        const auto same = [](const Tensor& a, const Tensor& b) {
            return a.shape() == b.shape() &&
                   std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
        };
        return same(context, other.context) && same(pattern, other.pattern) &&
               same(logSumExp, other.logSumExp) && same(queries, other.queries) &&
               same(keys, other.keys) && same(values, other.values);
    }
};

Results compute(AttentionBackend& backend, const AttentionInputs& inputs,
                const TensorView& upstream)
{
    Results results;
    const Shape& queries = inputs.queries.shape;
    results.context = Tensor(upstream.shape);
    results.pattern = Tensor({queries[0], queries[1], queries[2], inputs.keys.shape[2]});
    results.logSumExp = Tensor({queries[0], queries[1], queries[2]});
    results.queries = Tensor(queries);
    results.keys = Tensor(inputs.keys.shape);
    results.values = Tensor(inputs.values.shape);
    const AttentionOutputs outputs{
        results.context.view(), results.pattern.view(), {}, results.logSumExp.view()};
    backend.forward(inputs, outputs);
    backend.backward(inputs, {outputs.context, outputs.logSumExp, upstream},
                     {results.queries.view(), results.keys.view(), results.values.view(), {}});
    return results;
}

AttentionCase largeCase()
{
    AttentionCase test;
    test.batch = 2;
    test.queryHeads = 3;
    test.keyHeads = 3;
    test.queryTokens = 300;
    test.keyTokens = 300;
    test.headDim = 32;
    test.valueDim = 32;
    test.mask = CaseMask::Causal;
    return test;
}

} // namespace

class TstCpuAttention : public QObject
{
    Q_OBJECT

private slots:
    void agreesWithTheReference_data();
    void agreesWithTheReference();
    void fewHeadsOfManyTextsAddTheirChunks();
    void agreesAtRandomSizes_data();
    void agreesAtRandomSizes();
    void sameNumbersInEveryCall();
    void sameNumbersOnAnyThreads();
    void instancesWorkSideBySide();
    void theFutureDoesNotLeak();
    void neighboursInTheBatchDoNotMatter();
    void hiddenNotANumberReachesNoRow();
    void chosenLevelIsAvailable();
};

void TstCpuAttention::agreesWithTheReference_data()
{
    HS_ADD_ATTENTION_CASES();
}

void TstCpuAttention::agreesWithTheReference()
{
    HS_FETCH_ATTENTION_CASE(test);
    for (const char* level : kLevels) {
        const AttentionKernels* kernels = attentionKernelsFor(level);
        if (kernels == nullptr)
            continue;
        CpuAttention backend(*kernels);
        HS_CHECK_ATTENTION_CASE(backend, test);
    }
}

void TstCpuAttention::fewHeadsOfManyTextsAddTheirChunks()
{
    AttentionCase test;
    test.name = "2 texts, 2 key heads, many queries";
    test.batch = 2;
    test.queryHeads = 2;
    test.keyHeads = 2;
    test.queryTokens = 700;
    test.keyTokens = 90;
    test.headDim = 16;
    test.valueDim = 16;
    test.wantMaps = false;
    test.absolute = 2e-5;
    CpuAttention backend;
    HS_CHECK_ATTENTION_CASE(backend, test);
}

void TstCpuAttention::agreesAtRandomSizes_data()
{
    QTest::addColumn<QString>("level");
    for (const char* level : kLevels)
        QTest::newRow(level) << QString(level);
}

void TstCpuAttention::agreesAtRandomSizes()
{
    QFETCH(QString, level);
    const AttentionKernels* kernels = attentionKernelsFor(level.toUtf8().constData());
    if (kernels == nullptr)
        QSKIP("not available on this processor");
    CpuAttention backend(*kernels);
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const AttentionCase test = randomAttentionCase(seed, 70);
        HS_CHECK_ATTENTION_CASE(backend, test);
    }
}

void TstCpuAttention::sameNumbersInEveryCall()
{
    const AttentionOperands operands(largeCase(), 1);
    CpuAttention backend;
    const Results first = compute(backend, operands.inputs(), operands.contextGradient());
    for (int i = 0; i < 5; ++i)
        QVERIFY(compute(backend, operands.inputs(), operands.contextGradient()) == first);
}

void TstCpuAttention::sameNumbersOnAnyThreads()
{
    const AttentionOperands operands(largeCase(), 1);
    CpuAttention backend;
    const Results spread = compute(backend, operands.inputs(), operands.contextGradient());
    Results alone;
    // Inside a part of parallelFor everything runs on that thread.
    parallelFor(2, 2, [&](std::size_t, std::size_t, std::size_t part) {
        if (part == 0)
            alone = compute(backend, operands.inputs(), operands.contextGradient());
    });
    QVERIFY(alone == spread);
}

void TstCpuAttention::instancesWorkSideBySide()
{
    const AttentionOperands operands(largeCase(), 1);
    CpuAttention backend;
    const Results expected = compute(backend, operands.inputs(), operands.contextGradient());
    bool same[3] = {};
    std::vector<std::thread> threads;
    for (bool& result : same)
        threads.emplace_back([&] {
            CpuAttention own;
            result = compute(own, operands.inputs(), operands.contextGradient()) == expected;
        });
    for (std::thread& thread : threads)
        thread.join();
    QVERIFY(same[0] && same[1] && same[2]);
}

void TstCpuAttention::theFutureDoesNotLeak()
{
    AttentionCase test = largeCase();
    test.batch = 1;
    const AttentionOperands operands(test, 1);
    AttentionInputs inputs = operands.inputs();
    CpuAttention backend;
    const Results before = compute(backend, inputs, operands.contextGradient());
    constexpr std::int64_t kChanged = 101;
    for (std::int64_t head = 0; head < test.keyHeads; ++head)
        for (std::int64_t key = kChanged; key < test.keyTokens; ++key)
            for (std::int64_t d = 0; d < test.headDim; ++d) {
                const_cast<float&>(inputs.keys(0, head, key, d)) += 40.0F;
                const_cast<float&>(inputs.values(0, head, key, d)) = 1e30F;
            }
    const Results after = compute(backend, inputs, operands.contextGradient());
    const auto rows = static_cast<std::size_t>(kChanged * test.headDim) * sizeof(float);
    for (std::int64_t head = 0; head < test.queryHeads; ++head) {
        const std::int64_t at = head * test.queryTokens * test.headDim;
        QCOMPARE(std::memcmp(before.context.data() + at, after.context.data() + at, rows), 0);
    }
}

void TstCpuAttention::neighboursInTheBatchDoNotMatter()
{
    const AttentionOperands operands(largeCase(), 1);
    const AttentionInputs both = operands.inputs();
    CpuAttention backend;
    const Results together = compute(backend, both, operands.contextGradient());
    AttentionInputs second = both;
    const auto onlySecond = [](const TensorView& view) {
        Shape shape{1, view.shape[1], view.shape[2], view.shape[3]};
        return TensorView(view.data + view.stride(0), shape);
    };
    second.queries = onlySecond(both.queries);
    second.keys = onlySecond(both.keys);
    second.values = onlySecond(both.values);
    const Results alone = compute(backend, second, onlySecond(operands.contextGradient()));
    const std::size_t size = alone.keys.size();
    QCOMPARE(
        std::memcmp(alone.context.data(), together.context.data() + size, size * sizeof(float)), 0);
    QCOMPARE(std::memcmp(alone.keys.data(), together.keys.data() + size, size * sizeof(float)), 0);
}

void TstCpuAttention::hiddenNotANumberReachesNoRow()
{
    for (const char* level : kLevels) {
        const AttentionKernels* kernels = attentionKernelsFor(level);
        if (kernels == nullptr)
            continue;
        CpuAttention backend(*kernels);
        const std::string problem = reachOfNotANumber(backend);
        QVERIFY2(problem.empty(), problem.c_str());
    }
}

void TstCpuAttention::chosenLevelIsAvailable()
{
    QCOMPARE(attentionKernelsFor(attentionKernels().name), &attentionKernels());
    QVERIFY(attentionKernelsFor("baseline") != nullptr);
    QVERIFY(attentionKernelsFor("mmx") == nullptr);
}

HEADSCOPE_TEST(TstCpuAttention)
#include "tst_cpu_attention.moc"
