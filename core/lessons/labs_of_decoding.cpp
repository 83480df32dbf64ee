#include "core/lessons/lab_decoding.h"
#include "core/lessons/lab_groups.h"

namespace headscope {

std::vector<Lab> labsOfDecoding()
{
    return {decodingLab(), beamLab()};
}

} // namespace headscope
