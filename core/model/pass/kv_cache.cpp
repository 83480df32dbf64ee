#include "core/model/pass/kv_cache.h"

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/model/config/size_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <utility>

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
    return config.hasEncoder() ? config.decoderLayerCount() : config.layers;
}

std::int64_t crossWidth(const ModelConfig& config)
{
    return config.keyHeadCount() * (config.queryDim() + config.valueDim());
}

/// Initial capacity, enough for most sentences.
constexpr std::int64_t kFirstPositions = 128;

/// Copies the first positions of all heads.
void copyPositions(const Tensor& from, std::int64_t positions, Tensor& to)
{
    for (std::int64_t head = 0; head < from.shape()[0]; ++head)
        std::copy_n(from.view()[head].data, positions * from.shape()[2], to.view()[head].data);
}

} // namespace

KvCache::KvCache(const ModelConfig& config)
{
    config.validate();
    m_keyShape = keyShape(config);
    m_valueShape = valueShape(config);
    m_crossWidth = crossWidth(config);
    m_layers = cachedLayers(config);
    m_maxLen = config.maxLen;
    m_positionBytes = kvCacheBytes(config, 1, sizeof(float));
    allocate(std::min(config.maxLen, kFirstPositions));
}

void KvCache::reserve(std::int64_t positions)
{
    if (positions > m_maxLen)
        throw ShapeError(fmt::format("{} positions, but the model has {}", positions, m_maxLen),
                         "KvCache::reserve");
    if (positions > m_capacity)
        allocate(std::min(std::max(positions, 2 * m_capacity), m_maxLen));
}

void KvCache::allocate(std::int64_t capacity)
{
    requireMemory(m_positionBytes * static_cast<std::uint64_t>(capacity),
                  fmt::format("keys and values of {} positions", capacity));
    try {
        std::vector<Tensor> keys;
        std::vector<Tensor> values;
        for (std::size_t layer = 0; layer < m_layers; ++layer) {
            keys.emplace_back(Shape{m_keyShape[0], capacity, m_keyShape[2]});
            values.emplace_back(Shape{m_valueShape[0], capacity, m_valueShape[2]});
            if (m_size > 0) {
                copyPositions(m_keys[layer], m_size, keys.back());
                copyPositions(m_values[layer], m_size, values.back());
            }
        }
        m_keys = std::move(keys);
        m_values = std::move(values);
        m_capacity = capacity;
    } catch (const std::bad_alloc&) {
        throw Error(fmt::format("not enough memory for keys and values of {} positions", capacity),
                    "KvCache", "Use a shorter text or a smaller model");
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
