#include "core/lessons/labs/lab_groups.h"
#include "core/lessons/labs/masks/lab_masks.h"

namespace headscope {

std::vector<Lab> labsOfMasks()
{
    return {masksLab(), nextWordTableLab(), paintedMaskLab(), leakLab(), leakTrainedLab()};
}

} // namespace headscope
