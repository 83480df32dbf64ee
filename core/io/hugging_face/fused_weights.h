#pragma once

#include "core/io/hugging_face/hugging_face_family.h"

// Layouts of stored matrices that several families share.

namespace headscope {

/// Queries, keys and values of head after head in one matrix (GPT-NeoX, BLOOM).
void describePerHead(const WeightContext& context, StoredWeight& weight);

/// All queries, all keys and all values one after another in one matrix (Phi-3, ModernBERT).
void describeJoinedHeads(const WeightContext& context, StoredWeight& weight);

/// The queries that share a key head, that key and its value, group after group (Falcon).
void describeHeadGroups(const WeightContext& context, StoredWeight& weight);

/// Queries, values and keys of a quarter of all heads after those of another (CodeGen). The width
/// of the model must be a multiple of 4.
void describeQuarters(const WeightContext& context, StoredWeight& weight);

/// The gate and what it multiplies one after another in one matrix.
void describeJoinedGate(const WeightContext& context, StoredWeight& weight);

/// Experts in one tensor per matrix, [experts, 2 width, d] and [experts, d, width], where the file
/// has `names` + "gate_up_proj"; otherwise one by one.
void describeExperts(const WeightContext& context, const std::string& names, StoredWeight& weight);

/// The same with the names of both tensors of all experts, if the file has them.
void describeExperts(const WeightContext& context, const std::string& gateAndUp,
                     const std::string& down, StoredWeight& weight);

/// For parameters of the layout that no model of the family has: zeros, none of them missing.
void useZeros(StoredWeight& weight);

/// The output projection of attention has a bias only if queries, keys and values have.
void dropOutputBias(const WeightContext& context, StoredWeight& weight);

/// Attention and feed-forward network have biases or not, independently (readBiases): those of a
/// feed-forward network are zeros where no layer of the file has them.
void describeBiases(const WeightContext& context, StoredWeight& weight);

/// Positions begin at row `skipped` of the stored matrix (OPT, RoBERTa).
void skipPositions(const WeightContext& context, std::int64_t skipped, StoredWeight& weight);

} // namespace headscope
