#include "core/lessons/labs/decoding/lab_decoding.h"
#include "core/lessons/labs/lab_groups.h"

namespace headscope {

std::vector<Lab> labsOfDecoding()
{
    return {decodingLab(), beamLab()};
}

} // namespace headscope
