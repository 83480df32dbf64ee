#pragma once

#include "core/train/data/prepared_data.h"
#include "core/train/measures/task_evaluation.h"

#include <optional>
#include <vector>

namespace headscope {

/// Source positions that the cross-attention of a sequence task should attend to while target
/// symbol `index` (from 0) is predicted. Copy: the same position; Reverse: the mirrored position;
/// Addition: the digits of the same decimal place; Sort and Dates: every copy of the next symbol;
/// Phrases: the words that character `index` translates. Empty if there are none.
std::vector<std::size_t> sourcePlaces(const DataSettings& data, std::string_view source,
                                      std::string_view target, std::size_t index);

/// sourcePlaces of the first `count` symbols.
std::vector<std::vector<std::size_t>> allSourcePlaces(const DataSettings& data,
                                                      std::string_view source,
                                                      std::string_view target, std::size_t count);

/// The head whose attention on these positions is largest, averaged over the symbols of the
/// held-out rows: "cross_diagonal" (Copy), "cross_antidiagonal" (Reverse), "cross_same_place"
/// (Addition), "cross_next_symbol" (Sort, Dates), "cross_aligned_words" (Phrases).
std::optional<TaskEvaluation::BestHead> crossHead(const Model& model, const DataSettings& settings,
                                                  const PreparedData& data,
                                                  AttentionBackend& backend);

/// Head "bracket_match": the one that attends most from closing brackets to their opening brackets,
/// in the balanced held-out questions.
std::optional<TaskEvaluation::BestHead> bracketHead(const Model& model, const PreparedData& data,
                                                    AttentionBackend& backend);

/// Heads "previous_token" and "next_token" of an encoder, on held-out rows.
std::vector<TaskEvaluation::BestHead> neighbourHeads(const Model& model, const PreparedData& data,
                                                     AttentionBackend& backend);

} // namespace headscope
