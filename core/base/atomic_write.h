#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

namespace headscope {

/// Where a file's bytes go while it is being written.
using ByteSink = std::function<void(std::span<const std::byte>)>;

/// Writes to a temporary name beside `path`, syncs, then renames: afterwards the old or the new
/// file is there, never a mixture. Throws Error naming the path and the system's reason; the
/// temporary file is gone then.
void writeAtomically(const std::filesystem::path& path,
                     const std::function<void(const ByteSink&)>& write);
void writeAtomically(const std::filesystem::path& path, std::string_view content);

} // namespace headscope
