#include "core/ops/embedding.h"

#include "core/base/error.h"
#include "core/ops/kernels.h"
#include "core/ops/rows.h"

#include <fmt/format.h>

namespace headscope {

namespace {

std::int64_t positionOf(const EmbeddingInputs& inputs, std::int64_t index)
{
    return inputs.firstPosition + (inputs.length > 0 ? index % inputs.length : index);
}

void checkPositions(const EmbeddingInputs& inputs, const RowCount& table, const char* name)
{
    const RowCount positions = rowsOf(inputs.positions, name, "positions");
    const auto count = std::ssize(inputs.ids);
    const std::int64_t length = inputs.length > 0 ? inputs.length : count;
    if (positions.columns != table.columns || inputs.firstPosition < 0 ||
        inputs.firstPosition + length > positions.rows)
        throw ShapeError(fmt::format("{}: positions are {} for {} tokens from {} of width {}", name,
                                     inputs.positions.shape.toString(), length,
                                     inputs.firstPosition, table.columns));
}

RowCount check(const EmbeddingInputs& inputs, TensorView rows, const char* name)
{
    const RowCount table = rowsOf(inputs.table, name, "table");
    requireRows(rows, {std::ssize(inputs.ids), table.columns}, name, "rows");
    for (const std::int32_t id : inputs.ids) {
        if (id < 0 || id >= table.rows)
            throw ShapeError(fmt::format("{}: token id {} is outside a vocabulary of {} tokens",
                                         name, id, table.rows));
    }
    if (inputs.positions)
        checkPositions(inputs, table, name);
    return table;
}

} // namespace

void embedding(const EmbeddingInputs& inputs, MutableTensorView y)
{
    // table: [vocabulary, d], ids: [n], positions: [maxLen, d], y: [n, d]
    const std::int64_t d = check(inputs, y, "embedding").columns;
    for (std::size_t i = 0; i < inputs.ids.size(); ++i) {
        const std::int64_t index = i;
        const float* const position =
            inputs.positions ? inputs.positions.data + positionOf(inputs, index) * d : nullptr;
        kernels().scaleAdd(inputs.table.data + inputs.ids[i] * d, inputs.scale, position,
                           y.data + index * d, d);
    }
}

void embeddingBackward(const EmbeddingInputs& inputs, TensorView dy,
                       MutableTensorView tableGradient, MutableTensorView positionsGradient)
{
    // forward: y[i] = scale * table[ids[i]] + positions[position of i]
    const char* const name = "embeddingBackward";
    const std::int64_t d = check(inputs, dy, name).columns;
    requireShape(tableGradient, inputs.table.shape, name, "tableGradient");
    if (positionsGradient)
        requireShape(positionsGradient, inputs.positions.shape, name, "positionsGradient");
    for (std::size_t i = 0; i < inputs.ids.size(); ++i) {
        const std::int64_t index = i;
        const float* const row = dy.data + index * d;
        kernels().addScaled(row, inputs.scale, tableGradient.data + inputs.ids[i] * d, d);
        if (positionsGradient)
            kernels().add(row, positionsGradient.data + positionOf(inputs, index) * d, d);
    }
}

} // namespace headscope
