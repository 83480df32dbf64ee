#pragma once

#include "core/lessons/lab.h"

namespace headscope {

// The labs of labsOfBlocks(), one by one.

Lab normsLab();
Lab normPositionLab();
Lab feedForwardLab();
Lab expertsLab();
Lab residualLab();
Lab initialisationLab();

} // namespace headscope
