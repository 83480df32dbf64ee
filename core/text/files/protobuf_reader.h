#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// A field of a protocol buffers message, as encoded.
struct ProtobufField
{
    std::uint32_t number = 0;
    std::uint64_t value = 0; ///< Value of a varint or a fixed number.
    std::string_view bytes;  ///< Bytes of a string, bytes or message; empty for numbers.
    bool isBytes = false;
    std::uint64_t offset = 0; ///< Offset of the value in the file.
};

/// Iterates over the fields of one message. Throws FormatError, naming `where` and the offset, for
/// a truncated or invalid message; never reads outside it.
class ProtobufReader
{
public:
    ProtobufReader(std::string_view message, const std::string& where, std::uint64_t offset = 0)
        : m_message(message)
        , m_where(where)
        , m_offset(offset)
    {
    }

    /// Reader of a nested message.
    ProtobufReader inside(const ProtobufField& field) const;

    std::optional<ProtobufField> next();

    [[noreturn]] void fail(const std::string& problem) const;

private:
    std::uint64_t varint();
    std::uint64_t fixed(std::size_t size);
    std::string_view take(std::uint64_t size);

    std::string_view m_message;
    const std::string& m_where;
    std::uint64_t m_offset;
    std::size_t m_at = 0;
};

} // namespace headscope
