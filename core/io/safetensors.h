#pragma once

#include "core/base/file.h"
#include "core/tensor/tensor.h"

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

enum class DataType { F32, F64, F16, BF16, I64, I32, I16, I8, U8, Bool };

std::size_t byteSize(DataType type);
std::string_view toString(DataType type); ///< "F32"

/// A tensor inside a safetensors file: its type, shape and bytes, not copied.
struct StoredTensor
{
    DataType type = DataType::F32;
    std::vector<std::int64_t> shape; ///< any rank
    std::span<const std::byte> bytes;

    std::int64_t elementCount() const;
    std::vector<float> toFloats() const; ///< any type but I64 beyond 2^24 loses nothing it can keep
    std::vector<double> toDoubles() const;
    std::vector<std::int64_t>
    toIntegers() const;      ///< integer types and Bool only; throws Error otherwise
    Tensor toTensor() const; ///< float32; throws ShapeError beyond rank 5
};

/// A safetensors file (https://github.com/huggingface/safetensors), read without trusting a word of
/// it: header length, UTF-8, duplicate keys, types, shapes, offsets, overlaps and holes are checked
/// before anything is used. Every fault is a FormatError with path and byte offset.
class SafetensorsFile
{
public:
    static SafetensorsFile open(const std::filesystem::path& path); ///< memory-mapped
    /// `bytes` must outlive the object; `name` stands for the path in errors.
    static SafetensorsFile fromMemory(std::span<const std::byte> bytes, const std::string& name);

    const std::string& path() const { return m_path; }

    /// Null for memory. Holds the bytes of all tensors.
    const std::shared_ptr<const MappedFile>& map() const { return m_file; }

    const std::map<std::string, std::string>& metadata() const { return m_metadata; }

    const std::map<std::string, StoredTensor>& tensors() const { return m_tensors; }

    bool contains(const std::string& name) const { return m_tensors.count(name) != 0; }

    const StoredTensor&
    tensor(const std::string& name) const; ///< FormatError naming the file when missing

private:
    std::shared_ptr<const MappedFile> m_file; ///< null for memory
    std::string m_path;
    std::map<std::string, std::string> m_metadata;
    std::map<std::string, StoredTensor> m_tensors;
};

/// Collects tensors and writes them atomically. Float data is written as F32.
class SafetensorsWriter
{
public:
    void setMetadata(const std::string& key, const std::string& value);
    void
    add(const std::string& name,
        TensorView values); ///< `values` must stay valid until write(); strided views are packed
    void add(const std::string& name, std::span<const std::int64_t> values,
             std::vector<std::int64_t> shape);

    void
    write(const std::filesystem::path& path) const; ///< throws Error; never a half-written file

private:
    struct Entry;
    void add(std::shared_ptr<const Entry> entry);

    std::map<std::string, std::string> m_metadata;
    std::vector<std::shared_ptr<const Entry>> m_entries;
};

} // namespace headscope
