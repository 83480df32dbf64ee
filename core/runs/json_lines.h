#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace headscope {

/// Appends complete lines to a file in one write, so that another process sees all or none of them.
/// When the disk is full the file is unchanged. Throws Error.
void appendLines(const std::filesystem::path& path, std::string_view lines);

/// The objects of a file of JSON lines, for a reader while another process may be writing: an
/// incomplete last line and lines that are not objects are left out. Empty without a file.
std::vector<nlohmann::json> readJsonLines(const std::filesystem::path& path);

/// Keeps the lines of objects for which `keep` is true, unchanged. Atomic.
void keepJsonLines(const std::filesystem::path& path,
                   const std::function<bool(const nlohmann::json&)>& keep);

/// Value of "step" in an object, or -1.
std::int64_t stepOf(const nlohmann::json& object);

} // namespace headscope
