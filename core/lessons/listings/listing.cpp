#include "core/lessons/listings/listing.h"

#include "core/base/content_catalogue.h"
#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/lessons/listings/builtin_listings.h"
#include "core/lessons/listings/listing_file.h"

#include <algorithm>

namespace headscope {

namespace {

std::vector<Listing> readCatalogue()
{
    std::vector<Listing> listings;
    for (const BuiltinText& builtin : builtinListingTexts()) {
        const std::string file = "listings/" + std::string(builtin.name) + ".json";
        const std::string json = contentText(file, builtin.text);
        listings.push_back(
            parseListing(builtin.name, {json, builtinText(builtinListingCpp(), builtin.name),
                                        builtinText(builtinListingTorch(), builtin.name)}));
    }
    sortCatalogue(
        listings, [](const Listing& listing) { return listing.order; }, "resources/listings");
    return listings;
}

std::vector<const Listing*> listingsWith(std::vector<std::string> Listing::*names,
                                         std::string_view name)
{
    std::vector<const Listing*> found;
    for (const Listing& listing : listingCatalogue())
        if (std::ranges::find(listing.*names, name) != (listing.*names).end())
            found.push_back(&listing);
    return found;
}

bool isNumbered(std::string_view name, std::string_view part)
{
    return name.size() > part.size() + 1 && name.starts_with(part) && name[part.size()] == '_' &&
           name.find_first_not_of("0123456789", part.size() + 1) == std::string_view::npos;
}

bool isBegun(const WorkedMatrix& matrix, std::size_t stepsDone)
{
    return std::ranges::any_of(matrix.filledAfter,
                               [stepsDone](std::size_t after) { return after <= stepsDone; });
}

} // namespace

std::string_view Listing::note(std::string_view part) const
{
    const auto found = std::ranges::find(notes, part, &Note::part);
    return found == notes.end() || part.empty() ? std::string_view() : found->text;
}

std::span<const Listing> listingCatalogue()
{
    static ContentCatalogue<std::vector<Listing>> catalogue;
    return catalogue.entries(readCatalogue);
}

const Listing& catalogueListing(std::string_view name)
{
    for (const Listing& listing : listingCatalogue())
        if (listing.name == name)
            return listing;
    throw Error("there is no listing " + inQuotes(name), {},
                nearestNameAdvice(name, listingCatalogue(), &Listing::name));
}

std::vector<const Listing*> listingsOfExample(std::string_view example)
{
    return listingsWith(&Listing::examples, example);
}

std::vector<const Listing*> listingsOfLab(std::string_view lab)
{
    return listingsWith(&Listing::labs, lab);
}

const WorkedMatrix* matrixOfPart(const WorkedExample& example, std::string_view part,
                                 std::size_t stepsDone)
{
    if (part.empty())
        return nullptr;
    const WorkedMatrix* found = example.find(part);
    for (const WorkedMatrix& matrix : example.matrices)
        if (isNumbered(matrix.name, part) && (found == nullptr || isBegun(matrix, stepsDone)))
            found = &matrix;
    return found;
}

} // namespace headscope
