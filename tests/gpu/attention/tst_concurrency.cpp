// links: core/attention
// labels: threads
#include "tests/gpu/gpu_test.h"

#include "core/attention/attention_check.h"

#include <array>
#include <thread>

using namespace headscope;
using namespace headscope::test;
using gpu::OpenClAttention;

class TstConcurrency : public QObject
{
    Q_OBJECT

private slots:
    void twoInstancesWorkAtOnce();
    void buildsMayBeAskedForFromManyThreads();

private:
    std::shared_ptr<gpu::KernelLibrary> m_library = testLibrary({});
};

namespace {

AttentionCase caseOf(std::int64_t tokens, std::int64_t headDim)
{
    AttentionCase test;
    test.batch = 2;
    test.queryHeads = 4;
    test.keyHeads = 2;
    test.queryTokens = tokens;
    test.keyTokens = tokens;
    test.headDim = headDim;
    test.valueDim = headDim;
    test.mask = CaseMask::Causal;
    return test;
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
                    problem = checkCase(attention, test, seed);
            });
        }
    }
    for (const std::string& problem : problems)
        QVERIFY2(problem.empty(), problem.c_str());
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

QTEST_GUILESS_MAIN(TstConcurrency)
#include "tst_concurrency.moc"
