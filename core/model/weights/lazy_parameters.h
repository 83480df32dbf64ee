#pragma once

#include "core/model/weights/stored_parameter.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace headscope {

class ParameterSet;
struct ParameterSpec;
struct ReplacedParameter;

/// Stored parameters, and those unpacked to floats so far. The buffer of a ParameterSet is reserved
/// as addresses alone; memory is allocated where a parameter is unpacked. Immutable to readers,
/// from any number of threads.
class LazyParameters
{
public:
    /// Throws ShapeError naming the parameter that does not fit, Error without address space.
    LazyParameters(const std::vector<ParameterSpec>& specs, std::vector<StoredParameter> stored);
    /// Shares all parameters of `base` but the replaced ones: views of others are those of `base`.
    LazyParameters(std::shared_ptr<const ParameterSet> base,
                   std::vector<ReplacedParameter> replaced);
    ~LazyParameters();
    LazyParameters(const LazyParameters&) = delete;
    LazyParameters& operator=(const LazyParameters&) = delete;

    std::size_t size() const { return m_places.size(); }

    const StoredParameter& parameter(std::size_t index) const { return m_stored[index]; }

    const Shape& shape(std::size_t index) const { return m_places[index].shape; }

    /// Index of the parameter at `offset`; parameters are in ascending order.
    std::size_t indexAt(std::size_t offset) const;

    /// True when [offset, offset + shape) contains a replaced parameter, or nothing is shared.
    bool isOwn(std::size_t offset, const Shape& shape) const;

    /// Floats [offset, offset + shape): unpacks every parameter in that range. Throws Error when
    /// memory is insufficient.
    TensorView at(std::size_t offset, const Shape& shape) const;

    std::span<const float> values() const; ///< Unpacks everything.

    std::size_t unpackedBytes() const; ///< Bytes of floats unpacked so far.

    /// Throws FormatError if a file that holds parameters was truncated or written to since it was
    /// opened.
    void requireUnchanged() const;

private:
    struct Place
    {
        std::size_t offset = 0;
        Shape shape;
    };

    void take(const std::vector<ParameterSpec>& specs);
    void unpackAt(std::size_t index) const;

    std::shared_ptr<const ParameterSet> m_base; ///< Null unless parameters are shared.
    std::vector<bool> m_replaced;               ///< Per parameter; empty without m_base.
    std::vector<Place> m_places;
    std::vector<StoredParameter> m_stored;
    std::vector<const MappedFile*> m_files; ///< Owners of the stored parameters, each once.
    std::unique_ptr<std::once_flag[]> m_once;
    std::unique_ptr<std::atomic<bool>[]> m_unpacked;
    float* m_values = nullptr; ///< Reserved range of m_size floats.
    std::size_t m_size = 0;
};

} // namespace headscope
