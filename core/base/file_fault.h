#pragma once

#include <functional>
#include <string_view>

namespace headscope {

/// Called before every system call of writeAtomically ("open", "write", "fsync", "close", "rename")
/// on this thread; returns 0 to continue, or the errno that the call is to fail with. An empty
/// function, the default, never fails. Tests use it to make every write fail at every point.
using FileFault = std::function<int(std::string_view call)>;

/// Installs `fault` for this thread and restores the previous one on destruction.
class ScopedFileFault
{
public:
    explicit ScopedFileFault(FileFault fault);
    ~ScopedFileFault();
    ScopedFileFault(const ScopedFileFault&) = delete;
    ScopedFileFault& operator=(const ScopedFileFault&) = delete;

private:
    FileFault m_previous;
};

namespace detail {
/// Errno to fail with, or 0.
int askFileFault(std::string_view call);
} // namespace detail

} // namespace headscope
