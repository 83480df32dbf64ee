#include "core/model/kv_cache.h"

#include "core/base/error.h"

#include <fmt/format.h>
#include <new>

namespace headscope {

namespace {

Shape cacheShape(const ModelConfig& config)
{
    config.validate();
    return {config.heads, config.maxLen, config.headDim()};
}

} // namespace

KvCache::KvCache(const ModelConfig& config) : m_shape(cacheShape(config))
{
    try {
        for (std::int64_t layer = 0; layer < config.layers; ++layer) {
            m_keys.emplace_back(m_shape);
            m_values.emplace_back(m_shape);
        }
    } catch (const std::bad_alloc&) {
        throw Error(fmt::format("no memory for keys and values of {} positions", config.maxLen),
                    "KvCache", "Choose a model with a smaller max_len");
    }
}

bool KvCache::fits(const ModelConfig& config) const
{
    return static_cast<std::int64_t>(m_keys.size()) == config.layers &&
           m_shape == Shape{config.heads, config.maxLen, config.headDim()};
}

void KvCache::truncate(std::int64_t size)
{
    if (size < 0 || size > m_size)
        throw ShapeError(fmt::format("cannot keep {} of {} positions", size, m_size),
                         "KvCache::truncate");
    m_size = size;
}

} // namespace headscope
