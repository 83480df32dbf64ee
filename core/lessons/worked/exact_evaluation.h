#pragma once

#include "core/lessons/worked/worked_example.h"

namespace headscope {

struct ExactOperand
{
    double value = 0.0;
    std::optional<ExactNumber> exact;
};

/// What evaluate() makes of the operands, as a person writes it; nothing where it has no such form.
std::optional<ExactNumber> evaluateExactly(Operation operation,
                                           const std::vector<ExactOperand>& operands);

} // namespace headscope
