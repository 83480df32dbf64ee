#include "core/runs/run_lock.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace headscope {

namespace {

// Locks of the open file, not of the process (F_OFD_*): two objects in one process exclude each
// other too, and unlike flock they can be tested without being acquired.

std::filesystem::path lockPath(const std::filesystem::path& run)
{
    return run / "run.lock";
}

struct flock wholeFile()
{
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return lock;
}

/// The holder's process id as written, such as " 1234", or empty.
std::string holderOf(int file)
{
    std::array<char, 24> text{};
    const ssize_t count = ::pread(file, text.data(), text.size() - 1, 0);
    std::string digits;
    for (ssize_t i = 0; i < count && text[static_cast<std::size_t>(i)] >= '0' &&
                        text[static_cast<std::size_t>(i)] <= '9';
         ++i)
        digits += text[static_cast<std::size_t>(i)];
    return digits.empty() ? digits : " " + digits;
}

[[noreturn]] void refuse(int problem, int file, const std::filesystem::path& run)
{
    const std::string holder = holderOf(file);
    ::close(file);
    if (problem == EAGAIN || problem == EACCES)
        throw Error(fmt::format("process{} is training in this folder", holder), run.string(),
                    "Wait for its end or stop it; to watch it, open the training run");
    throw Error("cannot lock the training run: " + std::generic_category().message(problem),
                run.string(), "Choose a folder on a file system that supports locks");
}

} // namespace

RunLock::RunLock(const std::filesystem::path& run)
    : m_file(::open(lockPath(run).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644))
{
    if (m_file < 0)
        throw Error("cannot write to the training run: " + std::generic_category().message(errno),
                    run.string(), "Choose a writable folder");
    struct flock lock = wholeFile();
    if (::fcntl(m_file, F_OFD_SETLK, &lock) != 0)
        refuse(errno, std::exchange(m_file, -1), run);
    const std::string text = fmt::format("{}\n", ::getpid());
    if (::ftruncate(m_file, 0) == 0 && ::pwrite(m_file, text.data(), text.size(), 0) < 0)
        return; // on a full disk: the lock is held, only its holder is not named
}

RunLock::~RunLock()
{
    if (m_file >= 0)
        ::close(m_file);
}

RunLock::RunLock(RunLock&& other) noexcept : m_file(std::exchange(other.m_file, -1)) {}

RunLock& RunLock::operator=(RunLock&& other) noexcept
{
    std::swap(m_file, other.m_file);
    return *this;
}

bool RunLock::isTaken(const std::filesystem::path& run)
{
    const int file = ::open(lockPath(run).c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    struct flock lock = wholeFile();
    lock.l_type = F_RDLCK; // allowed for a file opened for reading
    const bool taken = ::fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    ::close(file);
    return taken;
}

} // namespace headscope
