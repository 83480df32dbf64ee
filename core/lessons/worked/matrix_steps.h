#pragma once

#include "core/lessons/worked/softmax_steps.h"

namespace headscope {

/// Matrix product of a stage: result = left right (+ bias).
struct ProductPlan
{
    int left = -1;  ///< Index of a matrix [n, m].
    int right = -1; ///< Index of a matrix [m, d].
    int bias = -1;  ///< Index of a matrix [1, d], or -1.
    MatrixStyle style;
    std::string stage;
    std::string formula; ///< LaTeX of the stage.
    std::string cell;    ///< Letter of a result in formulas: "q".
    std::string entry;   ///< Letter of the left matrix: "x".
};

/// Adds a stage with one step for each cell of the product; returns the result [n, d]. Throws
/// ShapeError for matrices that do not fit.
int productStage(ExampleBuilder& builder, ProductPlan plan);

/// Adds the steps of one row of the left matrix, which fill that row of `result`.
void productRow(ExampleBuilder& builder, const ProductPlan& plan, int row, int result);

/// Adds a stage result = left + right, cell by cell; returns the result.
int sumStage(ExampleBuilder& builder, int left, int right, MatrixStyle style,
             const std::string& stage, const std::string& formula);

} // namespace headscope
