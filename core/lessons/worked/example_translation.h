#pragma once

#include "core/lessons/worked/example_inputs.h"
#include "core/lessons/worked/worked_example.h"

namespace headscope {

/// `inputs` in the language of this process: titles, and the labels of a new example.
ExampleInputs translated(ExampleInputs inputs);

/// `example` in the language of this process: titles and reasons. Labels and formulas stay, as they
/// may name tokens of the user's text; an example translates its own labels with message().
WorkedExample translated(WorkedExample example);

} // namespace headscope
