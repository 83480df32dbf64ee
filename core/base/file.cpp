#include "core/base/file.h"

#include "core/base/error.h"
#include "core/base/map_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headscope {

namespace {

/// Files up to this size are copied instead of mapped, so that truncating the file cannot affect
/// them.
constexpr std::uint64_t kCopyLimit = std::uint64_t{1} << 20;

std::string reason(int error)
{
    return std::generic_category().message(error);
}

class Descriptor
{
public:
    explicit Descriptor(int descriptor) : m_descriptor(descriptor) {}

    ~Descriptor()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }

    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return m_descriptor; }

    int release() { return std::exchange(m_descriptor, -1); }

private:
    int m_descriptor;
};

const char* kindOf(mode_t mode)
{
    if (S_ISDIR(mode))
        return "a folder";
    if (S_ISFIFO(mode))
        return "a pipe";
    if (S_ISSOCK(mode))
        return "a socket";
    return "a device";
}

/// O_NONBLOCK: opening a FIFO without a writer must not wait for one.
int openForReading(const std::filesystem::path& path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        throw FormatError("cannot open the file: " + reason(errno), path.string(), std::nullopt,
                          "Choose a readable file");
    return descriptor;
}

struct stat statusOf(int descriptor, const std::filesystem::path& path)
{
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0)
        throw FormatError("cannot get information about the file: " + reason(errno), path.string());
    return status;
}

std::int64_t modifiedNs(const struct stat& status)
{
    return status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec;
}

std::uint64_t regularFileSize(const Descriptor& file, const std::filesystem::path& path)
{
    const struct stat status = statusOf(file.get(), path);
    if (!S_ISREG(status.st_mode))
        throw FormatError(
            fmt::format("a regular file was expected, but this is {}", kindOf(status.st_mode)),
            path.string(), std::nullopt, "Choose a file");
    return static_cast<std::uint64_t>(status.st_size);
}

std::size_t readSome(const Descriptor& file, void* buffer, std::size_t size,
                     const std::filesystem::path& path)
{
    for (;;) {
        const ssize_t got = ::read(file.get(), buffer, size);
        if (got >= 0)
            return static_cast<std::size_t>(got);
        if (errno != EINTR)
            throw FormatError("cannot read the file: " + reason(errno), path.string());
    }
}

void readExactly(const Descriptor& file, std::byte* buffer, std::size_t size,
                 const std::filesystem::path& path)
{
    std::size_t done = 0;
    while (done < size) {
        const std::size_t got = readSome(file, buffer + done, size - done, path);
        if (got == 0)
            throw FormatError("the file was truncated while it was being read", path.string(), done,
                              "Try again when no other program is writing to it");
        done += got;
    }
}

} // namespace

std::string readFile(const std::filesystem::path& path, std::uint64_t limit)
{
    const Descriptor file(openForReading(path));
    const std::uint64_t size = regularFileSize(file, path);
    if (size > limit)
        throw FormatError(
            fmt::format("the file has {} bytes, but at most {} were expected", size, limit),
            path.string());
    std::string content;
    // one extra byte detects the end without growing
    content.resize(static_cast<std::size_t>(size) + 1);
    std::size_t done = 0;
    while (const std::size_t got =
               readSome(file, content.data() + done, content.size() - done, path)) {
        done += got;
        if (done > limit)
            throw FormatError(fmt::format("the file has more than the expected {} bytes", limit),
                              path.string());
        if (done == content.size()) // the file grew, or belongs to /proc
            content.resize(std::max<std::size_t>(content.size() * 2, 4096));
    }
    content.resize(done);
    return content;
}

std::string readFileOrNothing(const std::filesystem::path& path, std::uint64_t limit)
{
    std::error_code error;
    return std::filesystem::exists(path, error) ? readFile(path, limit) : std::string();
}

MappedFile::MappedFile(const std::filesystem::path& path) : m_path(path)
{
    Descriptor file(openForReading(path));
    const std::uint64_t size = regularFileSize(file, path);
    if (size == 0)
        return;
    const bool copied = size <= kCopyLimit;
    if (!copied)
        m_modifiedNs = modifiedNs(statusOf(file.get(), path));
    const int protection = copied ? PROT_READ | PROT_WRITE : PROT_READ;
    const int flags = copied ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_PRIVATE;
    void* memory = ::mmap(nullptr, size, protection, flags, copied ? -1 : file.get(), 0);
    if (memory == MAP_FAILED)
        throw FormatError("cannot map the file: " + reason(errno), path.string());
    try {
        if (copied)
            readExactly(file, static_cast<std::byte*>(memory), static_cast<std::size_t>(size),
                        path);
        else
            m_guard = std::make_unique<MapGuard>(memory, static_cast<std::size_t>(size));
    } catch (...) {
        ::munmap(memory, size);
        throw;
    }
    m_data = static_cast<const std::byte*>(memory);
    m_size = static_cast<std::size_t>(size);
    if (!copied)
        m_descriptor = file.release();
}

MappedFile::~MappedFile()
{
    m_guard.reset(); // before another mapping can reuse the address
    if (m_data)
        ::munmap(const_cast<std::byte*>(m_data), m_size);
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void MappedFile::requireUnchanged() const
{
    if (m_descriptor < 0)
        return;
    const struct stat status = statusOf(m_descriptor, m_path);
    const auto size = static_cast<std::uint64_t>(status.st_size);
    const char* const advice = "Open it again when no other program is writing to it";
    if (size < m_size || m_guard->bytesWereLost())
        throw FormatError(
            fmt::format("the file had {} bytes when it was opened and has {} now", m_size, size),
            m_path.string(), size, advice);
    if (modifiedNs(status) != m_modifiedNs)
        throw FormatError("the file was modified while it was open", m_path.string(), std::nullopt,
                          advice);
}

} // namespace headscope
