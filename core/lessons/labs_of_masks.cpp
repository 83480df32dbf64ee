#include "core/lessons/lab_groups.h"
#include "core/lessons/lab_masks.h"

namespace headscope {

std::vector<Lab> labsOfMasks()
{
    return {masksLab(), nextWordTableLab(), paintedMaskLab(), leakLab(), leakTrainedLab()};
}

} // namespace headscope
