#include "core/lessons/labs/lab_groups.h"
#include "core/lessons/labs/text/lab_text.h"

namespace headscope {

std::vector<Lab> labsOfText()
{
    return {bpeMergesLab(), tokenizersLab()};
}

} // namespace headscope
