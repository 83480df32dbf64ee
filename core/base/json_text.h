#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Parses strictly: valid UTF-8, no duplicate keys, at most `maxDepth` levels, nothing after the
/// value. Throws FormatError with `where` and the byte offset, counted from `firstOffset`.
nlohmann::json parseJson(std::string_view text, const std::string& where, int maxDepth = 64,
                         std::uint64_t firstOffset = 0);

/// Writes one line, with U+FFFD for invalid UTF-8.
std::string dumpJson(const nlohmann::json& value);

/// Known name nearest to `name` by edit distance, or "" when none is near.
std::string nearestName(std::string_view name, const std::vector<std::string>& known);

/// Suggests "Did you mean \"x\"?" with the nearest known name, or "Known: a, b, c".
std::string nearestNameAdvice(std::string_view name, const std::vector<std::string>& known);

/// The same for the names of entries, such as &Lab::name.
template<class Entries, class NameOf>
std::string nearestNameAdvice(std::string_view name, const Entries& entries, const NameOf& nameOf)
{
    std::vector<std::string> known;
    for (const auto& entry : entries)
        known.emplace_back(std::invoke(nameOf, entry));
    return nearestNameAdvice(name, known);
}

/// Untrusted text for an error message: quoted, shortened, on one line, printable.
std::string inQuotes(std::string_view text);

/// Throws FormatError for a key of `object` that is not in `known`, naming the nearest known one.
void refuseUnknownKeys(const nlohmann::json& object, const std::vector<std::string>& known,
                       const std::string& where);

} // namespace headscope
