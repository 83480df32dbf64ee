#pragma once

#include "core/model/model.h"
#include "core/model/weights/packed_linear.h"

namespace headscope {

/// Computes logits from the residual stream: the final norm (pre-norm models), the transform of
/// BERT's head, unembedding and bias. The same operators on the same weights as in the model's
/// forward pass, so a row has the same bits. Packed matrices are read in place, floats are packed
/// again (a copy of the unembedding). Immutable: any number of threads may use it while the model
/// lives.
class LensHead
{
public:
    explicit LensHead(const Model& model); ///< Throws Error for a model without a language head.

    std::int64_t width() const { return m_config.dModel; }

    std::int64_t vocabulary() const { return m_config.vocabularySize; }

    /// Computes logits [rows, V] of streams [rows, d], both contiguous.
    void logits(TensorView stream, MutableTensorView logits) const;

    /// Computes dStream [rows, d] (overwritten) from dLogits [rows, V], whose contents are lost.
    /// Needs the unembedding as floats: packed weights are unpacked, once.
    void backward(TensorView stream, MutableTensorView dLogits, MutableTensorView dStream) const;

private:
    struct Hidden; ///< Intermediate rows between residual stream and unembedding.
    Hidden hiddenOf(TensorView stream) const;
    void normalise(const std::string& name, TensorView in, MutableTensorView out) const;
    void normaliseBackward(const std::string& name, TensorView in, TensorView dOut,
                           MutableTensorView dIn) const;

    const Model& m_model;
    const ModelConfig& m_config;
    PackedLinear m_dense;
    PackedLinear m_unembedding;
};

/// Logit lens: logits [n, V] of a residual stream [n, d] at any depth if it were the last one
/// (nostalgebraist 2020, "interpreting GPT: the logit lens"). Throws Error for a model without a
/// language head.
Tensor lensLogits(const Model& model, TensorView stream);

} // namespace headscope
