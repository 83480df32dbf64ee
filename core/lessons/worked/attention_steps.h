#pragma once

#include "core/lessons/worked/softmax_steps.h"

namespace headscope {

/// Query, key and value matrices of a builder. Several groups (heads) are stacked: row g * n + i of
/// the queries belongs to head g, token i.
struct AttentionParts
{
    int queries = 0; ///< Index of a matrix [groups * n, d_k].
    int keys = 0;    ///< Index of a matrix [groups * m, d_k].
    int values = 0;  ///< Index of a matrix [groups * m, d_v].
    int groups = 1;
};

struct AttentionChoices
{
    bool scale = true;
    bool causal = false;
    int mask = -1; ///< Input [n, m] of 1 (visible) and 0 (hidden), or -1.
    std::string outputName = "output";
    std::string outputTitle = "Output";
};

/// Adds stage "Weighted sum": each row of weights averages the values of its group. Returns the
/// output.
int weightedSumStage(ExampleBuilder& builder, int weights, int values, MatrixStyle look,
                     int groups = 1);

/// Adds all stages from scores to the weighted sum; returns the output [groups * n, d_v].
int attentionStages(ExampleBuilder& builder, const AttentionParts& parts,
                    const AttentionChoices& choices);

} // namespace headscope
