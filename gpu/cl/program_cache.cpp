#include "gpu/cl/program_cache.h"

#include "core/base/atomic_write.h"
#include "core/base/error.h"
#include "core/base/file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

namespace headscope::gpu {

namespace {

constexpr std::string_view kMagic = "headscope opencl program 1\n";
constexpr std::uint64_t kMaxEntryBytes = 256U << 20U;

/// Hash FNV-1a, 64 bits (Fowler, Noll, Vo).
std::uint64_t hashOf(std::string_view text)
{
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001B3ULL;
    }
    return hash;
}

std::string textOf(const ProgramKey& key)
{
    return fmt::format("{}\n{}\n{}\n{:016x} {}\n", key.device, key.driver, key.options,
                       hashOf(key.source), key.source.size());
}

/// Everything in an entry but the binary. It has no variable part after the key, so equal headers
/// mean equal keys and an undamaged binary.
std::string headerFor(const ProgramKey& key, std::string_view binary)
{
    const std::string text = textOf(key);
    return fmt::format("{}{}\n{}{}\n{:016x}\n", kMagic, text.size(), text, binary.size(),
                       hashOf(binary));
}

/// Offset of the binary: after the lines that follow the key.
std::size_t binaryOffset(std::string_view entry, const ProgramKey& key)
{
    const std::string text = textOf(key);
    const std::string start = fmt::format("{}{}\n{}", kMagic, text.size(), text);
    if (!entry.starts_with(start))
        return std::string_view::npos;
    const std::size_t sizeEnd = entry.find('\n', start.size());
    if (sizeEnd == std::string_view::npos)
        return std::string_view::npos;
    const std::size_t hashEnd = entry.find('\n', sizeEnd + 1);
    return hashEnd == std::string_view::npos ? hashEnd : hashEnd + 1;
}

} // namespace

std::filesystem::path ProgramCache::defaultFolder()
{
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache && std::filesystem::path(cache).is_absolute())
        return std::filesystem::path(cache) / "headscope" / "opencl";
    const char* home = std::getenv("HOME");
    if (home && std::filesystem::path(home).is_absolute())
        return std::filesystem::path(home) / ".cache" / "headscope" / "opencl";
    return {};
}

std::filesystem::path ProgramCache::pathOf(const ProgramKey& key) const
{
    return m_folder / fmt::format("{:016x}.clbin", hashOf(textOf(key)));
}

std::optional<std::string> ProgramCache::load(const ProgramKey& key) const
{
    std::error_code ignored;
    if (m_folder.empty() || !std::filesystem::exists(pathOf(key), ignored))
        return std::nullopt;
    try {
        std::string entry = readFile(pathOf(key), kMaxEntryBytes);
        const std::size_t offset = binaryOffset(entry, key);
        if (offset == std::string::npos)
            return std::nullopt;
        std::string binary = entry.substr(offset);
        if (binary.empty() || entry.substr(0, offset) != headerFor(key, binary))
            return std::nullopt;
        return binary;
    } catch (const Error&) {
        return std::nullopt;
    }
}

bool ProgramCache::store(const ProgramKey& key, const std::string& binary) const
{
    std::error_code failed;
    if (m_folder.empty() || binary.size() > kMaxEntryBytes / 2)
        return false;
    std::filesystem::create_directories(m_folder, failed);
    try {
        writeAtomically(pathOf(key), headerFor(key, binary) + binary);
        return true;
    } catch (const Error&) {
        return false;
    }
}

} // namespace headscope::gpu
