#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace headscope::gpu {

/// What a compiled program depends on. All of it is in the entry, so nothing else is ever taken for
/// it.
struct ProgramKey
{
    std::string device;
    std::string driver;
    std::string source;
    std::string options;
};

/// Compiled programs on disk. Losing an entry costs a build, never a result: a missing, truncated,
/// damaged or foreign entry is no entry, and a folder that cannot be written keeps nothing.
class ProgramCache
{
public:
    /// $XDG_CACHE_HOME/headscope/opencl, or ~/.cache/headscope/opencl; empty when neither is known.
    static std::filesystem::path defaultFolder();

    explicit ProgramCache(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    bool isEnabled() const { return !m_folder.empty(); }

    std::optional<std::string> load(const ProgramKey& key) const;
    bool store(const ProgramKey& key, const std::string& binary) const; ///< false: could not
    std::filesystem::path pathOf(const ProgramKey& key) const;

private:
    std::filesystem::path m_folder; ///< empty: no cache
};

} // namespace headscope::gpu
