#pragma once

#include "core/lessons/lab.h"

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
