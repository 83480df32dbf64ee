#pragma once

#include "tests/support/golden.h"

#include <functional>
#include <span>
#include <string>

namespace headscope::test {

struct NumericGradient
{
    float step = 2e-2F;
    Tolerance tolerance{2e-3, 1e-2}; ///< float32 sums over a step of this size carry about 1e-4
};

/// Compares `analytic` with differences of fourth order of value() in each element of `variable`,
/// which value() must read. Returns "" or the worst element, as mismatch() does.
std::string gradientMismatch(const std::function<double()>& value, std::span<float> variable,
                             std::span<const float> analytic, const NumericGradient& settings = {});

} // namespace headscope::test

/// QVERIFY that prints where a numeric and an analytic gradient differ most.
#define HS_COMPARE_GRADIENT(...)                                                                   \
    do {                                                                                           \
        const std::string problem_ = headscope::test::gradientMismatch(__VA_ARGS__);               \
        QVERIFY2(problem_.empty(), problem_.c_str());                                              \
    } while (false)
