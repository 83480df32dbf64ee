#pragma once

#include "core/base/file.h"
#include "core/io/safetensors/stored_tensor.h"

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// An untrusted safetensors file (https://github.com/huggingface/safetensors): header length,
/// UTF-8, duplicate keys, types, shapes, offsets, overlaps and gaps are checked before anything is
/// used. Every fault is a FormatError with path and byte offset.
class SafetensorsFile
{
public:
    static SafetensorsFile open(const std::filesystem::path& path); ///< Memory-mapped.
    /// Takes `bytes`, which must outlive the object; `name` replaces the path in errors.
    static SafetensorsFile fromMemory(std::span<const std::byte> bytes, const std::string& name);

    const std::string& path() const { return m_path; }

    /// Null for memory. Holds the bytes of all tensors.
    const std::shared_ptr<const MappedFile>& map() const { return m_file; }

    const std::map<std::string, std::string>& metadata() const { return m_metadata; }

    const std::map<std::string, StoredTensor>& tensors() const { return m_tensors; }

    bool contains(const std::string& name) const { return m_tensors.count(name) != 0; }

    /// Throws FormatError if the file was truncated or written to since it was opened. Call it
    /// before anything read from the tensors is used.
    void requireUnchanged() const;

    const StoredTensor&
    tensor(const std::string& name) const; ///< Throws FormatError naming the file when missing.

private:
    std::shared_ptr<const MappedFile> m_file; ///< Null for memory.
    std::string m_path;
    std::map<std::string, std::string> m_metadata;
    std::map<std::string, StoredTensor> m_tensors;
};

} // namespace headscope
