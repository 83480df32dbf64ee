// links: core/attention
#include "core/attention/attention_operands.h"
#include "tests/gpu/gpu_test.h"

#include "core/attention/attention_check.h"
#include "core/attention/backend_registry.h"
#include "core/attention/fallback_attention.h"
#include "core/base/error.h"
#include "gpu/attention/register_devices.h"
#include "tests/support/test_program.h"

#include <dlfcn.h>

using namespace headscope;
using namespace headscope::test;
using gpu::MemoryMode;
using gpu::OpenClAttention;

namespace {

/// Calls until one of them fails with CL_OUT_OF_RESOURCES; negative: none does.
int callsUntilFailure = -1;

bool failsNow()
{
    return callsUntilFailure >= 0 && callsUntilFailure-- == 0;
}

template<class Function>
Function* driver(const char* name)
{
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace

// The product calls these instead of the loader's, so a device can be made to fail in mid-run.
extern "C" cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint axes,
                                         const std::size_t* offset, const std::size_t* global,
                                         const std::size_t* local, cl_uint count,
                                         const cl_event* events, cl_event* event)
{
    if (failsNow())
        return CL_OUT_OF_RESOURCES;
    static const auto real = driver<decltype(clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel");
    return real(queue, kernel, axes, offset, global, local, count, events, event);
}

extern "C" cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, std::size_t size,
                                 void* host, cl_int* status)
{
    if (failsNow()) {
        *status = CL_OUT_OF_RESOURCES;
        return nullptr;
    }
    static const auto real = driver<decltype(clCreateBuffer)>("clCreateBuffer");
    return real(context, flags, size, host, status);
}

extern "C" cl_int clFinish(cl_command_queue queue)
{
    static const auto real = driver<decltype(clFinish)>("clFinish");
    const cl_int status = real(queue);
    return failsNow() ? CL_OUT_OF_RESOURCES : status;
}

class TstFailingDevice : public QObject
{
    Q_OBJECT

private slots:

    void cleanup() { callsUntilFailure = -1; }

    void everyFailingCallThrowsAndTheNextOneWorks_data();
    void everyFailingCallThrowsAndTheNextOneWorks();
    void theProcessorAnswersForAFailingDevice();
    void aKernelThatDoesNotBuildIsAnError();
    void registrationBuildsNothing();

private:
    std::shared_ptr<gpu::KernelLibrary> m_library = testLibrary({});
};

namespace {

AttentionCase smallCase()
{
    AttentionCase test;
    test.batch = 2;
    test.queryHeads = 4;
    test.keyHeads = 2;
    test.queryTokens = 21;
    test.keyTokens = 21;
    test.headDim = 16;
    test.valueDim = 16;
    test.mask = CaseMask::Causal;
    return test;
}

} // namespace

void TstFailingDevice::everyFailingCallThrowsAndTheNextOneWorks_data()
{
    QTest::addColumn<int>("memory");
    QTest::newRow("shared memory") << static_cast<int>(MemoryMode::Shared);
    QTest::newRow("copied memory") << static_cast<int>(MemoryMode::Copied);
}

void TstFailingDevice::everyFailingCallThrowsAndTheNextOneWorks()
{
    HS_NEED_DEVICE(m_library);
    QFETCH(int, memory);
    const AttentionCase test = smallCase();
    const AttentionOperands operands(test, 1);
    int failures = 0;
    for (bool hasFailed = true; hasFailed; ++failures) {
        OpenClAttention attention(m_library, {true, std::nullopt, static_cast<MemoryMode>(memory)});
        Tensor context({test.batch, test.queryHeads, test.queryTokens, test.valueDim});
        m_library->request(attention.programFor(operands.inputs())).wait();
        callsUntilFailure = failures;
        hasFailed = false;
        try {
            attention.forward(operands.inputs(), {context.view(), {}, {}, {}});
        } catch (const BackendError& error) {
            hasFailed = true;
            QCOMPARE(error.status(), CL_OUT_OF_RESOURCES);
            QVERIFY(error.call().find("CL_OUT_OF_RESOURCES") != std::string::npos);
        }
        callsUntilFailure = -1;
        const std::string problem = compareWithReference(attention, test).problem;
        QVERIFY2(problem.empty(), problem.c_str());
    }
    QVERIFY2(failures > 4, "too few calls failed: buffers, two kernels and the wait are expected");
}

void TstFailingDevice::theProcessorAnswersForAFailingDevice()
{
    HS_NEED_DEVICE(m_library);
    const AttentionCase test = smallCase();
    FallbackAttention attention(std::make_unique<OpenClAttention>(m_library));
    std::string problem = compareWithReference(attention, test).problem;
    QVERIFY2(problem.empty(), problem.c_str());
    QVERIFY(attention.ranOnDevice());
    callsUntilFailure = 3;
    problem = compareWithReference(attention, test).problem;
    QVERIFY2(problem.empty(), problem.c_str());
    QVERIFY(attention.hasFailed());
    QVERIFY(!attention.ranOnDevice());
    QVERIFY(attention.describe().starts_with("CPU"));
    QVERIFY(attention.describe().find("CL_OUT_OF_RESOURCES") != std::string::npos);
}

void TstFailingDevice::aKernelThatDoesNotBuildIsAnError()
{
    HS_NEED_DEVICE(m_library);
    const auto library = testLibrary({}, "-Dkernel=nonsense");
    OpenClAttention attention(library);
    const AttentionCase test = smallCase();
    const AttentionOperands operands(test, 1);
    Tensor context({test.batch, test.queryHeads, test.queryTokens, test.valueDim});
    QVERIFY_THROWS_EXCEPTION(BackendError,
                             attention.forward(operands.inputs(), {context.view(), {}, {}, {}}));
    FallbackAttention safe(std::make_unique<OpenClAttention>(library));
    const std::string problem = compareWithReference(safe, test).problem;
    QVERIFY2(problem.empty(), problem.c_str());
    QVERIFY2(safe.describe().find("gpu/kernels/") != std::string::npos, safe.describe().c_str());
}

void TstFailingDevice::registrationBuildsNothing()
{
    HS_NEED_DEVICE(m_library);
    BackendRegistry registry;
    const std::size_t before = registry.entries().size();
    callsUntilFailure = 0; // any buffer or launch would take this one
    gpu::registerOpenClDevices(registry);
    QCOMPARE(callsUntilFailure, 0);
    callsUntilFailure = -1;
    QCOMPARE(registry.entries().size(), before + gpu::findDevices().size());
    QCOMPARE(registry.entries()[before].facts.id, std::string("opencl:0"));
    const auto backend = registry.create("opencl:0");
    QCOMPARE(backend->name(), std::string_view("opencl"));
    const std::string problem = compareWithReference(*backend, smallCase()).problem;
    QVERIFY2(problem.empty(), problem.c_str());
}

HEADSCOPE_TEST(TstFailingDevice)
#include "tst_failing_device.moc"
