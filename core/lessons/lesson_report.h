#pragma once

#include "core/lessons/labs/lab.h"
#include "core/lessons/lesson_numbers.h"
#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/worked_example.h"

#include <nlohmann/json.hpp>

namespace headscope {

/// Every step with its operands and result, the same that the window shows.
nlohmann::ordered_json toJson(const WorkedExample& example, const ExampleInputs& inputs);

/// Settings, numbers, sentence and the panels' own numbers.
nlohmann::ordered_json toJson(const Lab& lab, const LabSettings& settings, const LabResult& result);

/// For a terminal: one line a step, "scores[2,0] = 1 · 1 + 1 · 1 = 2".
std::string textOf(const WorkedExample& example);

/// For a terminal: the sentence and one line a number.
std::string textOf(const Lab& lab, const LabSettings& settings, const LabResult& result);

/// "scores[2,0]"
std::string nameOf(const WorkedExample& example, CellAddress address);

} // namespace headscope
