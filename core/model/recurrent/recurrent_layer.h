#pragma once

#include "core/tensor/tensor.h"

#include <memory>

namespace headscope {

enum class RecurrentKind {
    Elman, ///< h_t = tanh(W_x x_t + W_h h_(t-1) + b) (Elman 1990).
    Lstm,  ///< Gated cell (Hochreiter, Schmidhuber 1997) with a forget gate (Gers et al. 2000).
};

/// Number of rows of weights per hidden unit: an LSTM has the gates input, forget and output and
/// the candidate.
constexpr std::int64_t gatesOf(RecurrentKind kind)
{
    return kind == RecurrentKind::Lstm ? 4 : 1;
}

/// Weights of a layer in PyTorch's layout, g = gatesOf(kind), gates in the order input, forget,
/// candidate, output. PyTorch adds two biases; here they are one.
template<class View>
struct RecurrentWeights
{
    View inputs; ///< W_x [g * hidden, in].
    View states; ///< W_h [g * hidden, hidden].
    View bias;   ///< b [g * hidden].
};

/// State of one layer between two tokens.
struct RecurrentState
{
    Tensor hidden; ///< h [rows, hidden].
    Tensor cell;   ///< c [rows, hidden]; empty for Elman.
};

/// One recurrent layer over `steps` positions of `rows` sequences. Positions are the first axis:
/// only they are computed one after another. Owns the activations that backward needs; reused for
/// sequences of equal size. One instance per thread.
class RecurrentLayer
{
public:
    virtual ~RecurrentLayer() = default;

    /// Returns h of all positions [steps, rows, hidden], valid until the next call. Begins with
    /// `state` and leaves the last state in it. x: [steps, rows, in].
    TensorView forward(const RecurrentWeights<TensorView>& weights, TensorView x,
                       RecurrentState& state);

    /// Backpropagation through time, after forward(). dHidden: [steps, rows, hidden], overwritten.
    /// Weight gradients are added to; dx [steps, rows, in] is overwritten, or empty. Positions
    /// before `firstStep` get no gradient (truncated backpropagation, Williams and Peng 1990).
    void backward(const RecurrentWeights<TensorView>& weights, TensorView x,
                  MutableTensorView dHidden, const RecurrentWeights<MutableTensorView>& gradients,
                  MutableTensorView dx = {}, std::int64_t firstStep = 0);

protected:
    explicit RecurrentLayer(RecurrentKind kind) : m_kind(kind) {}

    /// h before the first position [rows, hidden], then after each of them.
    MutableTensorView hidden(std::int64_t step) { return m_hidden.view()[step]; }

    /// Weighted inputs of a position [rows, g * hidden]; becomes the gates.
    MutableTensorView gates(std::int64_t step) { return m_gates.view()[step]; }

private:
    void prepare(const RecurrentWeights<TensorView>& weights, TensorView x,
                 const RecurrentState& state);

    virtual void begin(const RecurrentState& state, std::int64_t steps) = 0;
    /// Turns gates(step), the sum of weighted input, state and bias, into hidden(step + 1).
    virtual void activate(std::int64_t step) = 0;
    virtual void end(RecurrentState& state, std::int64_t steps) const = 0;
    virtual void beginBackward() = 0;
    /// Turns gates(step) into d loss / d (weighted input) from d loss / d hidden(step + 1).
    virtual void differentiate(std::int64_t step, TensorView dHidden) = 0;

    RecurrentKind m_kind;
    Tensor m_hidden; ///< [steps + 1, rows, hidden].
    Tensor m_gates;  ///< [steps, rows, g * hidden].
};

std::unique_ptr<RecurrentLayer> makeRecurrentLayer(RecurrentKind kind);

/// Zeros for `rows` sequences.
RecurrentState emptyState(RecurrentKind kind, std::int64_t rows, std::int64_t hidden);

} // namespace headscope
