#pragma once

namespace headscope {

/// During its lifetime, writeAtomically on this thread does not wait for the disk. Killing the
/// process still leaves the old or the new file, but a power failure may damage a new one: for
/// files that can be regenerated.
class ScopedQuickWrites
{
public:
    ScopedQuickWrites();
    ~ScopedQuickWrites();
    ScopedQuickWrites(const ScopedQuickWrites&) = delete;
    ScopedQuickWrites& operator=(const ScopedQuickWrites&) = delete;

private:
    bool m_previous;
};

} // namespace headscope
