// program: its own, because it counts every allocation of the program
#include "core/attention/attention_check.h"
#include "core/attention/attention_operands.h"
#include "core/attention/cpu_attention.h"
#include "core/base/parallel.h"
#include "tests/support/counted_allocations.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace headscope;
using namespace headscope::test;

class TstCpuAttentionMemory : public QObject
{
    Q_OBJECT

private slots:
    void steadyStateAllocatesNothing_data();
    void steadyStateAllocatesNothing();
};

void TstCpuAttentionMemory::steadyStateAllocatesNothing_data()
{
    QTest::addColumn<int>("tokens");
    QTest::newRow("a short sentence") << 12;
    QTest::newRow("a page, on all threads") << 300;
}

void TstCpuAttentionMemory::steadyStateAllocatesNothing()
{
    QFETCH(int, tokens);
    AttentionCase test;
    test.queryHeads = 8;
    test.keyHeads = 4;
    test.queryTokens = tokens;
    test.keyTokens = tokens;
    test.headDim = 20;
    test.valueDim = 20;
    test.mask = CaseMask::Causal;
    test.bias = true;
    const AttentionOperands operands(test, 1);
    const AttentionInputs inputs = operands.inputs();
    Tensor context(operands.contextGradient().shape);
    Tensor pattern({1, 8, tokens, tokens});
    Tensor logSumExp({1, 8, tokens});
    Tensor queries(inputs.queries.shape);
    Tensor keys(inputs.keys.shape);
    Tensor values(inputs.values.shape);
    Tensor bias(inputs.bias.shape);
    const AttentionOutputs outputs{context.view(), pattern.view(), {}, logSumExp.view()};
    const AttentionSaved saved{outputs.context, outputs.logSumExp, operands.contextGradient()};
    const AttentionGradients gradients{queries.view(), keys.view(), values.view(), bias.view()};
    CpuAttention backend;
    const auto layer = [&] {
        const long before = allocations.load();
        backend.forward(inputs, outputs);
        backend.backward(inputs, saved, gradients);
        return allocations.load() - before;
    };
    QVERIFY(layer() > 0);
    // A thread may come to its first unit late and makes its workspace then, once for each pass.
    const auto workers = static_cast<long>(workerCount());
    long total = 0;
    for (long i = 0; i < 20 * workers; ++i)
        total += layer();
    QVERIFY2(total <= 2 * workers, qPrintable(QString::number(total)));
}

HEADSCOPE_TEST(TstCpuAttentionMemory)
#include "tst_cpu_attention_memory.moc"
