#pragma once

#include "core/model/edits/weight_edit.h"

namespace headscope {

/// Name that takes the place of a matrix in an edit that applies a LoRA adapter: as text
/// "adapter=@PATH", as JSON {"matrix": "adapter", "take": PATH}.
inline constexpr const char* kAdapterName = "adapter";

WeightEdit adapterEdit(std::string path);

/// True for an edit that applies an adapter, whose path is its `checkpoint`.
bool isAdapter(const WeightEdit& edit);

} // namespace headscope
