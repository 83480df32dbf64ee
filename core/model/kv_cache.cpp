#include "core/model/kv_cache.h"

#include "core/base/error.h"

#include <fmt/format.h>
#include <new>

namespace headscope {

KvCache::KvCache(const ModelConfig& config)
{
    config.validate();
    const Shape shape{config.heads, config.maxLen, config.headDim()};
    try {
        for (std::int64_t layer = 0; layer < config.layers; ++layer) {
            m_keys.emplace_back(shape);
            m_values.emplace_back(shape);
        }
    } catch (const std::bad_alloc&) {
        throw Error(fmt::format("no memory for keys and values of {} positions", config.maxLen),
                    "KvCache", "Choose a model with a smaller max_len");
    }
}

void KvCache::truncate(std::int64_t size)
{
    if (size < 0 || size > m_size)
        throw ShapeError(fmt::format("cannot keep {} of {} positions", size, m_size),
                         "KvCache::truncate");
    m_size = size;
}

} // namespace headscope
