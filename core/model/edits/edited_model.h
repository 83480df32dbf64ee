#pragma once

#include "core/model/edits/weight_edit.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

class Model;
struct ModelConfig;

/// Opens the checkpoint that an edit takes weights from.
using OpenCheckpoint = std::function<std::shared_ptr<const Model>(const std::string& name)>;

/// `base` with the edits applied in order. Only edited matrices are copied (stored ones are expanded
/// to 32-bit floats); all others, and what was prepared for forward passes, are shared with `base`,
/// which stays as it is. Returns `base` itself without edits. Throws ShapeError, in one sentence,
/// for a matrix, row, head or checkpoint that does not exist or does not fit; Cancelled.
std::shared_ptr<const Model> editedModel(const std::shared_ptr<const Model>& base,
                                         const std::vector<WeightEdit>& edits,
                                         const OpenCheckpoint& open, std::stop_token stop = {});

/// Throws ShapeError, in one sentence, for an edit whose matrix, row, column or head the model does
/// not have.
void checkWeightEdit(const ModelConfig& config, const WeightEdit& edit);

} // namespace headscope
