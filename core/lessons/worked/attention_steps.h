#pragma once

#include "core/lessons/worked/example_builder.h"

namespace headscope {

/// "{\text{sat}, \text{dim 0}}": a cell as the index of a letter.
std::string cellIndex(const WorkedMatrix& matrix, int row, int column);
std::string rowIndex(const WorkedMatrix& matrix, int row); ///< "\text{sat}"

/// Matrices of a builder that attend. With several groups (heads) the rows of each are stacked:
/// row g * n + i of the queries belongs to head g, token i.
struct AttentionParts
{
    int queries = 0; ///< [groups * n, d_k]
    int keys = 0;    ///< [groups * m, d_k]
    int values = 0;  ///< [groups * m, d_v]
    int groups = 1;
};

struct AttentionChoices
{
    bool scale = true;
    bool causal = false;
    int mask = -1; ///< an input [n, m] of 1 (visible) and 0 (hidden), or -1
    std::string outputName = "output";
    std::string outputTitle = "Output";
};

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

/// Stage "Weighted sum": each row of weights blends the values of its group; returns the output.
int weightedSumStage(ExampleBuilder& builder, int weights, int values, MatrixLook look,
                     int groups = 1);

/// All stages from scores to the weighted sum; returns the output [groups * n, d_v].
int attentionStages(ExampleBuilder& builder, const AttentionParts& parts,
                    const AttentionChoices& choices);

} // namespace headscope
