#include "core/model/recurrent/lstm_layer.h"

#include "core/ops/activations.h"

#include <algorithm>

namespace headscope {

namespace {

void activateInPlace(ActivationKind kind, float* values, std::int64_t count)
{
    const MutableTensorView view(values, {1, count});
    activation(kind, view, {}, view);
}

} // namespace

LstmLayer::Row LstmLayer::row(std::int64_t step, std::int64_t index)
{
    const std::int64_t units = m_cell.shape()[2];
    const std::int64_t offset = index * units;
    return {units, gates(step).data + 4 * offset, m_cell.view()[step + 1].data + offset,
            m_cellTanh.view()[step].data + offset, m_cell.view()[step].data + offset};
}

void LstmLayer::begin(const RecurrentState& state, std::int64_t steps)
{
    const Shape& shape = state.cell.shape();
    const Shape whole{steps, shape[0], shape[1]};
    if (m_cellTanh.shape() != whole) {
        m_cell = Tensor({steps + 1, shape[0], shape[1]});
        m_cellTanh = Tensor(whole);
        m_dCell = Tensor(shape);
    }
    std::ranges::copy(state.cell.values(), m_cell.data());
}

void LstmLayer::activate(std::int64_t step)
{
    const MutableTensorView output = hidden(step + 1);
    for (std::int64_t index = 0; index < output.shape[0]; ++index) {
        const Row now = row(step, index);
        const std::int64_t units = now.units;
        activateInPlace(ActivationKind::Sigmoid, now.gates, 2 * units);
        activateInPlace(ActivationKind::Tanh, now.gates + 2 * units, units);
        activateInPlace(ActivationKind::Sigmoid, now.gates + 3 * units, units);
        for (std::int64_t i = 0; i < units; ++i)
            now.cell[i] =
                now.gates[units + i] * now.cellBefore[i] + now.gates[i] * now.gates[2 * units + i];
        activation(ActivationKind::Tanh, TensorView(now.cell, {1, units}), {},
                   {now.cellTanh, {1, units}});
        for (std::int64_t i = 0; i < units; ++i)
            output.data[index * units + i] = now.gates[3 * units + i] * now.cellTanh[i];
    }
}

void LstmLayer::end(RecurrentState& state, std::int64_t steps) const
{
    std::copy_n(m_cell.view()[steps].data, state.cell.size(), state.cell.data());
}

void LstmLayer::beginBackward()
{
    std::ranges::fill(m_dCell.values(), 0.0F);
}

void LstmLayer::differentiateRow(const Row& row, const float* dHidden, float* dCell)
{
    for (std::int64_t i = 0; i < row.units; ++i) {
        float& input = row.gates[i];
        float& forget = row.gates[row.units + i];
        float& candidate = row.gates[2 * row.units + i];
        float& output = row.gates[3 * row.units + i];
        const float slope = 1.0F - row.cellTanh[i] * row.cellTanh[i];
        const float cell = dCell[i] + dHidden[i] * output * slope;
        dCell[i] = cell * forget;
        output = dHidden[i] * row.cellTanh[i] * output * (1.0F - output);
        forget = cell * row.cellBefore[i] * forget * (1.0F - forget);
        const float before = input;
        input = cell * candidate * input * (1.0F - input);
        candidate = cell * before * (1.0F - candidate * candidate);
    }
}

void LstmLayer::differentiate(std::int64_t step, TensorView dHidden)
{
    const std::int64_t units = dHidden.shape[1];
    for (std::int64_t index = 0; index < dHidden.shape[0]; ++index)
        differentiateRow(row(step, index), dHidden.data + index * units,
                         m_dCell.data() + index * units);
}

} // namespace headscope
