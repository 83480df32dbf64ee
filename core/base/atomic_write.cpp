#include "core/base/atomic_write.h"

#include "core/base/error.h"
#include "core/base/file_fault.h"
#include "core/base/quick_writes.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headscope {

namespace {

thread_local FileFault fileFault;
thread_local bool quickWrites = false;

const char* adviceFor(int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
        return "Free some space and try again";
    case EACCES:
    case EPERM:
    case EROFS:
        return "Choose a folder that you can write to";
    case ENOENT:
    case ENOTDIR:
        return "Create the folder first, or choose another";
    default:
        return "Choose another folder, or try again";
    }
}

[[noreturn]] void fail(const std::filesystem::path& path, int error)
{
    throw Error("cannot write the file: " + std::generic_category().message(error), path.string(),
                adviceFor(error));
}

/// A symbolic link is preserved: the file that it points to is replaced.
std::filesystem::path finalTarget(const std::filesystem::path& path)
{
    std::error_code error;
    if (!std::filesystem::is_symlink(path, error))
        return path;
    const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
    return error ? path : target;
}

/// Mode of the file to be replaced, if it exists; refuses everything but regular files.
std::optional<mode_t> existingMode(const std::filesystem::path& target,
                                   const std::filesystem::path& path)
{
    struct stat status = {};
    if (::stat(target.c_str(), &status) != 0)
        return std::nullopt;
    if (!S_ISREG(status.st_mode))
        throw Error("cannot write the file: the name is taken by something that is not a file",
                    path.string(), "Choose a file name");
    if (::access(target.c_str(), W_OK) != 0)
        fail(path, errno);
    return status.st_mode & 07777;
}

/// A temporary file, removed unless it was renamed.
class TemporaryFile
{
public:
    TemporaryFile(const std::filesystem::path& target, const std::filesystem::path& shownPath)
        : m_target(target)
        , m_shownPath(shownPath)
    {
        check("open");
        const std::filesystem::path folder = target.parent_path();
        do {
            static std::atomic<unsigned> counter = 0;
            m_name = folder / fmt::format(".headscope-{}-{}.tmp", ::getpid(), counter++);
            m_descriptor = ::open(m_name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        } while (m_descriptor < 0 && errno == EEXIST);
        if (m_descriptor < 0)
            fail(m_shownPath, errno);
    }

    ~TemporaryFile()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
        if (!m_name.empty())
            ::unlink(m_name.c_str());
    }

    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    void write(std::span<const std::byte> bytes)
    {
        while (!bytes.empty()) {
            check("write");
            const ssize_t count = ::write(m_descriptor, bytes.data(), bytes.size());
            if (count < 0 && errno != EINTR)
                fail(m_shownPath, errno);
            if (count > 0)
                bytes = bytes.subspan(static_cast<std::size_t>(count));
        }
    }

    void become(std::optional<mode_t> mode)
    {
        if (mode && ::fchmod(m_descriptor, *mode) != 0)
            fail(m_shownPath, errno);
        if (!quickWrites) {
            check("fsync");
            if (::fsync(m_descriptor) != 0)
                fail(m_shownPath, errno);
        }
        check("close");
        if (::close(std::exchange(m_descriptor, -1)) != 0)
            fail(m_shownPath, errno);
        check("rename");
        if (::rename(m_name.c_str(), m_target.c_str()) != 0)
            fail(m_shownPath, errno);
        m_name.clear();
        if (!quickWrites)
            syncFolder();
    }

private:
    void check(std::string_view call) const
    {
        if (const int error = detail::askFileFault(call))
            fail(m_shownPath, error);
    }

    /// Makes the new name survive a power failure where the file system can; the file itself is
    /// complete.
    void syncFolder() const
    {
        const std::filesystem::path folder =
            m_target.has_parent_path() ? m_target.parent_path() : ".";
        const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (descriptor < 0)
            return;
        ::fsync(descriptor);
        ::close(descriptor);
    }

    std::filesystem::path m_target;
    std::filesystem::path m_shownPath;
    std::filesystem::path m_name;
    int m_descriptor = -1;
};

} // namespace

ScopedFileFault::ScopedFileFault(FileFault fault)
    : m_previous(std::exchange(fileFault, std::move(fault)))
{
}

ScopedFileFault::~ScopedFileFault()
{
    fileFault = std::move(m_previous);
}

ScopedQuickWrites::ScopedQuickWrites() : m_previous(std::exchange(quickWrites, true)) {}

ScopedQuickWrites::~ScopedQuickWrites()
{
    quickWrites = m_previous;
}

int detail::askFileFault(std::string_view call)
{
    return fileFault ? fileFault(call) : 0;
}

void writeAtomically(const std::filesystem::path& path,
                     const std::function<void(const ByteSink&)>& write)
{
    if (path.empty() || !path.has_filename())
        throw Error("cannot write the file: the name is empty", path.string(),
                    "Choose a file name");
    const std::filesystem::path target = finalTarget(path);
    const std::optional<mode_t> mode = existingMode(target, path);
    TemporaryFile file(target, path);
    write([&](std::span<const std::byte> bytes) { file.write(bytes); });
    file.become(mode);
}

void writeAtomically(const std::filesystem::path& path, std::string_view content)
{
    writeAtomically(path, [&](const ByteSink& sink) { sink(std::as_bytes(std::span(content))); });
}

} // namespace headscope
