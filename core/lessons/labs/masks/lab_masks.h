#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

// The labs of labsOfMasks(), one by one.

Lab masksLab();
Lab nextWordTableLab();
Lab paintedMaskLab();
Lab leakLab();
Lab leakTrainedLab();

} // namespace headscope
