#pragma once

#include "core/tensor/shape.h"

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace headscope {

/// A non-owning view of float32 values. Strides count elements; the last axis of every view that an
/// operator takes is contiguous (stride 1), the others need not be.
template<class Value>
struct BasicTensorView
{
    Value* data = nullptr;
    Shape shape;
    std::array<std::int64_t, Shape::kMaxRank> strides{};

    BasicTensorView() = default;

    /// A contiguous row-major view.
    BasicTensorView(Value* values, const Shape& extents) : data(values), shape(extents)
    {
        std::int64_t stride = 1;
        for (int axis = shape.rank() - 1; axis >= 0; --axis) {
            strides[static_cast<std::size_t>(axis)] = stride;
            stride *= shape[axis];
        }
    }

    /// Converts a mutable view to a read-only one.
    operator BasicTensorView<const Value>() const requires(!std::is_const_v<Value>)
    {
        BasicTensorView<const Value> view;
        view.data = data;
        view.shape = shape;
        view.strides = strides;
        return view;
    }

    explicit operator bool() const { return data != nullptr; }

    std::int64_t stride(int axis) const { return strides[static_cast<std::size_t>(axis)]; }

    template<class... Index>
    Value& operator()(Index... index) const
    {
        std::int64_t offset = 0;
        std::size_t axis = 0;
        ((offset += static_cast<std::int64_t>(index) * strides[axis++]), ...);
        return data[offset];
    }

    /// View of entry `index` of the first axis: one axis fewer.
    BasicTensorView operator[](std::int64_t index) const
    {
        BasicTensorView view;
        view.data = data + index * strides[0];
        for (int axis = 1; axis < shape.rank(); ++axis) {
            view.shape.append(shape[axis]);
            view.strides[static_cast<std::size_t>(axis - 1)] = stride(axis);
        }
        return view;
    }

    bool isContiguous() const
    {
        std::int64_t expected = 1;
        for (int axis = shape.rank() - 1; axis >= 0; --axis) {
            if (shape[axis] != 1 && stride(axis) != expected)
                return false;
            expected *= shape[axis];
        }
        return true;
    }
};

using TensorView = BasicTensorView<const float>;
using MutableTensorView = BasicTensorView<float>;

/// Owns float32 values, row-major, 64-byte aligned, initially zero. Copying copies the values.
class Tensor
{
public:
    Tensor() = default;
    explicit Tensor(const Shape& shape);
    Tensor(const Tensor& other);
    Tensor(Tensor&& other) noexcept;
    Tensor& operator=(Tensor other) noexcept;
    ~Tensor() = default;

    const Shape& shape() const { return m_shape; }

    std::size_t size() const { return m_size; }

    bool empty() const { return m_size == 0; }

    float* data() { return m_data.get(); }

    const float* data() const { return m_data.get(); }

    std::span<float> values() { return {m_data.get(), m_size}; }

    std::span<const float> values() const { return {m_data.get(), m_size}; }

    TensorView view() const { return {m_data.get(), m_shape}; }

    MutableTensorView view() { return {m_data.get(), m_shape}; }

private:
    struct Free
    {
        void operator()(float* values) const noexcept;
    };

    Shape m_shape{0};
    std::size_t m_size = 0;
    std::unique_ptr<float[], Free> m_data;
};

/// Copies a view into dense memory, row-major. Returns the end of the written range.
float* copyPacked(TensorView source, float* destination);

} // namespace headscope
