#pragma once

#include "core/lessons/worked/softmax_steps.h"

namespace headscope {

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

/// Stage "Weighted sum": each row of weights blends the values of its group; returns the output.
int weightedSumStage(ExampleBuilder& builder, int weights, int values, MatrixLook look,
                     int groups = 1);

/// All stages from scores to the weighted sum; returns the output [groups * n, d_v].
int attentionStages(ExampleBuilder& builder, const AttentionParts& parts,
                    const AttentionChoices& choices);

} // namespace headscope
