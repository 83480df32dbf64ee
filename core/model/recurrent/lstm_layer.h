#pragma once

#include "core/model/recurrent/recurrent_layer.h"

namespace headscope {

/// The LSTM as torch.nn.LSTM computes it: [i, f, g, o] = [sigmoid, sigmoid, tanh, sigmoid](W_x x_t
/// + W_h h_(t-1) + b), c_t = f c_(t-1) + i g, h_t = o tanh(c_t). Where the forget gate f is near 1,
/// the gradient along c neither grows nor vanishes.
class LstmLayer final : public RecurrentLayer
{
public:
    LstmLayer() : RecurrentLayer(RecurrentKind::Lstm) {}

private:
    /// One row of a position; the four gates are `units` apart.
    struct Row
    {
        std::int64_t units = 0;
        float* gates = nullptr;
        float* cell = nullptr;     ///< c_t.
        float* cellTanh = nullptr; ///< tanh(c_t).
        const float* cellBefore = nullptr;
    };

    Row row(std::int64_t step, std::int64_t index);

    void begin(const RecurrentState& state, std::int64_t steps) override;
    void activate(std::int64_t step) override;
    void end(RecurrentState& state, std::int64_t steps) const override;
    void beginBackward() override;
    void differentiate(std::int64_t step, TensorView dHidden) override;

    static void differentiateRow(const Row& row, const float* dHidden, float* dCell);

    Tensor m_cell;     ///< c before the first position, then after each [steps + 1, rows, hidden].
    Tensor m_cellTanh; ///< [steps, rows, hidden].
    Tensor m_dCell;    ///< Gradient of c, carried from position to position [rows, hidden].
};

} // namespace headscope
