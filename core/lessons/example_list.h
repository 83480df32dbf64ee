#pragma once

#include "core/lessons/worked_example.h"

namespace headscope {

/// One example: where it begins and how it is worked.
struct ExampleMaker
{
    ExampleEntry entry;
    ExampleInputs (*inputs)();
    WorkedExample (*work)(const ExampleInputs& inputs);
};

const std::vector<ExampleMaker>& exampleMakers(); ///< in teaching order

ExampleInputs attentionInputs();
ExampleInputs twoTokenInputs();
WorkedExample workAttention(const ExampleInputs& inputs);

} // namespace headscope
