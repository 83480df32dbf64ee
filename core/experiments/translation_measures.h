#pragma once

#include "core/experiments/experiment_measures.h"

namespace headscope {

/// Adds the numbers of Measure::Translation.
void addTranslations(const TrainedVariant& variant, VariantResult& result);

} // namespace headscope
