#pragma once

#include "core/lessons/labs/lab.h"
#include "core/lessons/lesson_numbers.h"
#include "core/lessons/listings/listing.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/worked_example.h"

#include <nlohmann/json.hpp>

namespace headscope {

/// Every step with its operands and result, as shown in the window.
nlohmann::ordered_json toJson(const WorkedExample& example, const ExampleInputs& inputs);

/// Settings, numbers, sentence and panel data of a lab.
nlohmann::ordered_json toJson(const Lab& lab, const LabSettings& settings, const LabResult& result);

/// Both texts of a listing, line by line with shapes and parts, and its notes.
nlohmann::ordered_json toJson(const Listing& listing);

/// Terminal output of an example, one line per step: "scores[2,0] = 1 · 1 + 1 · 1 = 2".
std::string textOf(const WorkedExample& example);

/// Terminal output of a lab: the sentence and one line per number.
std::string textOf(const Lab& lab, const LabSettings& settings, const LabResult& result);

/// Reference to a cell: "scores[2,0]".
std::string nameOf(const WorkedExample& example, CellAddress address);

} // namespace headscope
