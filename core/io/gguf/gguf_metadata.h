#pragma once

#include "core/base/error.h"
#include "core/io/gguf/gguf_types.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headscope {

/// An array of the metadata, not copied: `count` values of one type, none of them an array.
struct GgufArray
{
    GgufValueType type = GgufValueType::U8;
    std::uint64_t count = 0;
    std::span<const std::byte> bytes;
};

/// One value of the metadata.
struct GgufValue
{
    GgufValueType type = GgufValueType::U8;
    std::uint64_t offset = 0; ///< Offset of the value in the file, after its type.
    std::variant<std::uint64_t, std::int64_t, double, bool, std::string, GgufArray> data;
};

/// Metadata of a GGUF file, by key. A missing value, or one of a different kind than requested, is
/// a FormatError that names the key.
class GgufMetadata
{
public:
    using Values = std::map<std::string, GgufValue, std::less<>>;

    explicit GgufMetadata(std::string path = {}) : m_path(std::move(path)) {}

    /// Adds a value; returns false and adds nothing when the key exists.
    bool add(std::string key, GgufValue value)
    {
        return m_values.emplace(std::move(key), std::move(value)).second;
    }

    const Values& values() const { return m_values; }

    const GgufValue* find(std::string_view key) const; ///< Null when there is none.

    bool has(std::string_view key) const { return m_values.contains(key); }

    std::int64_t integer(std::string_view key, std::optional<std::int64_t> otherwise = {}) const;
    double number(std::string_view key, std::optional<double> otherwise = {}) const;
    bool flag(std::string_view key, std::optional<bool> otherwise = {}) const;
    std::string text(std::string_view key, std::optional<std::string> otherwise = {}) const;

    /// Arrays, copied; empty when the key is missing.
    std::vector<std::string> texts(std::string_view key) const;
    std::vector<std::int64_t> integers(std::string_view key) const;
    std::vector<float> numbers(std::string_view key) const;

    /// Text "KEY is VALUE" with the offset of the value in the file.
    FormatError refusal(std::string_view key, const std::string& advice) const;

private:
    const GgufValue& value(std::string_view key) const;
    const GgufArray* array(std::string_view key, const char* expected) const;

    std::string m_path; ///< Path for errors.
    Values m_values;
};

} // namespace headscope
