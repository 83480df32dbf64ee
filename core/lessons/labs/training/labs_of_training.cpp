#include "core/lessons/labs/lab_groups.h"
#include "core/lessons/labs/training/lab_training.h"

namespace headscope {

std::vector<Lab> labsOfTraining()
{
    return {lossesLab(),    maskedWordsLab(), answerLossLab(), optimizersLab(),
            schedulesLab(), scalingLab(),     pitfallsLab()};
}

} // namespace headscope
