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

/// A read-only memory map of a regular file: bytes() can be read while the object lives, by any
/// thread. A file of at most a mebibyte is copied, so that nobody can change it any more.
///
/// Others may shorten or overwrite a larger one. Reading beyond the end that it has now gives zeros
/// (a handler of SIGBUS puts empty pages there), never a crash, and requireUnchanged() says so:
/// whoever has made something of the bytes calls it before that is used.
class MappedFile
{
public:
    explicit MappedFile(const std::filesystem::path& path); ///< throws FormatError
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {m_data, m_size}; }

    const std::filesystem::path& path() const { return m_path; }

    /// Throws FormatError when the file was shortened or written to since it was mapped.
    void requireUnchanged() const;

private:
    std::filesystem::path m_path;
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
    int m_descriptor = -1; ///< of a file that is not copied
    std::int64_t m_modifiedNs = 0;
    std::unique_ptr<MapGuard> m_guard;
};

} // namespace headscope
