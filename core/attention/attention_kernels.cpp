#include "core/attention/attention_kernels.h"

#include "core/ops/kernels.h"

#include <string_view>

namespace headscope {

namespace baseline {
void fillForwardKernels(AttentionKernels& table);
void fillBackwardKernels(AttentionKernels& table);
} // namespace baseline

#ifdef HEADSCOPE_ISA_DISPATCH
namespace avx2 {
void fillForwardKernels(AttentionKernels& table);
void fillBackwardKernels(AttentionKernels& table);
} // namespace avx2

namespace avx512 {
void fillForwardKernels(AttentionKernels& table);
void fillBackwardKernels(AttentionKernels& table);
} // namespace avx512
#endif

namespace {

using Fill = void (*)(AttentionKernels&);

AttentionKernels makeTable(const char* name, Fill forward, Fill backward)
{
    AttentionKernels table{};
    table.name = name;
    forward(table);
    backward(table);
    return table;
}

} // namespace

const AttentionKernels* attentionKernelsFor(const char* name)
{
    const std::string_view wanted = name;
    // The operators know what this processor supports.
    if (kernelsFor(name) == nullptr)
        return nullptr;
    if (wanted == "baseline") {
        static const AttentionKernels table =
            makeTable("baseline", baseline::fillForwardKernels, baseline::fillBackwardKernels);
        return &table;
    }
#ifdef HEADSCOPE_ISA_DISPATCH
    if (wanted == "avx2") {
        static const AttentionKernels table =
            makeTable("avx2", avx2::fillForwardKernels, avx2::fillBackwardKernels);
        return &table;
    }
    if (wanted == "avx512") {
        static const AttentionKernels table =
            makeTable("avx512", avx512::fillForwardKernels, avx512::fillBackwardKernels);
        return &table;
    }
#endif
    return nullptr;
}

const AttentionKernels& attentionKernels()
{
    static const AttentionKernels& chosen = *attentionKernelsFor(kernels().name);
    return chosen;
}

} // namespace headscope
