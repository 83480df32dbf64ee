#pragma once

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/gguf_types.h"

#include <map>
#include <memory>
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
    std::uint64_t offset = 0; ///< of the value in the file, behind its type
    std::variant<std::uint64_t, std::int64_t, double, bool, std::string, GgufArray> data;
};

/// A tensor inside a GGUF file: its type, shape and bytes, not copied.
struct GgufTensor
{
    std::string name;
    const GgufTensorType* type = nullptr;
    std::vector<std::int64_t> shape; ///< row-major: the file's dimensions in reverse, rank 1 to 4
    std::uint64_t infoOffset = 0;    ///< where the file describes it
    std::span<const std::byte> bytes;

    std::int64_t elementCount() const;
};

/// A GGUF file, version 2 or 3 (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md), read
/// without trusting a word of it. Counts, lengths, types, names, dimensions, row lengths,
/// alignment, offsets and overlaps are checked before anything is used or allocated by them; every
/// fault is a FormatError with path and byte offset. Metadata is asked for by key; a value of
/// another kind than asked for, or a missing one, is a FormatError that names the key.
class GgufFile
{
public:
    static GgufFile open(const std::filesystem::path& path); ///< memory-mapped
    /// `bytes` must outlive the object; `name` stands for the path in errors.
    static GgufFile fromMemory(std::span<const std::byte> bytes, const std::string& name);

    const std::string& path() const { return m_path; }

    std::uint32_t version() const { return m_version; }

    std::uint64_t byteCount() const { return m_bytes.size(); }

    /// Null for memory. Holds the bytes of all tensors.
    const std::shared_ptr<const MappedFile>& map() const { return m_map; }

    const std::map<std::string, GgufValue, std::less<>>& metadata() const { return m_metadata; }

    const std::vector<GgufTensor>& tensors() const { return m_tensors; } ///< as in the file

    const GgufTensor* find(std::string_view tensor) const; ///< null when there is none

    bool has(std::string_view key) const { return m_metadata.count(std::string(key)) != 0; }

    std::int64_t integer(std::string_view key, std::optional<std::int64_t> otherwise = {}) const;
    double number(std::string_view key, std::optional<double> otherwise = {}) const;
    bool flag(std::string_view key, std::optional<bool> otherwise = {}) const;
    std::string text(std::string_view key, std::optional<std::string> otherwise = {}) const;

    /// Arrays, copied; empty when the key is missing.
    std::vector<std::string> texts(std::string_view key) const;
    std::vector<std::int64_t> integers(std::string_view key) const;
    std::vector<float> numbers(std::string_view key) const;

    /// "KEY is VALUE" with the place of the value in the file.
    FormatError refusal(std::string_view key, const std::string& advice) const;

private:
    const GgufValue& value(std::string_view key) const;
    const GgufArray* array(std::string_view key, const char* expected) const;

    std::shared_ptr<const MappedFile> m_map;
    std::span<const std::byte> m_bytes;
    std::string m_path;
    std::uint32_t m_version = 0;
    std::map<std::string, GgufValue, std::less<>> m_metadata;
    std::vector<GgufTensor> m_tensors;
    std::map<std::string, std::size_t, std::less<>> m_byName;

    friend class GgufReader;
};

} // namespace headscope
