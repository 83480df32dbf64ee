#pragma once

#include "core/lessons/worked/example_builder.h"

namespace headscope {

/// LaTeX index of a cell: "{\text{sat}, \text{dim 0}}".
std::string cellIndex(const WorkedMatrix& matrix, int row, int column);
std::string rowIndex(const WorkedMatrix& matrix, int row); ///< LaTeX: "\text{sat}".

/// Visibility of keys in a row: the reason for each hidden key, "" for each visible one.
using HiddenKeys = std::vector<std::string>;

struct SoftmaxChoices
{
    std::string name = "weights"; ///< Id of the result.
    std::string title = "Weights";
    std::string letter = "a";            ///< Letter of the result in formulas.
    std::string scores = "s";            ///< Letter of the input.
    std::vector<HiddenKeys> hidden = {}; ///< One entry per row; empty: no mask.
};

/// Adds stages "Subtract max", "Exponentials" and "Softmax" over each row of `scores`; returns the
/// weights.
int softmaxStages(ExampleBuilder& builder, int scores, const SoftmaxChoices& choices = {});

} // namespace headscope
