#include "core/lessons/lab_groups.h"

namespace headscope {

std::vector<Lab> labsOfHeads()
{
    return {};
}

} // namespace headscope
