#pragma once

#include "core/train/data/prepared_data.h"
#include "core/train/measures/task_evaluation.h"

#include <optional>
#include <vector>

namespace headscope {

/// Where the cross-attention of a sequence task should look while target symbol `index` (counted
/// from 0) is foretold: positions of the source. Copy: the same place; Reverse: the mirrored place;
/// Addition: the digits of the same decimal place; Sort and Dates: every copy of the symbol that
/// comes next. Empty where there is none.
std::vector<std::size_t> sourcePlaces(const DataSettings& data, std::string_view source,
                                      std::string_view target, std::size_t index);

/// The head whose attention on these places is largest, averaged over the symbols of the held-out
/// rows: "cross_diagonal" (Copy), "cross_antidiagonal" (Reverse), "cross_same_place" (Addition),
/// "cross_next_symbol" (Sort, Dates).
std::optional<TaskEvaluation::BestHead> crossHead(const Model& model, const DataSettings& settings,
                                                  const PreparedData& data,
                                                  AttentionBackend& backend);

/// "bracket_match": the head that looks most from closing brackets to those that they close, in
/// the balanced held-out questions.
std::optional<TaskEvaluation::BestHead> bracketHead(const Model& model, const PreparedData& data,
                                                    AttentionBackend& backend);

/// "previous_token" and "next_token" of an encoder, on held-out rows.
std::vector<TaskEvaluation::BestHead> neighbourHeads(const Model& model, const PreparedData& data,
                                                     AttentionBackend& backend);

} // namespace headscope
