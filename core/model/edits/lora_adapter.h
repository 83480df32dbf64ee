#pragma once

#include "core/model/edits/weight_edit.h"
#include "core/tensor/tensor.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace headscope {

class Model;

/// Low-rank update of one parameter [rows, columns] as it is stored here: W + scale * left * right
/// (Hu et al. 2021, "LoRA: Low-Rank Adaptation of Large Language Models", section 4.1, where left is
/// B, right is A and scale is alpha / r).
struct LoraUpdate
{
    std::string parameter; ///< Name such as "h.0.attn.q.weight".
    Tensor left;           ///< [rows, r].
    Tensor right;          ///< [r, columns].
    double scale = 1.0;
};

/// Updates of the parameters that an adapter names.
struct LoraAdapter
{
    std::vector<LoraUpdate> updates;
};

/// `base` with the adapter applied. Only the updated matrices are copied, as 32-bit floats; all
/// others are shared with `base`. `edits` are those that the new model reports as its own. Throws
/// ShapeError for a parameter that does not exist or does not fit, Error without enough memory, and
/// Cancelled.
std::shared_ptr<const Model> adaptedModel(const std::shared_ptr<const Model>& base,
                                          const LoraAdapter& adapter, std::vector<WeightEdit> edits,
                                          const std::stop_token& stop = {});

} // namespace headscope
