#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

// The labs of labsOfBlocks(), one by one.

Lab normsLab();
Lab normPositionLab();
Lab feedForwardLab();
Lab expertsLab();
Lab residualLab();
Lab initialisationLab();

} // namespace headscope
