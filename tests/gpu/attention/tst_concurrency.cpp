// links: core/attention
// labels: threads
#include "core/attention/attention_operands.h"
#include "tests/gpu/gpu_test.h"

#include "core/attention/attention_check.h"
#include "tests/support/qt_under_tsan.h"
#include "tests/support/test_program.h"

#include <array>
#include <cstring>
#include <thread>

using namespace headscope;
using namespace headscope::test;
using gpu::OpenClAttention;

class TstConcurrency : public QObject
{
    Q_OBJECT

private slots:
    void twoInstancesWorkAtOnce();
    void callsOfOneKernelMayOverlap();
    void buildsMayBeAskedForFromManyThreads();

private:
    std::shared_ptr<gpu::KernelLibrary> m_library = testLibrary({});
};

namespace {

AttentionCase caseOf(std::int64_t tokens, std::int64_t headDim, std::int64_t batch = 2)
{
    AttentionCase test;
    test.batch = batch;
    test.queryHeads = 4;
    test.keyHeads = 2;
    test.queryTokens = tokens;
    test.keyTokens = tokens;
    test.headDim = headDim;
    test.valueDim = headDim;
    test.mask = CaseMask::Causal;
    return test;
}

bool givesTheSameOften(OpenClAttention attention, const AttentionOperands& operands)
{
    constexpr int kCalls = 600;
    const AttentionInputs inputs = operands.inputs();
    Tensor first(operands.contextGradient().shape);
    attention.forward(inputs, {first.view(), {}, {}, {}});
    for (int call = 0; call < kCalls; ++call) {
        Tensor again(first.shape());
        attention.forward(inputs, {again.view(), {}, {}, {}});
        if (std::memcmp(first.data(), again.data(), first.size() * sizeof(float)) != 0)
            return false;
    }
    return true;
}

} // namespace

void TstConcurrency::twoInstancesWorkAtOnce()
{
    HS_NEED_DEVICE(m_library);
    std::array<std::string, 2> problems;
    {
        std::array<std::jthread, 2> threads;
        for (std::size_t index = 0; index < threads.size(); ++index) {
            threads[index] = std::jthread([this, index, &problem = problems[index]] {
                OpenClAttention attention(m_library);
                const AttentionCase test = caseOf(index == 0 ? 37 : 52, 16);
                for (std::uint64_t seed = 1; seed <= 20 && problem.empty(); ++seed)
                    problem = compareWithReference(attention, test, seed).problem;
            });
        }
    }
    for (const std::string& problem : problems)
        QVERIFY2(problem.empty(), problem.c_str());
}

/// Many short calls of the same kernels over grids of different sizes: where commands overlap, PoCL
/// 3.1 ends the process.
void TstConcurrency::callsOfOneKernelMayOverlap()
{
    HS_NEED_DEVICE(m_library);
    std::array<bool, 3> isSame{};
    {
        std::array<std::jthread, 3> threads;
        for (std::size_t index = 0; index < threads.size(); ++index)
            threads[index] = std::jthread([this, index, &same = isSame[index]] {
                const AttentionOperands operands(
                    caseOf(30, 16, 1 + static_cast<std::int64_t>(3 * index)), 1);
                same = givesTheSameOften(OpenClAttention(m_library), operands);
            });
    }
    for (const bool same : isSame)
        QVERIFY(same);
}

void TstConcurrency::buildsMayBeAskedForFromManyThreads()
{
    HS_NEED_DEVICE(m_library);
    const gpu::ProgramSpec spec{
        gpu::KernelFamily::Block, false, 32, 32,
        gpu::chooseTuning(gpu::KernelFamily::Block, m_library->device().facts, 64, 32)};
    std::array<gpu::ProgramPtr, 4> programs;
    {
        std::array<std::jthread, 4> threads;
        for (std::size_t index = 0; index < threads.size(); ++index)
            threads[index] = std::jthread([this, &spec, &program = programs[index]] {
                program = m_library->request(spec).get();
            });
    }
    for (const gpu::ProgramPtr& program : programs)
        QCOMPARE(program, programs[0]);
    QVERIFY(programs[0] != nullptr);
}

HEADSCOPE_TEST(TstConcurrency)
#include "tst_concurrency.moc"
