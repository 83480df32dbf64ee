#pragma once

#include "core/tensor/tensor.h"
#include "core/trace/site.h"

#include <compare>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace headscope {

/// One head of a pattern, some rows of an activation, or the whole of either.
struct ActivationPart
{
    static constexpr std::int64_t kAll = -1;

    TraceKey key;
    std::int64_t head = kAll;
    std::int64_t firstRow = kAll;
    std::int64_t rows = kAll;

    friend auto operator<=>(const ActivationPart&, const ActivationPart&) = default;
};

/// Cache of the parts computed last, up to a total size; the newest one is cached whatever its
/// size. Has its own lock.
class ComputedParts
{
public:
    static constexpr std::size_t kMostBytes = std::size_t{192} << 20;

    /// Computes without the lock: a reader of one head does not wait for another thread's whole
    /// layer.
    std::shared_ptr<const Tensor> get(const ActivationPart& part,
                                      const std::function<Tensor()>& compute);

private:
    struct Entry
    {
        ActivationPart part;
        std::shared_ptr<const Tensor> values;
    };

    std::shared_ptr<const Tensor> find(const ActivationPart& part);
    void remember(Entry entry);

    std::mutex m_mutex;
    std::list<Entry> m_entries; ///< Newest first.
    std::map<ActivationPart, std::list<Entry>::iterator> m_places;
    std::size_t m_bytes = 0;
};

} // namespace headscope
