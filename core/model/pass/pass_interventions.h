#pragma once

#include "core/model/pass/interventions.h"

namespace headscope {

/// True when an intervention changes the values at this site.
bool isChanged(const Interventions& interventions, TraceKey key);

/// Applies ablated heads, patches and pattern edits of one site. The view's rows (queries of a
/// pattern) are the positions from `firstPosition` on; its shape is the site's, strides may be any.
void applyInterventions(const Interventions& interventions, TraceKey key,
                        std::int64_t firstPosition, MutableTensorView activation);

/// Interventions in the encoder of an encoder-decoder. Masks are the decoder's.
Interventions encoderPart(const Interventions& interventions);

/// Zeroes a gradient wherever a patch or an ablation replaced the value: nothing before depends on
/// it.
void clearReplaced(const Interventions& interventions, TraceKey key, MutableTensorView gradient);

/// Propagates d pattern as edited to d pattern as computed, both [heads, queries, keys]: nothing
/// through a replaced cell, but other cells of its row that were rescaled depend on all of them.
void editsBackward(const Interventions& interventions, TraceKey key, TensorView computed,
                   MutableTensorView gradient);

} // namespace headscope
