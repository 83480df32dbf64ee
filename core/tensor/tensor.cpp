#include "core/tensor/tensor.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <new>
#include <utility>

namespace headscope {

namespace {

constexpr std::align_val_t kAlignment{64};
/// From here on, several threads allocate and clear memory faster than one.
constexpr std::size_t kManyValues = 1 << 18;

} // namespace

void Tensor::Free::operator()(float* values) const noexcept
{
    ::operator delete[](values, kAlignment);
}

Tensor::Tensor(const Shape& shape)
    : m_shape(shape)
    , m_size(static_cast<std::size_t>(shape.elementCount()))
{
    if (m_size == 0)
        return;
    m_data.reset(static_cast<float*>(::operator new[](m_size * sizeof(float), kAlignment)));
    parallelFor(m_size, m_size < kManyValues ? 1 : workerCount(),
                [&](std::size_t begin, std::size_t end, std::size_t) {
                    std::fill_n(m_data.get() + begin, end - begin, 0.0F);
                });
}

Tensor::Tensor(const Tensor& other) : Tensor(other.m_shape)
{
    std::copy_n(other.data(), m_size, data());
}

Tensor::Tensor(Tensor&& other) noexcept
    : m_shape(std::exchange(other.m_shape, Shape{0}))
    , m_size(std::exchange(other.m_size, 0))
    , m_data(std::move(other.m_data))
{
}

Tensor& Tensor::operator=(Tensor other) noexcept
{
    std::swap(m_shape, other.m_shape);
    std::swap(m_size, other.m_size);
    std::swap(m_data, other.m_data);
    return *this;
}

float* copyPacked(TensorView source, float* destination)
{
    if (source.isContiguous())
        return std::copy_n(source.data, source.shape.elementCount(), destination);
    for (std::int64_t i = 0; i < source.shape[0]; ++i)
        destination = copyPacked(source[i], destination);
    return destination;
}

} // namespace headscope
