#pragma once

#include "core/base/error.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Text of a file that is compiled in (.cmake/texts.cmake).
struct BuiltinText
{
    std::string_view name; ///< File name without its extension.
    std::string_view text;
};

/// Finds the text called `name`. Throws Error with the nearest name.
std::string_view builtinText(std::span<const BuiltinText> texts, std::string_view name);

/// Sorts a catalogue whose entries were read from files of `folder`. Throws FormatError when two
/// entries have the same position.
template<class Entry, class Place>
void sortCatalogue(std::vector<Entry>& entries, Place placeOf, const std::string& folder)
{
    std::ranges::sort(entries, {}, placeOf);
    const auto twin = std::ranges::adjacent_find(entries, {}, placeOf);
    if (twin != entries.end())
        throw FormatError("\"order\" is already used by \"" + twin->name + "\"",
                          folder + "/" + (twin + 1)->name + ".json", std::nullopt,
                          "Choose another number");
}

} // namespace headscope
