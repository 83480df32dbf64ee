#include "core/train/measures/pattern_keeper.h"

#include <algorithm>

namespace headscope {

void PatternKeeper::record(TraceKey, TensorView activation, std::int64_t)
{
    Tensor& pattern = patterns.emplace_back(activation.shape);
    const MutableTensorView copy = pattern.view();
    for (std::int64_t head = 0; head < activation.shape[0]; ++head) {
        for (std::int64_t query = 0; query < activation.shape[1]; ++query)
            std::copy_n(&activation(head, query, 0), activation.shape[2], &copy(head, query, 0));
    }
}

} // namespace headscope
