#pragma once

#include "core/model/model_config.h"
#include "core/tensor/tensor.h"

#include <vector>

namespace headscope {

/// Keys and values of the positions that were computed already, per layer.
class KvCache
{
public:
    explicit KvCache(const ModelConfig& config); ///< room for maxLen positions, empty

    std::int64_t size() const { return m_size; }

    bool fits(const ModelConfig& config) const; ///< made for models of these extents
    void truncate(std::int64_t size);           ///< forgets positions from `size` on

    /// [heads, capacity, headDim] of one layer; entries from size() on are for the model to fill.
    MutableTensorView keys(int layer) { return m_keys[static_cast<std::size_t>(layer)].view(); }

    MutableTensorView values(int layer) { return m_values[static_cast<std::size_t>(layer)].view(); }

    void grow(std::int64_t positions) { m_size += positions; }

private:
    std::int64_t m_size = 0;
    Shape m_shape; ///< [heads, capacity, headDim]
    std::vector<Tensor> m_keys;
    std::vector<Tensor> m_values;
};

} // namespace headscope
