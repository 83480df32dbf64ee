#include "core/lessons/lab_groups.h"
#include "core/lessons/lab_text.h"

namespace headscope {

std::vector<Lab> labsOfText()
{
    return {bpeMergesLab(), tokenizersLab()};
}

} // namespace headscope
