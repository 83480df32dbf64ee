#include "core/text/files/protobuf_reader.h"

#include "core/base/error.h"

#include <fmt/format.h>

namespace headscope {

namespace {

enum WireType : std::uint64_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

} // namespace

void ProtobufReader::fail(const std::string& problem) const
{
    throw FormatError(problem, m_where, m_offset + m_at);
}

ProtobufReader ProtobufReader::inside(const ProtobufField& field) const
{
    if (!field.isBytes)
        throw FormatError(
            fmt::format("field {} is a number, but a message was expected", field.number), m_where,
            field.offset);
    return {field.bytes, m_where, field.offset};
}

std::optional<ProtobufField> ProtobufReader::next()
{
    if (m_at == m_message.size())
        return std::nullopt;
    const std::uint64_t key = varint();
    ProtobufField field;
    if (key >> 3 == 0 || key >> 3 > 0x1FFFFFFF)
        fail("this is not a field of a protocol buffers message");
    field.number = static_cast<std::uint32_t>(key >> 3);
    field.offset = m_offset + m_at;
    switch (key & 7) {
    case Varint:
        field.value = varint();
        break;
    case Fixed64:
        field.value = fixed(8);
        break;
    case Fixed32:
        field.value = fixed(4);
        break;
    case Bytes: {
        const std::uint64_t size = varint();
        field.offset = m_offset + m_at;
        field.bytes = take(size);
        field.isBytes = true;
        break;
    }
    default:
        fail(fmt::format("field {} has the unknown kind {}", field.number, key & 7));
    }
    return field;
}

std::uint64_t ProtobufReader::varint()
{
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const auto byte = static_cast<unsigned char>(take(1)[0]);
        value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80)
            return value;
    }
    fail("a number takes more than ten bytes");
}

std::uint64_t ProtobufReader::fixed(std::size_t size)
{
    const std::string_view bytes = take(size);
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

std::string_view ProtobufReader::take(std::uint64_t size)
{
    const std::size_t left = m_message.size() - m_at;
    if (size > left)
        fail(fmt::format("the file is truncated: {} bytes were expected, but {} are left", size,
                         left));
    const std::string_view bytes = m_message.substr(m_at, size);
    m_at += size;
    return bytes;
}

} // namespace headscope
