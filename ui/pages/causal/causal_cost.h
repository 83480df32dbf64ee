#pragma once

#include "ui/pages/causal/causal_choice.h"

namespace headscope::ui {

/// What a test takes, from the measured time of the last forward pass.
struct CausalCost
{
    double passes = 0.0;  ///< Number of forward passes.
    double seconds = 0.0; ///< Expected time.
};

/// None without a model and a trace.
std::optional<CausalCost> costOf(const ViewSnapshot& view, CausalSection section);

/// Text such as "32 forward passes, about 0.4 s".
QString costText(const CausalCost& cost);

} // namespace headscope::ui
