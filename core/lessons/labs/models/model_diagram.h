#pragma once

#include "core/lessons/labs/lab_picture.h"
#include "core/model/pass/site_shape.h"

#include <string>

namespace headscope {

/// The whole model, a column a stack; all blocks of a stack stand as one. Shapes are those of such
/// a text.
LabDiagram modelDiagram(const ModelConfig& config, const SiteExtents& extents);

/// Inside one block.
LabDiagram blockDiagram(const ModelConfig& config, Stack stack, int layer,
                        const SiteExtents& extents);

} // namespace headscope
