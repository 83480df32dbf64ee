#include "core/trace/computed_parts.h"

#include <iterator>
#include <utility>

namespace headscope {

namespace {

std::size_t bytesOf(const Tensor& values)
{
    return values.size() * sizeof(float);
}

} // namespace

std::shared_ptr<const Tensor> ComputedParts::get(const ActivationPart& part,
                                                 const std::function<Tensor()>& compute)
{
    if (const auto known = find(part))
        return known;
    const auto computed = std::make_shared<const Tensor>(compute());
    remember({part, computed});
    return computed;
}

std::shared_ptr<const Tensor> ComputedParts::find(const ActivationPart& part)
{
    const std::lock_guard lock(m_mutex);
    const auto place = m_places.find(part);
    if (place == m_places.end())
        return nullptr;
    m_entries.splice(m_entries.begin(), m_entries, place->second);
    return place->second->values;
}

void ComputedParts::remember(Entry entry)
{
    std::list<Entry> forgotten; // freed after the lock is released
    const std::lock_guard lock(m_mutex);
    if (m_places.contains(entry.part)) // another thread was faster
        return;
    m_bytes += bytesOf(*entry.values);
    m_entries.push_front(std::move(entry));
    m_places[m_entries.front().part] = m_entries.begin();
    while (m_bytes > kMostBytes && m_entries.size() > 1) {
        m_bytes -= bytesOf(*m_entries.back().values);
        m_places.erase(m_entries.back().part);
        forgotten.splice(forgotten.begin(), m_entries, std::prev(m_entries.end()));
    }
}

} // namespace headscope
