#include "core/lessons/labs/lab_groups.h"
#include "core/lessons/labs/models/lab_models_parts.h"

namespace headscope {

std::vector<Lab> labsOfModels()
{
    return {architecturesLab(), parametersLab(), yourModelLab()};
}

} // namespace headscope
