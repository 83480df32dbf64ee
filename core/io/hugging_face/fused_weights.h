#pragma once

#include "core/io/hugging_face/hugging_face_family.h"

// Layouts of stored matrices that several families share.

namespace headscope {

/// Queries, keys and values of head after head in one matrix (GPT-NeoX, BLOOM).
void describePerHead(const WeightContext& context, StoredWeight& weight);

/// The output projection of attention has a bias only if queries, keys and values have.
void dropOutputBias(const WeightContext& context, StoredWeight& weight);

} // namespace headscope
