#include "core/model/kv_cache.h"

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/model/size_report.h"

#include <fmt/format.h>
#include <new>

namespace headscope {

namespace {

Shape keyShape(const ModelConfig& config)
{
    if (config.isLatent())
        return {1, config.maxLen, config.latent.keyValueRank};
    return {config.keyHeadCount(), config.maxLen, config.queryDim()};
}

Shape valueShape(const ModelConfig& config)
{
    if (config.isLatent())
        return {1, config.maxLen, config.latent.ropeDim};
    return {config.keyHeadCount(), config.maxLen, config.valueDim()};
}

std::size_t cachedLayers(const ModelConfig& config)
{
    if (!config.hasDecoder())
        return 0;
    return static_cast<std::size_t>(config.hasEncoder() ? config.decoderLayerCount()
                                                        : config.layers);
}

std::int64_t crossWidth(const ModelConfig& config)
{
    return config.keyHeadCount() * 2 * config.headDim();
}

} // namespace

KvCache::KvCache(const ModelConfig& config)
{
    config.validate();
    m_keyShape = keyShape(config);
    m_valueShape = valueShape(config);
    m_crossWidth = crossWidth(config);
    m_layers = cachedLayers(config);
    requireMemory(kvCacheBytes(config, config.maxLen, sizeof(float)),
                  "keys and values of a full context");
    try {
        for (std::size_t layer = 0; layer < m_layers; ++layer) {
            m_keys.emplace_back(m_keyShape);
            m_values.emplace_back(m_valueShape);
        }
    } catch (const std::bad_alloc&) {
        throw Error(fmt::format("no memory for keys and values of {} positions", config.maxLen),
                    "KvCache", "Choose a model with a smaller max_len");
    }
}

bool KvCache::fits(const ModelConfig& config) const
{
    return m_layers == cachedLayers(config) && m_keyShape == keyShape(config) &&
           m_valueShape == valueShape(config) && m_crossWidth == crossWidth(config);
}

void KvCache::truncate(std::int64_t size)
{
    if (size < 0 || size > m_size)
        throw ShapeError(fmt::format("cannot keep {} of {} positions", size, m_size),
                         "KvCache::truncate");
    m_size = size;
}

void KvCache::setMemory(Tensor memory)
{
    m_size = 0;
    m_crossReady = false;
    m_memory = std::move(memory);
    m_cross.assign(m_layers, Tensor({m_memory.shape()[0], m_crossWidth}));
}

} // namespace headscope
