#include "core/ops/kernels.h"

#include "core/base/error.h"

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

#ifdef HEADSCOPE_ISA_DISPATCH
#include <cpuid.h>
#endif

namespace headscope {

namespace baseline {
void fillActivationKernels(Kernels& table);
void fillNormKernels(Kernels& table);
void fillRowKernels(Kernels& table);
void fillUpdateKernels(Kernels& table);
} // namespace baseline

#ifdef HEADSCOPE_ISA_DISPATCH
namespace avx2 {
void fillActivationKernels(Kernels& table);
void fillNormKernels(Kernels& table);
void fillRowKernels(Kernels& table);
void fillUpdateKernels(Kernels& table);
} // namespace avx2

namespace avx512 {
void fillActivationKernels(Kernels& table);
void fillNormKernels(Kernels& table);
void fillRowKernels(Kernels& table);
void fillUpdateKernels(Kernels& table);
} // namespace avx512
#endif

namespace {

using Fill = void (*)(Kernels&);

Kernels makeTable(const char* name, std::initializer_list<Fill> fills)
{
    Kernels table;
    table.name = name;
    for (const Fill fill : fills)
        fill(table);
    return table;
}

const Kernels* baselineKernels()
{
    static const Kernels table =
        makeTable("baseline", {baseline::fillActivationKernels, baseline::fillNormKernels,
                               baseline::fillRowKernels, baseline::fillUpdateKernels});
    return &table;
}

#ifdef HEADSCOPE_ISA_DISPATCH

/// Bits that compilers do not know by name.
bool hasF16c()
{
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

bool hasAvxVnni()
{
    constexpr unsigned kAvxVnni = 1U << 4;
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & kAvxVnni) != 0;
}

#endif

const Kernels* avx2Kernels()
{
#ifdef HEADSCOPE_ISA_DISPATCH
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && hasF16c()) {
        static const Kernels table =
            makeTable("avx2", {avx2::fillActivationKernels, avx2::fillNormKernels,
                               avx2::fillRowKernels, avx2::fillUpdateKernels});
        return &table;
    }
#endif
    return nullptr;
}

const Kernels* avx512Kernels()
{
#ifdef HEADSCOPE_ISA_DISPATCH
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        static const Kernels table =
            makeTable("avx512", {avx512::fillActivationKernels, avx512::fillNormKernels,
                                 avx512::fillRowKernels, avx512::fillUpdateKernels});
        return &table;
    }
#endif
    return nullptr;
}

const Kernels* widest()
{
    for (const Kernels* table : {avx512Kernels(), avx2Kernels()}) {
        if (table)
            return table;
    }
    return baselineKernels();
}

const Kernels* namedKernels(const std::string& name)
{
    const Kernels* const named = kernelsFor(name.c_str());
    if (named)
        return named;
    if (name == "avx2" || name == "avxvnni" || name == "avx512")
        throw Error("this processor or build has no " + name + " kernels", "HEADSCOPE_ISA",
                    std::string("Its widest set is ") + widest()->name);
    throw Error(name + " is not an instruction set", "HEADSCOPE_ISA",
                "Choose baseline, avx2, avxvnni or avx512");
}

} // namespace

const Kernels* kernelsFor(const char* name)
{
    const std::string_view wanted = name;
    if (wanted == "baseline")
        return baselineKernels();
    if (wanted == "avx2")
        return avx2Kernels();
    if (wanted == "avxvnni")
        return hasVnni("avx2") ? avx2Kernels() : nullptr;
    return wanted == "avx512" ? avx512Kernels() : nullptr;
}

bool hasVnni(const char* name)
{
#ifdef HEADSCOPE_ISA_DISPATCH
    const std::string_view set = name;
    if (set == "avx2")
        return avx2Kernels() != nullptr && hasAvxVnni();
    if (set == "avx512")
        return avx512Kernels() != nullptr && __builtin_cpu_supports("avx512vnni");
#endif
    return false;
}

const Kernels& kernels()
{
    static const Kernels* const chosen = [] {
        const char* name = std::getenv("HEADSCOPE_ISA");
        return name && *name ? namedKernels(name) : widest();
    }();
    return *chosen;
}

bool usesVnni()
{
    static const bool uses = [] {
        const char* name = std::getenv("HEADSCOPE_ISA");
        return hasVnni(kernels().name) && !(name && std::string_view(name) == "avx2");
    }();
    return uses;
}

} // namespace headscope
