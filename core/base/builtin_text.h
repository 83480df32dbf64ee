#pragma once

#include "core/base/error.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// The text of a file that the build takes in (.cmake/texts.cmake).
struct BuiltinText
{
    std::string_view name; ///< of the file, without its ending
    std::string_view text;
};

/// The one with this name. Throws Error with the nearest name.
std::string_view builtinText(std::span<const BuiltinText> texts, std::string_view name);

/// Puts a catalogue whose entries were read from files of `folder` in order. Throws FormatError
/// where two entries have one place.
template<class Entry, class Place>
void sortCatalogue(std::vector<Entry>& entries, Place placeOf, const std::string& folder)
{
    std::ranges::sort(entries, {}, placeOf);
    const auto twin = std::ranges::adjacent_find(entries, {}, placeOf);
    if (twin != entries.end())
        throw FormatError("\"order\" is that of \"" + twin->name + "\" too",
                          folder + "/" + (twin + 1)->name + ".json", std::nullopt, "Give another");
}

} // namespace headscope
