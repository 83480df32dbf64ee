#include "core/lessons/listings/listing_file.h"

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/train/files/json_record.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

namespace {

constexpr std::size_t kLargestFile = 1 << 14;
constexpr std::size_t kLongestLine = 110;

[[noreturn]] void refuse(const std::string& where, std::size_t line, const std::string& problem,
                         const std::string& advice)
{
    throw FormatError(fmt::format("line {}: {}", line, problem), where, std::nullopt, advice);
}

bool isPartSign(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool isPrintable(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

std::string_view withoutSpacesAtEnd(std::string_view text)
{
    const std::size_t end = text.find_last_not_of(' ');
    return end == std::string_view::npos ? std::string_view() : text.substr(0, end + 1);
}

/// Splits "code  // [shape] part".
ListingLine readLine(std::string_view text, std::string_view comment, const std::string& where,
                     std::size_t number)
{
    if (!isPrintable(text) || text.size() > kLongestLine)
        refuse(where, number, "this is not a line of code",
               fmt::format("Use at most {} printable ASCII characters", kLongestLine));
    const std::string opening = std::string(comment) + " [";
    const std::size_t at = text.rfind(opening);
    if (at == std::string_view::npos || withoutSpacesAtEnd(text.substr(0, at)).empty())
        return {std::string(withoutSpacesAtEnd(text)), {}, {}};
    const std::string_view tag = text.substr(at + comment.size() + 1);
    const std::size_t close = tag.find(']');
    const std::string_view part =
        close == std::string_view::npos ? tag : tag.substr(std::min(tag.size(), close + 2));
    if (close == std::string_view::npos || (!part.empty() && tag[close + 1] != ' ') ||
        !std::ranges::all_of(part, isPartSign))
        refuse(where, number, inQuotes(tag) + " is not a shape and a name",
               "Write a comment such as \"[n, d_k] scores\"");
    return {std::string(withoutSpacesAtEnd(text.substr(0, at))),
            std::string(tag.substr(0, close + 1)), std::string(part)};
}

ListingCode readCode(std::string_view text, std::string_view comment, const std::string& where)
{
    if (text.size() > kLargestFile)
        throw FormatError("the listing is too long", where, std::nullopt,
                          fmt::format("Use at most {} bytes", kLargestFile));
    ListingCode code;
    code.text = text;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        code.lines.push_back(readLine(text.substr(0, end), comment, where, code.lines.size() + 1));
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    if (code.lines.empty())
        throw FormatError("the listing is empty", where, std::nullopt, "Write its code");
    return code;
}

bool computes(const ListingCode& code, std::string_view part)
{
    return std::ranges::find(code.lines, part, &ListingLine::part) != code.lines.end();
}

void readNotes(const JsonRecord& record, Listing& listing)
{
    for (const nlohmann::json& value : record.list("notes")) {
        const JsonRecord note(value, fmt::format("note {}", listing.notes.size() + 1),
                              {"part", "text"}, record.where());
        listing.notes.push_back({note.needed("part"), note.needed("text")});
        const std::string& part = listing.notes.back().part;
        if (!computes(listing.cpp, part) && !computes(listing.torch, part))
            note.refuse("part", "a part that a line of the listing computes");
        if (std::ranges::count(listing.notes, part, &Listing::Note::part) > 1)
            note.refuse("part", "one note for each part");
    }
}

} // namespace

Listing parseListing(std::string_view name, const ListingFiles& files)
{
    const std::string path = fmt::format("resources/listings/{}", name);
    const std::string where = path + ".json";
    const nlohmann::json root = parseJson(files.json, where);
    const JsonRecord record(
        root, "the listing",
        {"name", "order", "title", "summary", "examples", "labs", "set", "notes"}, where);
    Listing listing;
    listing.cpp = readCode(files.cpp, "//", path + ".cpp");
    listing.torch = readCode(files.torch, "#", path + ".py");
    listing.name = record.nameAs(name);
    listing.order = record.neededInteger("order");
    listing.title = record.needed("title");
    listing.summary = record.needed("summary");
    listing.examples = record.texts("examples");
    listing.labs = record.texts("labs");
    listing.set = record.textsByName("set");
    readNotes(record, listing);
    if (listing.examples.empty() && listing.labs.empty())
        record.refuse("examples", "an example or a lab that the listing computes");
    return listing;
}

} // namespace headscope
