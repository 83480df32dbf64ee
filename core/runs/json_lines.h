#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace headscope {

/// Adds whole lines to the end of a file in one write, so that another process sees all or none of
/// them. When the disk is full the file is as it was before. Throws Error.
void appendLines(const std::filesystem::path& path, std::string_view lines);

/// The objects of a file of JSON lines, for a reader that may come while another process writes: a
/// last line without its end and lines that are no object are left out. Empty without a file.
std::vector<nlohmann::json> readJsonLines(const std::filesystem::path& path);

/// Keeps the lines of objects for which `keep` is true, as they are. Atomic.
void keepJsonLines(const std::filesystem::path& path,
                   const std::function<bool(const nlohmann::json&)>& keep);

/// "step" of an object, or -1.
std::int64_t stepOf(const nlohmann::json& object);

} // namespace headscope
