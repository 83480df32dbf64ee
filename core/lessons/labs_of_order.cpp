#include "core/lessons/lab_groups.h"

namespace headscope {

std::vector<Lab> labsOfOrder()
{
    return {};
}

} // namespace headscope
