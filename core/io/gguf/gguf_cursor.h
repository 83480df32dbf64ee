#pragma once

#include "core/base/error.h"
#include "core/io/gguf/gguf_types.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace headscope {

/// Reads a GGUF file sequentially; reading beyond the end of `bytes` is a FormatError with the
/// offset at which the missing item should begin.
class GgufCursor
{
public:
    /// Takes `firstOffset`, the position of `bytes` in the file.
    GgufCursor(std::span<const std::byte> bytes, const std::string& path,
               std::uint64_t firstOffset = 0)
        : m_bytes(bytes)
        , m_path(path)
        , m_firstOffset(firstOffset)
    {
    }

    std::uint64_t offset() const { return m_firstOffset + m_position; }

    std::uint64_t remaining() const { return m_bytes.size() - m_position; }

    template<class Value>
    Value read(const char* what)
    {
        Value value;
        std::memcpy(&value, take(sizeof(Value), what).data(), sizeof(Value)); // unaligned
        return value;
    }

    using Number = std::variant<std::uint64_t, std::int64_t, double>;

    /// Reads a number of this type, or the byte of a Bool.
    Number number(GgufValueType type, const char* what)
    {
        switch (type) {
        case GgufValueType::U8:
        case GgufValueType::Bool:
            return std::uint64_t{read<std::uint8_t>(what)};
        case GgufValueType::U16:
            return std::uint64_t{read<std::uint16_t>(what)};
        case GgufValueType::U32:
            return std::uint64_t{read<std::uint32_t>(what)};
        case GgufValueType::U64:
            return read<std::uint64_t>(what);
        case GgufValueType::I8:
            return std::int64_t{read<std::int8_t>(what)};
        case GgufValueType::I16:
            return std::int64_t{read<std::int16_t>(what)};
        case GgufValueType::I32:
            return std::int64_t{read<std::int32_t>(what)};
        case GgufValueType::I64:
            return read<std::int64_t>(what);
        case GgufValueType::F32:
            return double{read<float>(what)};
        case GgufValueType::F64:
            return read<double>(what);
        case GgufValueType::String:
        case GgufValueType::Array:
            break;
        }
        return std::uint64_t{0};
    }

    /// Reads the bytes of a string, without its length.
    std::string_view text(std::uint64_t maxLength, const char* what)
    {
        const std::uint64_t place = offset();
        const auto length = read<std::uint64_t>(what);
        if (length > maxLength)
            throw error(fmt::format("{} of {} bytes, but at most {} were expected", what, length,
                                    maxLength),
                        place);
        const std::span<const std::byte> bytes = take(length, what);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

    std::string_view text(const char* what)
    {
        return text(std::numeric_limits<std::uint64_t>::max(), what); // take() checks the length
    }

    std::span<const std::byte> take(std::uint64_t count, const char* what)
    {
        if (count > remaining())
            throw error(fmt::format("{}: {} bytes were expected, but the file has only {} more",
                                    what, count, remaining()),
                        offset());
        const auto taken = m_bytes.subspan(m_position, static_cast<std::size_t>(count));
        m_position += static_cast<std::size_t>(count);
        return taken;
    }

    FormatError error(const std::string& problem, std::uint64_t offset) const
    {
        return {problem, m_path, offset, "The file is damaged, or not a GGUF file"};
    }

private:
    std::span<const std::byte> m_bytes;
    const std::string& m_path;
    std::uint64_t m_firstOffset;
    std::size_t m_position = 0;
};

} // namespace headscope
