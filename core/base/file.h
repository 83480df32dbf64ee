#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace headscope {

class MapGuard;

/// Reads a regular file of at most `limit` bytes. Throws FormatError for a directory, a FIFO, a
/// device, an unreadable or an oversized file, naming what it is and what was expected.
std::string readFile(const std::filesystem::path& path, std::uint64_t limit);

/// The same, or "" where there is no file.
std::string readFileOrNothing(const std::filesystem::path& path, std::uint64_t limit);

/// A read-only memory map of a regular file: any thread may read bytes() during the object's
/// lifetime. A file of at most 1 MiB is copied, so later changes to it have no effect.
///
/// Other programs may truncate or overwrite a larger one. Reading beyond its current end gives
/// zeros (a SIGBUS handler maps empty pages there), never a crash, and requireUnchanged() reports
/// it: call that before using anything derived from the bytes.
class MappedFile
{
public:
    explicit MappedFile(const std::filesystem::path& path); ///< Throws FormatError.
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {m_data, m_size}; }

    const std::filesystem::path& path() const { return m_path; }

    /// Throws FormatError if the file was truncated or written to since it was mapped.
    void requireUnchanged() const;

private:
    std::filesystem::path m_path;
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
    int m_descriptor = -1; ///< Descriptor of a file that is not copied.
    std::int64_t m_modifiedNs = 0;
    std::unique_ptr<MapGuard> m_guard;
};

} // namespace headscope
