#include "core/lessons/lab_groups.h"
#include "core/lessons/lab_heads_parts.h"

namespace headscope {

std::vector<Lab> labsOfHeads()
{
    return {whatHeadsDoLab(), notAnExplanationLab()};
}

} // namespace headscope
