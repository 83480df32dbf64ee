#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

// The labs of labsOfTraining(), one by one.

Lab lossesLab();
Lab maskedWordsLab();
Lab answerLossLab();
Lab optimizersLab();
Lab schedulesLab();
Lab scalingLab();
Lab pitfallsLab();

} // namespace headscope
