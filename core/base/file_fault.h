#pragma once

#include <functional>
#include <string_view>

namespace headscope {

/// Asked before every system call of writeAtomically ("open", "write", "fsync", "close", "rename")
/// of this thread; returns 0 to go on or the errno that the call shall fail with. An empty
/// function, the default, never fails. Tests use it to make every write fail at every point.
using FileFault = std::function<int(std::string_view call)>;

/// Puts `fault` in place for this thread and the one before back at its end.
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
/// The errno to fail with, or 0.
int askFileFault(std::string_view call);
} // namespace detail

} // namespace headscope
