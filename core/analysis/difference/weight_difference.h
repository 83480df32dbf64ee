#pragma once

#include "core/base/progress.h"
#include "core/model/model.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// How far one weight matrix of B is from that of A.
struct MatrixDifference
{
    std::string name;        ///< As in WeightMatrix: "blocks.0.attn.W_Q".
    double relative = 0.0;   ///< ||W_B - W_A|| / ||W_A||, Frobenius norms; NaN where W_A is 0.
    double difference = 0.0; ///< ||W_B - W_A||.
    double norm = 0.0;       ///< ||W_A||; 0 where isShared: it is not read.
    bool isShared = false;   ///< True where A and B are one matrix in memory: nothing is read.
    std::string formatA;     ///< Storage format such as "Q4_K"; empty: 32-bit floats in memory.
    std::string formatB;
};

/// Differences of the weights of two models.
struct WeightDifference
{
    std::vector<MatrixDifference> matrices; ///< Those that both have in equal sizes, in A's order.
    int unmatched = 0;                      ///< Matrices of A that B lacks or has in another size.

    /// Norm of the whole difference relative to that of A's compared matrices, shared ones left out;
    /// NaN where there are none.
    double relative() const;
};

/// Compares matrices of equal name, row by row: stored weights are unpacked one row at a time, or one
/// matrix at a time where a file stores its columns. Progress counts weights. Throws Cancelled, and
/// FormatError when a file was modified meanwhile.
WeightDifference weightDifference(const std::shared_ptr<const Model>& a,
                                  const std::shared_ptr<const Model>& b, Progress& progress);

} // namespace headscope
