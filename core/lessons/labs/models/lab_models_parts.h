#pragma once

#include "core/lessons/labs/lab.h"

namespace headscope {

// One lab each; labsOfModels() puts them in order.

Lab parametersLab();
Lab architecturesLab();
Lab yourModelLab();

} // namespace headscope
