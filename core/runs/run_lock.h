#pragma once

#include <filesystem>

namespace headscope {

/// The right to write a run's directory, held by at most one object on this machine: a lock on
/// run.lock that the system lets go of when the process ends, however it ends.
class RunLock
{
public:
    /// Throws Error, naming the process that has it.
    explicit RunLock(const std::filesystem::path& run);
    ~RunLock();
    RunLock(RunLock&& other) noexcept;
    RunLock& operator=(RunLock&& other) noexcept;

    /// Whether someone writes the run now. Asking takes nothing.
    static bool isTaken(const std::filesystem::path& run);

private:
    int m_file = -1;
};

} // namespace headscope
