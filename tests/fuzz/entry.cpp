// What libFuzzer calls. Compiled once for every target, whose function HEADSCOPE_FUZZ_TARGET names.

#include "tests/fuzz/targets.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    headscope::fuzz::HEADSCOPE_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
    return 0;
}
