#pragma once

#include <filesystem>

namespace headscope {

/// Exclusive right to write a run's directory, held by at most one object on this machine: a lock
/// on run.lock that the system releases when the process ends, however it ends.
class RunLock
{
public:
    /// Throws an Error that names the process holding it.
    explicit RunLock(const std::filesystem::path& run);
    ~RunLock();
    RunLock(RunLock&& other) noexcept;
    RunLock& operator=(RunLock&& other) noexcept;

    /// True if any process is writing the run now. Does not acquire the lock.
    static bool isTaken(const std::filesystem::path& run);

private:
    int m_file = -1;
};

} // namespace headscope
