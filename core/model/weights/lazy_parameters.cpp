#include "core/model/weights/lazy_parameters.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/memory.h"
#include "core/model/weights/parameters.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/mman.h>

namespace headscope {

namespace {

/// Reserves addresses without memory: pages are zero and are allocated on first write.
float* reserve(std::size_t floats)
{
    void* const place = ::mmap(nullptr, floats * sizeof(float), PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
        throw Error(fmt::format("no address space for {} floats of parameters", floats),
                    "ParameterSet", "Choose a smaller model");
    return static_cast<float*>(place);
}

std::size_t bytesOf(const Shape& shape)
{
    return static_cast<std::size_t>(shape.elementCount()) * sizeof(float);
}

/// A parameter where `set` has it, which stays alive.
StoredParameter storedOf(const std::shared_ptr<const ParameterSet>& set, std::size_t index)
{
    if (set->stored() != nullptr)
        return set->stored()->parameter(index);
    const TensorView view = set->view(set->specs()[index]);
    StoredParameter stored;
    stored.owner = set;
    stored.rows = view.shape.rank() == 2 ? view.shape[0] : 1;
    stored.columns = view.shape[view.shape.rank() - 1];
    stored.bytes =
        std::as_bytes(std::span(view.data, static_cast<std::size_t>(view.shape.elementCount())));
    return stored;
}

} // namespace

LazyParameters::LazyParameters(const std::vector<ParameterSpec>& specs,
                               std::vector<StoredParameter> stored)
    : m_stored(std::move(stored))
{
    take(specs);
}

LazyParameters::LazyParameters(std::shared_ptr<const ParameterSet> base,
                               std::vector<ReplacedParameter> replaced)
    : m_base(std::move(base))
    , m_replaced(m_base->specs().size())
{
    for (std::size_t i = 0; i < m_base->specs().size(); ++i)
        m_stored.push_back(storedOf(m_base, i));
    for (ReplacedParameter& one : replaced) {
        m_stored.at(one.index) = storedFloats(std::move(one.values));
        m_replaced[one.index] = true;
    }
    take(m_base->specs());
}

void LazyParameters::take(const std::vector<ParameterSpec>& specs)
{
    m_once = std::make_unique<std::once_flag[]>(specs.size());
    m_unpacked = std::make_unique<std::atomic<bool>[]>(specs.size());
    if (m_stored.size() != specs.size())
        throw ShapeError(fmt::format("{} stored parameters, but {} were expected", m_stored.size(),
                                     specs.size()),
                         "ParameterSet");
    for (std::size_t i = 0; i < specs.size(); ++i) {
        checkStored(m_stored[i], specs[i].name, specs[i].shape);
        m_places.push_back({specs[i].offset, specs[i].shape});
        const MappedFile* const file = m_stored[i].file;
        if (file != nullptr && std::ranges::find(m_files, file) == m_files.end())
            m_files.push_back(file);
    }
    m_size = specs.back().offset + static_cast<std::size_t>(specs.back().shape.elementCount());
    m_values = reserve(m_size);
}

LazyParameters::~LazyParameters()
{
    ::munmap(m_values, m_size * sizeof(float));
}

std::size_t LazyParameters::indexAt(std::size_t offset) const
{
    const auto after = std::upper_bound(
        m_places.begin(), m_places.end(), offset,
        [](std::size_t wanted, const Place& place) { return wanted < place.offset; });
    return static_cast<std::size_t>(after - m_places.begin()) - 1;
}

void LazyParameters::unpackAt(std::size_t index) const
{
    std::call_once(m_once[index], [&] {
        const Place& place = m_places[index];
        const std::size_t bytes = bytesOf(place.shape);
        constexpr std::size_t kWorthAsking = std::size_t{1} << 20;
        if (bytes >= kWorthAsking)
            requireMemory(bytes, fmt::format("unpacking {} parameters", bytes / sizeof(float)));
        unpackParameter(m_stored[index], {m_values + place.offset, place.shape});
        if (m_stored[index].file != nullptr)
            m_stored[index].file->requireUnchanged();
        m_unpacked[index].store(true, std::memory_order_relaxed);
    });
}

bool LazyParameters::isOwn(std::size_t offset, const Shape& shape) const
{
    if (!m_base)
        return true;
    const std::size_t end = offset + static_cast<std::size_t>(shape.elementCount());
    for (std::size_t i = indexAt(offset); i < m_places.size() && m_places[i].offset < end; ++i)
        if (m_replaced[i])
            return true;
    return false;
}

TensorView LazyParameters::at(std::size_t offset, const Shape& shape) const
{
    if (!isOwn(offset, shape))
        return m_base->at(offset, shape);
    const std::size_t end = offset + static_cast<std::size_t>(shape.elementCount());
    for (std::size_t i = indexAt(offset); i < m_places.size() && m_places[i].offset < end; ++i)
        unpackAt(i);
    return {m_values + offset, shape};
}

std::span<const float> LazyParameters::values() const
{
    std::size_t missing = 0;
    for (std::size_t i = 0; i < m_places.size(); ++i)
        missing += m_unpacked[i].load(std::memory_order_relaxed) ? 0 : bytesOf(m_places[i].shape);
    if (missing > 0)
        requireMemory(missing, fmt::format("unpacking {} parameters", missing / sizeof(float)));
    for (std::size_t i = 0; i < m_places.size(); ++i)
        unpackAt(i);
    return {m_values, m_size};
}

std::size_t LazyParameters::unpackedBytes() const
{
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < m_places.size(); ++i)
        bytes += m_unpacked[i].load(std::memory_order_relaxed) ? bytesOf(m_places[i].shape) : 0;
    return bytes;
}

void LazyParameters::requireUnchanged() const
{
    for (const MappedFile* const file : m_files)
        file->requireUnchanged();
}

} // namespace headscope
