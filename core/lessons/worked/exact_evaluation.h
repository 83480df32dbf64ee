#pragma once

#include "core/lessons/worked/worked_example.h"

namespace headscope {

struct ExactOperand
{
    double value = 0.0;
    std::optional<ExactNumber> exact;
};

/// Exact result of evaluate(), or nothing if it has no exact form.
std::optional<ExactNumber> evaluateExactly(Operation operation,
                                           const std::vector<ExactOperand>& operands);

} // namespace headscope
