#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

// One lab each; labsOfAttention() puts them in order.

Lab whyScaleLab();
Lab multiHeadLab();
Lab crossLab();
Lab sharedHeadsLab();
Lab kvCacheLab();
Lab cachedDecodingLab();
Lab flashLab();
Lab flashMeasuredLab();
Lab windowLab();
Lab ringLab();
Lab complexityLab();

} // namespace headscope
