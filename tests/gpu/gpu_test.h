#pragma once

#include "gpu/attention/opencl_attention.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>

namespace headscope::test {

/// The device that tests run on: the best one, or null where there is none.
inline std::shared_ptr<gpu::KernelLibrary> testLibrary(const std::string& cacheFolder,
                                                       const std::string& options = {})
{
    const auto devices = gpu::findDevices();
    std::vector<gpu::OpenClFacts> facts;
    for (const gpu::OpenClDevice& device : devices)
        facts.push_back(device.facts);
    const auto choice = gpu::chooseDevice(facts);
    if (!choice)
        return nullptr;
    return std::make_shared<gpu::KernelLibrary>(devices[choice->index], cacheFolder, options);
}

} // namespace headscope::test

/// Leaves the test when there is no device: skipped, or failed with HEADSCOPE_REQUIRE_OPENCL=1.
#define HS_NEED_DEVICE(library)                                                                    \
    do {                                                                                           \
        if (!(library)) {                                                                          \
            if (qEnvironmentVariableIntValue("HEADSCOPE_REQUIRE_OPENCL") == 1)                     \
                QFAIL("HEADSCOPE_REQUIRE_OPENCL is set and there is no OpenCL device");            \
            QSKIP("no OpenCL device");                                                             \
        }                                                                                          \
    } while (false)
