#include "core/lessons/worked/matrix_steps.h"

#include "core/base/error.h"

#include <fmt/format.h>

namespace headscope {

int productStage(ExampleBuilder& builder, ProductPlan plan)
{
    const WorkedMatrix& left = builder.at(plan.left);
    const WorkedMatrix& right = builder.at(plan.right);
    if (left.columns() != right.rows())
        throw ShapeError(fmt::format("{} columns cannot be multiplied with {} rows", left.columns(),
                                     right.rows()));
    const int result = builder.matrix(std::move(plan.style), left.rowLabels, right.columnLabels);
    std::vector<int> large = {plan.left, plan.right};
    std::vector<std::string> signs = {"×", "="};
    if (plan.bias >= 0) {
        large.push_back(plan.bias);
        signs = {"×", "+", "="};
    }
    large.push_back(result);
    builder.stage(plan.stage, plan.formula, std::move(large), std::move(signs));
    for (int row = 0; row < builder.at(result).rows(); ++row)
        productRow(builder, plan, row, result);
    return result;
}

void productRow(ExampleBuilder& builder, const ProductPlan& plan, int row, int result)
{
    for (int column = 0; column < builder.at(result).columns(); ++column) {
        std::vector<Operand> entries = builder.row(plan.left, row);
        std::vector<Operand> weights = builder.column(plan.right, column);
        if (plan.bias >= 0) {
            entries.push_back(constant("1", 1));
            weights.push_back(cell(plan.bias, 0, column));
        }
        builder.dot(entries, weights, {result, row, column},
                    fmt::format("{}_{} = \\sum_i {}_{{{}, i}} \\cdot w_{{i, {}}}{}", plan.cell,
                                cellIndex(builder.at(result), row, column), plan.entry,
                                rowIndex(builder.at(result), row), column,
                                plan.bias >= 0 ? fmt::format(" + b_{}", column) : ""));
    }
}

int sumStage(ExampleBuilder& builder, int left, int right, MatrixStyle style,
             const std::string& stage, const std::string& formula)
{
    const int result =
        builder.matrix(std::move(style), builder.at(left).rowLabels, builder.at(left).columnLabels);
    builder.stage(stage, formula, {left, right, result}, {"+", "="});
    for (int row = 0; row < builder.at(result).rows(); ++row)
        for (int column = 0; column < builder.at(result).columns(); ++column)
            builder.step(Operation::Sum, {cell(left, row, column), cell(right, row, column)},
                         {result, row, column}, formula);
    return result;
}

} // namespace headscope
