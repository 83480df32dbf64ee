#pragma once

#include "core/lessons/labs/lab_plot.h"
#include "core/model/pass/site_shape.h"

#include <string>

namespace headscope {

/// Diagram of the whole model, one column per stack, with all blocks of a stack merged into one.
/// Shapes are those of a text of these extents.
LabDiagram modelDiagram(const ModelConfig& config, const SiteExtents& extents);

/// Diagram of one block.
LabDiagram blockDiagram(const ModelConfig& config, Stack stack, int layer,
                        const SiteExtents& extents);

} // namespace headscope
