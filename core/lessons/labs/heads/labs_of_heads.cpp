#include "core/lessons/labs/lab_groups.h"
#include "core/lessons/labs/heads/lab_heads_parts.h"

namespace headscope {

std::vector<Lab> labsOfHeads()
{
    return {whatHeadsDoLab(), notAnExplanationLab()};
}

} // namespace headscope
