#pragma once

#include "core/model/model.h"
#include "core/model/weights/packed_linear.h"

namespace headscope {

/// What a model makes logits of: the final norm (pre-norm models), the transform of BERT's head,
/// unembedding and bias. The same operators on the same weights as in the model's forward pass, so
/// a row has the same bits. Stored matrices are read where they lie, floats are packed anew (a copy
/// of the unembedding). Immutable: any number of threads may use it, while the model lives.
class LensHead
{
public:
    explicit LensHead(const Model& model); ///< throws Error for a model without a language head

    std::int64_t width() const { return m_config.dModel; }

    std::int64_t vocabulary() const { return m_config.vocabularySize; }

    /// logits [rows, V] of streams [rows, d], both contiguous.
    void logits(TensorView stream, MutableTensorView logits) const;

    /// dStream [rows, d] (overwritten) from dLogits [rows, V], whose contents are lost. Needs the
    /// unembedding as floats: stored ones are unpacked, once.
    void backward(TensorView stream, MutableTensorView dLogits, MutableTensorView dStream) const;

private:
    struct Hidden; ///< what stands between stream and unembedding
    Hidden hiddenOf(TensorView stream) const;
    TensorView parameter(const std::string& name) const; ///< empty where the model has none
    void normalise(const std::string& name, TensorView in, MutableTensorView out) const;
    void normaliseBackward(const std::string& name, TensorView in, TensorView dOut,
                           MutableTensorView dIn) const;

    const Model& m_model;
    const ModelConfig& m_config;
    PackedLinear m_dense;
    PackedLinear m_unembedding;
};

/// Logits [n, V] that a residual stream [n, d] of any depth would give if it were the last one
/// (nostalgebraist 2020, "interpreting GPT: the logit lens"). Throws Error for a model without a
/// language head.
Tensor lensLogits(const Model& model, TensorView stream);

} // namespace headscope
