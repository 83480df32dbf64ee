#pragma once

#include "core/base/file.h"
#include "core/io/gguf/gguf_metadata.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A tensor inside a GGUF file: its type, shape and bytes, not copied.
struct GgufTensor
{
    std::string name;
    const GgufTensorType* type = nullptr;
    std::vector<std::int64_t> shape; ///< Row-major: the file's dimensions in reverse, rank 1 to 4.
    std::uint64_t infoOffset = 0;    ///< Offset of its description in the file.
    std::span<const std::byte> bytes;

    std::int64_t elementCount() const;
};

/// An untrusted GGUF file, version 2 or 3
/// (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md). Counts, lengths, types, names,
/// dimensions, row lengths, alignment, offsets and overlaps are checked before anything is used or
/// allocated by them; every fault is a FormatError with path and byte offset.
class GgufFile
{
public:
    static GgufFile open(const std::filesystem::path& path); ///< Memory-mapped.
    /// Takes `bytes`, which must outlive the object; `name` replaces the path in errors.
    static GgufFile fromMemory(std::span<const std::byte> bytes, const std::string& name);

    const std::string& path() const { return m_path; }

    std::uint32_t version() const { return m_version; }

    /// Null for memory. Holds the bytes of all tensors.
    const std::shared_ptr<const MappedFile>& map() const { return m_map; }

    const GgufMetadata& metadata() const { return m_metadata; }

    const std::vector<GgufTensor>& tensors() const { return m_tensors; } ///< Tensors in file order.

    const GgufTensor* find(std::string_view tensor) const; ///< Null when there is none.

private:
    std::shared_ptr<const MappedFile> m_map;
    std::string m_path;
    std::uint32_t m_version = 0;
    GgufMetadata m_metadata;
    std::vector<GgufTensor> m_tensors;
    std::map<std::string, std::size_t, std::less<>> m_byName;

    friend class GgufReader;
};

} // namespace headscope
