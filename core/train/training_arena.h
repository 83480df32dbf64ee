#pragma once

#include "core/model/model_config.h"
#include "core/tensor/tensor.h"

#include <vector>

namespace headscope {

/// What the forward pass of one block leaves for the backward pass. n = rows * length tokens.
struct BlockActivations
{
    MutableTensorView input;         ///< [n, d] residual stream before the block
    MutableTensorView norm1;         ///< [n, d]
    MutableTensorView mean1, scale1; ///< [n]
    MutableTensorView qkv;           ///< [n, 3 d]
    MutableTensorView context;       ///< [n, d]
    MutableTensorView logSumExp;     ///< [rows, heads, length]
    MutableTensorView middle;        ///< [n, d] residual stream after attention
    MutableTensorView norm2;         ///< [n, d]
    MutableTensorView mean2, scale2; ///< [n]
    MutableTensorView hidden;        ///< [n, dFf] before the activation function, bias included
};

/// All memory of one worker's pass over its part of a batch: one allocation, laid out again for
/// each shape of batch, grown only when a larger one comes.
class TrainingArena
{
public:
    explicit TrainingArena(const ModelConfig& config);

    void layOut(std::int64_t rows, std::int64_t length);

    std::vector<BlockActivations> blocks;
    MutableTensorView output;                ///< [n, d] residual stream after the last block
    MutableTensorView finalNorm;             ///< [n, d]
    MutableTensorView finalMean, finalScale; ///< [n]
    MutableTensorView logits;    ///< [logitRows, vocabulary], a stretch of rows at a time
    MutableTensorView active;    ///< [n, dFf] after the activation function
    MutableTensorView dResidual; ///< [n, d]
    MutableTensorView dNorm;     ///< [n, d]
    MutableTensorView dContext;  ///< [n, d]
    MutableTensorView dQkv;      ///< [n, 3 d]
    MutableTensorView dHidden;   ///< [n, dFf]
    MutableTensorView dropped;   ///< [n, d]; empty without dropout
    std::vector<std::uint8_t>
        attentionKeep; ///< [rows, heads, length, length]; empty without dropout

private:
    std::int64_t place(float* base, std::int64_t rows, std::int64_t length);

    ModelConfig m_config;
    Tensor m_memory;
    std::int64_t m_rows = 0;
    std::int64_t m_length = 0;
};

} // namespace headscope
