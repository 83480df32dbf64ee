#pragma once

#include "core/lessons/listings/listing.h"

namespace headscope {

/// The three files of a listing.
struct ListingFiles
{
    std::string_view json;
    std::string_view cpp;
    std::string_view torch;
};

/// Reads a listing. Throws FormatError, one sentence with file and key or line, for a key that is
/// unknown, missing or of the wrong type, a note on a part that no line computes, a line that is
/// too long or not printable, and a comment "[" without its end. Its translation is
/// resources/translations/LOCALE/listings/NAME.json, see content_language.h.
Listing parseListing(std::string_view name, const ListingFiles& files);

} // namespace headscope
