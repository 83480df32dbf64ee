#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

// The labs of labsOfOrder(), one by one.

Lab embeddingLab();
Lab sinusoidLab();
Lab rotationLab();
Lab learnedPositionsLab();
Lab ropeLab();
Lab alibiLab();
Lab noOrderLab();
Lab beyondLengthLab();
Lab extrapolationLab();

} // namespace headscope
