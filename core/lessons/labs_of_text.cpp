#include "core/lessons/lab_groups.h"

namespace headscope {

std::vector<Lab> labsOfText()
{
    return {};
}

} // namespace headscope
