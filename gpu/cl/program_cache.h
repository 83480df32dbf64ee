#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace headscope::gpu {

/// Everything that a compiled program depends on. All of it is in the entry, so no other program is
/// ever mistaken for it.
struct ProgramKey
{
    std::string device;
    std::string driver;
    std::string source;
    std::string options;
};

/// Compiled programs on disk. Losing an entry costs a build, never a result: a missing, truncated,
/// damaged or foreign entry is ignored, and nothing is stored in a read-only folder.
class ProgramCache
{
public:
    /// Default folder $XDG_CACHE_HOME/headscope/opencl, or ~/.cache/headscope/opencl; empty when
    /// neither is known.
    static std::filesystem::path defaultFolder();

    explicit ProgramCache(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    bool isEnabled() const { return !m_folder.empty(); }

    std::optional<std::string> load(const ProgramKey& key) const;
    /// False when it could not be written.
    bool store(const ProgramKey& key, const std::string& binary) const;
    std::filesystem::path pathOf(const ProgramKey& key) const;

private:
    std::filesystem::path m_folder; ///< Empty: no cache.
};

} // namespace headscope::gpu
