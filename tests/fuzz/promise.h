#pragma once

#include "core/base/error.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace headscope::fuzz {

/// Throws std::logic_error unless the error is one sentence that a person can read and that names
/// `file`.
void requireOneSentence(const Error& error, std::string_view file);

/// Whether `read` accepts what it reads. Checks what it says where it does not.
template<class Read>
bool accepts(std::string_view file, const Read& read)
{
    try {
        read();
        return true;
    } catch (const Error& error) {
        requireOneSentence(error, file);
        return false;
    }
}

/// Throws std::logic_error.
void require(bool claim, const char* what);

std::span<const std::byte> bytesOf(std::string_view file);

/// A file may stand for several: parts divided by a line of "---". Empty beyond the last one; the
/// last of `count` parts holds the rest, whatever it is.
std::string_view part(std::string_view file, int index, int count);

/// A file without a place on a disk, for loaders that want a path.
class MemoryFile
{
public:
    explicit MemoryFile(std::string_view content);
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::filesystem::path path() const;

private:
    int m_descriptor;
};

/// A folder of this process, in memory where the machine has such a place, empty at first and gone
/// at the end.
class ScratchFolder
{
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }

    /// No file where there is no content.
    void put(const char* name, std::string_view content) const;

private:
    std::filesystem::path m_path;
};

} // namespace headscope::fuzz
