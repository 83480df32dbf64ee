#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace headscope {

/// Reads a regular file of at most `limit` bytes. Throws FormatError for a directory, a FIFO, a
/// device, an unreadable or an oversized file, naming what it is and what was expected.
std::string readFile(const std::filesystem::path& path, std::uint64_t limit);

/// A read-only memory map of a regular file. Bytes stay valid while the object lives.
class MappedFile
{
public:
    explicit MappedFile(const std::filesystem::path& path); ///< throws FormatError
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {m_data, m_size}; }

private:
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
};

/// Where a file's bytes go while it is being written.
using ByteSink = std::function<void(std::span<const std::byte>)>;

/// Writes to a temporary name beside `path`, syncs, then renames: afterwards the old or the new file
/// is there, never a mixture. Throws Error naming the path and the system's reason; the temporary
/// file is gone then.
void writeAtomically(const std::filesystem::path& path,
                     const std::function<void(const ByteSink&)>& write);
void writeAtomically(const std::filesystem::path& path, std::string_view content);

} // namespace headscope
