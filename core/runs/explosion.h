#pragma once

#include "core/model/model.h"
#include "core/train/data/batch.h"

#include <string>

namespace headscope {

/// The first activation, in execution order on the first row of a batch, whose root mean square is
/// more than ten times as large with the weights of `now` as with those of `before`:
/// "blocks.0.attn.hook_q, 340 times as large". Empty when there is none.
std::string firstExploded(const Model& now, const Model& before, AttentionBackend& backend,
                          const Batch& batch);

} // namespace headscope
