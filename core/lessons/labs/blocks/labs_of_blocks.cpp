#include "core/lessons/labs/blocks/lab_blocks.h"
#include "core/lessons/labs/lab_groups.h"

namespace headscope {

std::vector<Lab> labsOfBlocks()
{
    return {normsLab(),   normPositionLab(), feedForwardLab(),
            expertsLab(), residualLab(),     initialisationLab()};
}

} // namespace headscope
