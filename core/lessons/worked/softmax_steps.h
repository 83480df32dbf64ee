#pragma once

#include "core/lessons/worked/example_builder.h"

namespace headscope {

/// "{\text{sat}, \text{dim 0}}": a cell as the index of a letter.
std::string cellIndex(const WorkedMatrix& matrix, int row, int column);
std::string rowIndex(const WorkedMatrix& matrix, int row); ///< "\text{sat}"

/// Which keys a row sees: a reason for each that it does not see, "" for those it does.
using HiddenKeys = std::vector<std::string>;

struct SoftmaxChoices
{
    std::string name = "weights"; ///< of what comes out
    std::string title = "Weights";
    std::string letter = "a";            ///< of what comes out, in formulas
    std::string scores = "s";            ///< of what goes in
    std::vector<HiddenKeys> hidden = {}; ///< of each row; empty: no mask
};

/// Stages "Subtract max", "Exponentials" and "Softmax" over each row of `scores`; returns what
/// comes out.
int softmaxStages(ExampleBuilder& builder, int scores, const SoftmaxChoices& choices = {});

} // namespace headscope
