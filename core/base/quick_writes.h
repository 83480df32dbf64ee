#pragma once

namespace headscope {

/// While it lives, writeAtomically of this thread does not wait for the disk. A kill still leaves
/// the old or the new file, but after a power cut a new one may be damaged: for files that can be
/// made again.
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
