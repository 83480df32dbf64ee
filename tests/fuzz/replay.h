#pragma once

#include "tests/fuzz/targets.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope::fuzz {

/// The seeds of a target: tests/fuzz/corpus/NAME/*, sorted. Those that begin with "ok_" must be
/// accepted, those with "bad_" refused.
std::vector<std::filesystem::path> seedsOf(const std::string& target);

/// Reads one. Returns what was wrong, or "".
std::string replay(const Target& target, const std::filesystem::path& seed);

/// The same for a file that is not on a disk.
std::string replay(const Target& target, std::string_view file, const std::string& name);

} // namespace headscope::fuzz
