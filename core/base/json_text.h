#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Parses strictly: valid UTF-8, no duplicate keys, at most `maxDepth` levels, nothing after the
/// value. Throws FormatError with `where` and the byte offset.
nlohmann::json parseJson(std::string_view text, const std::string& where, int maxDepth = 64);

/// The known name nearest to `name` by edit distance, or "" when none is near.
std::string nearestName(std::string_view name, const std::vector<std::string>& known);

/// Throws Error for a key of `object` that is not in `known`, naming the nearest known one.
void refuseUnknownKeys(const nlohmann::json& object, const std::vector<std::string>& known,
                       const std::string& where);

} // namespace headscope
