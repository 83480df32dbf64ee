#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::test {

/// The bytes of a value, as they lie in memory.
template<class Value>
std::string bytesOf(Value value)
{
    std::string bytes(sizeof(value), '\0');
    std::memcpy(bytes.data(), &value, sizeof(value));
    return bytes;
}

/// Makes GGUF files, right or wrong ones. Says nothing about what belongs into them.
class GgufBuilder
{
public:
    GgufBuilder& number(const std::string& key, std::uint32_t value);
    GgufBuilder& number(const std::string& key, float value);
    GgufBuilder& flag(const std::string& key, bool value);
    GgufBuilder& text(const std::string& key, std::string_view value);
    GgufBuilder& texts(const std::string& key, const std::vector<std::string>& values);

    /// An array of numbers of the type with that number.
    template<class Value>
    GgufBuilder& array(const std::string& key, std::uint32_t type, const std::vector<Value>& values)
    {
        std::string raw;
        for (const Value value : values)
            raw += bytesOf(value);
        return entry(key, 9, bytesOf(type) + bytesOf<std::uint64_t>(values.size()) + raw);
    }

    /// Any value: the number of its type, and its bytes.
    GgufBuilder& entry(const std::string& key, std::uint32_t type, const std::string& raw);

    /// Data behind those of the tensor before. `shape` is row-major, `type` ggml's number.
    GgufBuilder& tensor(const std::string& name, const std::vector<std::int64_t>& shape,
                        std::uint32_t type, const std::string& data);

    /// A tensor as the file shall describe it: dimensions as in the file, row first, and any
    /// offset.
    GgufBuilder& info(const std::string& name, const std::vector<std::uint64_t>& dimensions,
                      std::uint32_t type, std::uint64_t offset);

    GgufBuilder& data(const std::string& bytes); ///< behind all data so far

    std::string bytes() const;

    std::string magic = "GGUF";
    std::uint32_t version = 3;
    std::uint64_t alignment = 32; ///< of what bytes() writes; not written itself
    std::optional<std::uint64_t> claimedTensors;
    std::optional<std::uint64_t> claimedEntries;

private:
    std::uint64_t m_entries = 0;
    std::uint64_t m_tensors = 0;
    std::string m_metadata;
    std::string m_infos;
    std::string m_data;
};

/// A string with its length, as files have it.
std::string ggufText(std::string_view text);

} // namespace headscope::test
