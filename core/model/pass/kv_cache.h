#pragma once

#include "core/model/config/model_config.h"
#include "core/tensor/tensor.h"

#include <vector>

namespace headscope {

/// Cached results of a decoder, per layer: keys and values of the positions that were computed
/// already (latent attention: latents and shared rotated keys), and, of an encoder-decoder, the
/// encoded source with its keys and values. Copies are independent.
class KvCache
{
public:
    /// Creates an empty cache with room for a short text; an encoder's cache holds nothing. Throws
    /// Error when memory is insufficient.
    explicit KvCache(const ModelConfig& config);

    std::int64_t size() const { return m_size; }

    bool fits(const ModelConfig& config) const; ///< True for models of the same extents.
    void truncate(std::int64_t size);           ///< Evicts positions from `size` on.

    /// Allocates room for this many positions, at most maxLen, and keeps the contents: a model with
    /// a long context takes memory only for the actual text. Throws Error when memory is
    /// insufficient, leaving the cache unchanged.
    void reserve(std::int64_t positions);

    /// Keys [key heads, capacity, channels] of one layer; entries from size() on are for the model
    /// to fill. Latent attention: [1, capacity, r] and [1, capacity, ropeDim].
    MutableTensorView keys(int layer) { return m_keys[layer].view(); }

    MutableTensorView values(int layer) { return m_values[layer].view(); }

    void grow(std::int64_t positions) { m_size += positions; }

    /// Text length that the cached keys were rotated for, with rotary tables that depend on it; 0
    /// for any up to the original one, negative when a pass was cancelled while rotating them
    /// again.
    std::int64_t turnedFor() const { return m_turnedFor; }

    void setTurnedFor(std::int64_t tokens) { m_turnedFor = tokens; }

    /// Encoded source [m, d]; empty before Model::encode.
    TensorView memory() const { return m_memory.empty() ? TensorView() : m_memory.view(); }

    std::int64_t sourceTokens() const { return m_memory.empty() ? 0 : m_memory.shape()[0]; }

    /// Sets a new source and evicts all positions.
    void setMemory(Tensor memory);

    /// Cross-attention keys and values [m, key heads * (key + value channels)] of one layer; to be
    /// filled unless crossReady().
    MutableTensorView cross(int layer) { return m_cross[layer].view(); }

    bool crossReady() const { return m_crossReady; }

    void markCrossReady() { m_crossReady = true; }

private:
    void allocate(std::int64_t capacity);

    std::int64_t m_size = 0;
    std::int64_t m_capacity = 0;
    std::int64_t m_maxLen = 0;
    std::uint64_t m_positionBytes = 0; ///< Bytes per position, of all layers.
    std::int64_t m_turnedFor = 0;
    Shape m_keyShape;   ///< Shape for a full context.
    Shape m_valueShape; ///< Shape for a full context.
    std::int64_t m_crossWidth = 0;
    std::size_t m_layers = 0;
    std::vector<Tensor> m_keys;
    std::vector<Tensor> m_values;
    Tensor m_memory;
    std::vector<Tensor> m_cross;
    bool m_crossReady = false;
};

} // namespace headscope
