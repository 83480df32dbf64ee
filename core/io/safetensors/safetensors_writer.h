#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headscope {

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

    /// Throws Error; never leaves a half-written file.
    void write(const std::filesystem::path& path) const;

private:
    struct Entry;
    void add(std::shared_ptr<const Entry> entry);

    std::map<std::string, std::string> m_metadata;
    std::vector<std::shared_ptr<const Entry>> m_entries;
};

} // namespace headscope
