#pragma once

#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/worked_example.h"

namespace headscope {

struct ExampleEntry
{
    std::string name;  ///< Id: "attention".
    std::string title; ///< Visible title: "Attention, three tokens".
    std::string row;   ///< Row of the curriculum: "A2".
};

/// Examples in teaching order.
const std::vector<ExampleEntry>& exampleCatalogue();

/// Initial inputs of an example: those of the curriculum. Throws Error with the nearest name.
ExampleInputs exampleInputs(std::string_view name);

/// Computes all steps from the inputs. Throws Error for inputs that do not fit. Numbers may become
/// large, never NaN: a row without a visible key has weights 0 and output 0, and its steps say why.
WorkedExample workExample(const ExampleInputs& inputs);

} // namespace headscope
