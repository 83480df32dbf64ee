#pragma once

#include "core/io/gguf/gguf_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// Metadata of one architecture: "block_count" is "llama.block_count". What does not fit is a
/// FormatError that names the whole key.
class GgufKeys
{
public:
    /// `file` is kept by reference.
    GgufKeys(const GgufFile& file, std::string architecture)
        : m_file(file)
        , m_metadata(file.metadata())
        , m_architecture(std::move(architecture))
    {
    }

    std::string operator()(const char* name) const { return m_architecture + "." + name; }

    bool has(const char* name) const { return m_metadata.has((*this)(name)); }

    std::int64_t integer(const char* name, std::optional<std::int64_t> otherwise = {}) const
    {
        return m_metadata.integer((*this)(name), otherwise);
    }

    double number(const char* name, std::optional<double> otherwise = {}) const
    {
        return m_metadata.number((*this)(name), otherwise);
    }

    bool flag(const char* name, std::optional<bool> otherwise = {}) const
    {
        return m_metadata.flag((*this)(name), otherwise);
    }

    /// Reads a number, or a list with the same number for every layer.
    std::int64_t integerOfAllLayers(const char* name,
                                    std::optional<std::int64_t> otherwise = {}) const;

    /// Reads a list of BOOL, one for each layer; empty if the key is missing or not a list.
    std::vector<bool> flagOfEachLayer(const char* name, std::size_t layers) const;

    /// Rejects a key whose value would change the arithmetic in an unsupported way.
    void requireNone(const char* name, const char* what) const;

    [[noreturn]] void refuse(const char* name, const std::string& advice) const;

    const GgufFile& file() const { return m_file; }

private:
    const GgufFile& m_file;
    const GgufMetadata& m_metadata;
    std::string m_architecture;
};

} // namespace headscope
