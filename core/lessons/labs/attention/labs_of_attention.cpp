#include "core/lessons/labs/attention/lab_attention_parts.h"
#include "core/lessons/labs/lab_groups.h"

namespace headscope {

std::vector<Lab> labsOfAttention()
{
    return {whyScaleLab(), multiHeadLab(),      crossLab(),     sharedHeadsLab(),
            kvCacheLab(),  cachedDecodingLab(), flashLab(),     flashMeasuredLab(),
            windowLab(),   ringLab(),           complexityLab()};
}

} // namespace headscope
