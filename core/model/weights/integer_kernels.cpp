#include "core/model/weights/integer_linear_kernels.h"
#include "core/ops/kernels.h"

#include <string_view>

namespace headscope {

#ifdef HEADSCOPE_ISA_DISPATCH

namespace avx2 {
void roundRow(const float* in, std::int64_t row, const RoundedRows& rows);
bool multiplyIntegers(BlockFormat format, const IntegerProduct& product);
bool multiplyIntegerPanels(BlockFormat format, const IntegerProduct& product);
} // namespace avx2

namespace avxvnni {
void roundRow(const float* in, std::int64_t row, const RoundedRows& rows);
bool multiplyIntegers(BlockFormat format, const IntegerProduct& product);
bool multiplyIntegerPanels(BlockFormat format, const IntegerProduct& product);
} // namespace avxvnni

namespace avx512 {
void roundRow(const float* in, std::int64_t row, const RoundedRows& rows);
bool multiplyIntegers(BlockFormat format, const IntegerProduct& product);
bool multiplyIntegerPanels(BlockFormat format, const IntegerProduct& product);
} // namespace avx512

namespace avx512vnni {
void roundRow(const float* in, std::int64_t row, const RoundedRows& rows);
bool multiplyIntegers(BlockFormat format, const IntegerProduct& product);
bool multiplyIntegerPanels(BlockFormat format, const IntegerProduct& product);
} // namespace avx512vnni

namespace {

struct Entry
{
    IntegerKernels kernels;
    const char* set; ///< Set of kernelsFor that it belongs to.
    bool needsVnni;
};

constexpr Entry kEntries[] = {
    {{"avx2", avx2::roundRow, avx2::multiplyIntegers, avx2::multiplyIntegerPanels}, "avx2", false},
    {{"avxvnni", avxvnni::roundRow, avxvnni::multiplyIntegers, avxvnni::multiplyIntegerPanels},
     "avx2",
     true},
    {{"avx512", avx512::roundRow, avx512::multiplyIntegers, avx512::multiplyIntegerPanels},
     "avx512",
     false},
    {{"avx512vnni", avx512vnni::roundRow, avx512vnni::multiplyIntegers,
      avx512vnni::multiplyIntegerPanels},
     "avx512",
     true},
};

} // namespace

const IntegerKernels* integerKernelsFor(const char* name)
{
    for (const Entry& entry : kEntries)
        if (std::string_view(entry.kernels.name) == name)
            return kernelsFor(entry.set) && (!entry.needsVnni || hasVnni(entry.set))
                       ? &entry.kernels
                       : nullptr;
    return nullptr;
}

const IntegerKernels* integerKernels()
{
    static const IntegerKernels* const chosen = []() -> const IntegerKernels* {
        for (const Entry& entry : kEntries)
            if (std::string_view(entry.set) == kernels().name && entry.needsVnni == usesVnni())
                return &entry.kernels;
        return nullptr;
    }();
    return chosen;
}

#else

const IntegerKernels* integerKernelsFor(const char*)
{
    return nullptr;
}

const IntegerKernels* integerKernels()
{
    return nullptr;
}

#endif

} // namespace headscope
