#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// A field of a protocol buffers message, as it stands on the wire.
struct ProtobufField
{
    std::uint32_t number = 0;
    std::uint64_t value = 0; ///< of a varint or a fixed number
    std::string_view bytes;  ///< of a string, bytes or message; empty for numbers
    bool isBytes = false;
    std::uint64_t offset = 0; ///< of the value in the file
};

/// Walks over the fields of one message. Throws FormatError, which names `where` and the offset,
/// for whatever is cut off or no message; nothing outside of it is read.
class ProtobufReader
{
public:
    ProtobufReader(std::string_view message, const std::string& where, std::uint64_t offset = 0)
        : m_message(message)
        , m_where(where)
        , m_offset(offset)
    {
    }

    /// A message inside another one.
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
