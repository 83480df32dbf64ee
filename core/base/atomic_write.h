#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

namespace headscope {

/// Receives a file's bytes while it is being written.
using ByteSink = std::function<void(std::span<const std::byte>)>;

/// Writes to a temporary name beside `path`, syncs, then renames: afterwards the old or the new
/// file exists, never a mixture. Throws Error naming the path and the system's reason, after
/// removing the temporary file.
void writeAtomically(const std::filesystem::path& path,
                     const std::function<void(const ByteSink&)>& write);
void writeAtomically(const std::filesystem::path& path, std::string_view content);

} // namespace headscope
