#pragma once

#include "core/lessons/worked/worked_example.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Line of code. A line with a comment "[SHAPE] PART" at its end computes the part PART.
struct ListingLine
{
    std::string code;  ///< Without that comment.
    std::string shape; ///< "[n, d_k]"; empty for other lines.
    std::string part;  ///< "scores": a matrix of the worked examples, or a name of its own.
};

/// Code in one language.
struct ListingCode
{
    std::string text; ///< Whole file, to be copied.
    std::vector<ListingLine> lines;
};

/// Computation of worked examples and labs as a short program: resources/listings/NAME.cpp with the
/// program's own operations, NAME.py in PyTorch, and NAME.json with its texts (listing_file.h).
struct Listing
{
    struct Note
    {
        std::string part;
        std::string text; ///< One or two sentences.
    };

    std::string name;
    std::int64_t order = 0;
    std::string title;
    std::string summary;               ///< One sentence.
    std::vector<std::string> examples; ///< Worked examples that it computes.
    std::vector<std::string> labs;
    std::map<std::string, std::string> set; ///< Settings of the examples for which it holds.
    std::vector<Note> notes;
    ListingCode cpp;
    ListingCode torch;

    std::string_view note(std::string_view part) const; ///< Empty without one.
};

/// All listings in teaching order, in the language of this process (content_language.h).
std::span<const Listing> listingCatalogue();
const Listing& catalogueListing(std::string_view name); ///< Throws Error with the nearest name.
std::vector<const Listing*> listingsOfExample(std::string_view example);
std::vector<const Listing*> listingsOfLab(std::string_view lab);

/// Matrix of the example with the values of a part, or null: the one of that name, or the last
/// filled of "scores_0", "scores_1" and so on.
const WorkedMatrix* matrixOfPart(const WorkedExample& example, std::string_view part,
                                 std::size_t stepsDone);

} // namespace headscope
