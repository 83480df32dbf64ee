#include "core/io/safetensors/stored_tensor.h"

#include "core/base/error.h"
#include "core/tensor/float8.h"
#include "core/tensor/half.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace headscope {

namespace {

struct Kind
{
    std::string_view name;
    std::size_t bytes;
};

/// Types in the order of DataType.
constexpr std::array<Kind, 12> kKinds{{{"F32", 4},
                                       {"F64", 8},
                                       {"F16", 2},
                                       {"BF16", 2},
                                       {"F8_E4M3", 1},
                                       {"F8_E5M2", 1},
                                       {"I64", 8},
                                       {"I32", 4},
                                       {"I16", 2},
                                       {"I8", 1},
                                       {"U8", 1},
                                       {"BOOL", 1}}};

template<class Stored>
Stored load(const std::byte* place)
{
    Stored value;
    std::memcpy(&value, place, sizeof(value)); // data may be unaligned
    return value;
}

template<class Stored, class Target, class Convert>
std::vector<Target> convert(std::span<const std::byte> bytes, Convert convertOne)
{
    std::vector<Target> values(bytes.size() / sizeof(Stored));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = convertOne(load<Stored>(bytes.data() + i * sizeof(Stored)));
    return values;
}

template<class Target>
std::vector<Target> toNumbers(DataType type, std::span<const std::byte> bytes)
{
    const auto cast = [](auto value) { return static_cast<Target>(value); };
    switch (type) {
    case DataType::F32:
        return convert<float, Target>(bytes, cast);
    case DataType::F64:
        return convert<double, Target>(bytes, cast);
    case DataType::F16:
        return convert<std::uint16_t, Target>(
            bytes, [&](std::uint16_t half) { return cast(halfToFloat(half)); });
    case DataType::BF16:
        return convert<std::uint16_t, Target>(
            bytes, [&](std::uint16_t bfloat) { return cast(bfloatToFloat(bfloat)); });
    case DataType::F8_E4M3:
        return convert<std::uint8_t, Target>(
            bytes, [&](std::uint8_t code) { return cast(e4m3ToFloat(code)); });
    case DataType::F8_E5M2:
        return convert<std::uint8_t, Target>(
            bytes, [&](std::uint8_t code) { return cast(e5m2ToFloat(code)); });
    case DataType::I64:
        return convert<std::int64_t, Target>(bytes, cast);
    case DataType::I32:
        return convert<std::int32_t, Target>(bytes, cast);
    case DataType::I16:
        return convert<std::int16_t, Target>(bytes, cast);
    case DataType::I8:
        return convert<std::int8_t, Target>(bytes, cast);
    case DataType::U8:
    case DataType::Bool:
        return convert<std::uint8_t, Target>(bytes, cast);
    }
    return {};
}

bool isInteger(DataType type)
{
    return type >= DataType::I64;
}

} // namespace

std::size_t byteSize(DataType type)
{
    return kKinds[static_cast<std::size_t>(type)].bytes;
}

std::string_view toString(DataType type)
{
    return kKinds[static_cast<std::size_t>(type)].name;
}

std::optional<DataType> dataTypeNamed(std::string_view name)
{
    const auto found = std::ranges::find(kKinds, name, &Kind::name);
    return found == kKinds.end() ? std::nullopt
                                 : std::optional(static_cast<DataType>(found - kKinds.begin()));
}

std::int64_t StoredTensor::elementCount() const
{
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    return count;
}

std::vector<float> StoredTensor::toFloats() const
{
    return toNumbers<float>(type, bytes);
}

std::vector<double> StoredTensor::toDoubles() const
{
    return toNumbers<double>(type, bytes);
}

std::vector<std::int64_t> StoredTensor::toIntegers() const
{
    if (!isInteger(type))
        throw Error("toIntegers: integers were expected, but the tensor holds " +
                    std::string(toString(type)));
    return toNumbers<std::int64_t>(type, bytes);
}

Tensor StoredTensor::toTensor() const
{
    Shape extents;
    for (const std::int64_t extent : shape)
        extents.append(extent);
    Tensor tensor(extents);
    if (type == DataType::F32) {
        if (!bytes.empty())
            std::memcpy(tensor.data(), bytes.data(), bytes.size());
    } else {
        const std::vector<float> values = toFloats();
        std::copy(values.begin(), values.end(), tensor.values().begin());
    }
    return tensor;
}

} // namespace headscope
