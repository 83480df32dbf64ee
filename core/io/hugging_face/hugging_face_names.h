#pragma once

#include "core/io/stored_model.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Weights in the order of the layout, one per parameter, for a model_type that huggingFaceConfig
/// supports. `tensors` are the names in the files, without the prefix: what may be stored in
/// several ways is looked up there.
std::vector<StoredWeight> storedWeights(const std::string& modelType, const ModelConfig& config,
                                        const std::set<std::string>& tensors = {});

/// Prefix such as "model." of model.layers.0...: a file saved without a head lacks it.
std::string_view basePrefix(const std::string& modelType);

/// True for tensors without information of their own: masks and tables that older versions saved,
/// copies of tied weights, and heads that are not used here (BERT's pooler without next_sentence).
bool isRedundant(const std::string& modelType, const ModelConfig& config, std::string_view name);

} // namespace headscope
